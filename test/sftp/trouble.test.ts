import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { DIRECTORY, BUCKET, transferHarness } from '../../local/test/services/transfer/harness.ts';
import { openCuttingProxy } from '../support/cutting-proxy.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { until } from '../support/until.ts';
import { fileOf, keys, later, leftName, push, pusherWith, reasonOf, targetOf } from './pushing.ts';

const content = randomBytes(3_000_000);
const older = Buffer.from('an older file');
const inPlace = { temporaryName: 'none', verify: 'size' } as const;
const broken = /^the connection (broke at|was closed)/;

describe('a server that opens no file for more bytes', () => {
  it.each([1, 2])(
    'the SFTP server of imports gets a whole file after %i cuts',
    async (cuts) => {
      await using there = await transferHarness(keys.publicKey);
      await using proxy = await openCuttingProxy(there.transfer.port);
      const big = randomBytes(12_000_000);
      const file = fileOf(big, 'people.csv', '/imports/5');
      const target = targetOf(proxy.port);
      const names = () => there.s3.list(BUCKET, DIRECTORY).map((key) => key.slice(DIRECTORY.length));
      for (let cut = 0; cut < cuts; cut += 1) {
        proxy.cutAfter = 6_000_000;
        expect(reasonOf(await push(target, file, later()))).toMatch(broken);
        // The server stores what it got once the session is over.
        const isStored = () => there.events.length > cut || undefined;
        await until('the part of the file', () => Promise.resolve(isStored()));
      }
      proxy.cutAfter = undefined;
      expect(await push(target, file, later())).toEqual({ kind: 'sent', readBack: 'from_start' });
      expect(names().filter((name) => name !== '')).toEqual(['people.csv']);
      using client = await there.login();
      expect((await client.read('/imports/5/people.csv')).equals(big)).toBe(true);
    },
    120_000,
  );

  it.each([
    ['objects', [], ['1-2.csv']],
    ['files', [], ['1-2.csv']],
    ['files', ['REMOVE'], ['.part', '1-2.csv']],
  ] as const)(
    'a server that keeps %s and refuses %j gets a whole file after a cut',
    async (keeps, refuses, names) => {
      await using server = await openSftpServer();
      const file = fileOf(content);
      Object.assign(server.mischief, { keeps, refuses, cutAfter: 2_500_000 });
      expect(reasonOf(await push(targetOf(server.port), file, later()))).toMatch(broken);
      expect([...server.files.keys()]).toEqual([leftName(file)]);
      delete server.mischief.cutAfter;
      expect(await push(targetOf(server.port), file, later())).toEqual({
        kind: 'sent',
        readBack: 'from_start',
      });
      expect(server.files.get('1-2.csv')?.equals(content)).toBe(true);
      const left = [...server.files.keys()].map((name) => (name === leftName(file) ? '.part' : name));
      expect(left.toSorted()).toEqual(names);
    },
  );

  it('says that a file is too long for one attempt', async () => {
    await using server = await openSftpServer();
    Object.assign(server.mischief, { keeps: 'objects', cutAfter: 2_500_000 });
    await push(targetOf(server.port), fileOf(content), later());
    delete server.mischief.cutAfter;
    let time = 0;
    const slow = pusherWith({ clock: () => (time += 1), random: () => 0 });
    expect(reasonOf(await slow(targetOf(server.port), fileOf(content), 80))).toBe(
      'the file takes longer than one attempt, and no attempt can continue it there',
    );
    expect([...server.files.keys()]).toEqual([]);
  });
});

describe('an older file of the same name', () => {
  it.each([1, 2, 3, 4])('is never lost by a push that dies at rename %i', async (cutAtRename) => {
    await using server = await openSftpServer();
    server.files.set('people.csv', older);
    server.mischief.cutAtRename = cutAtRename;
    const outcome = await push(targetOf(server.port), fileOf(content, 'people.csv'), later());
    const whole = [...server.files.values()].filter((bytes) => bytes.equals(older) || bytes.equals(content));
    if (cutAtRename < 4) {
      expect(reasonOf(outcome)).toMatch(broken);
      expect(whole.some((bytes) => bytes.equals(older))).toBe(true);
    }
    delete server.mischief.cutAtRename;
    // The next attempt puts it back before it does anything that may fail.
    server.mischief.diskBytes = 0;
    const next = fileOf(content.subarray(1), 'people.csv');
    expect(await push(targetOf(server.port), next, later())).toMatchObject({ kind: 'failed' });
    const there = server.files.get('people.csv');
    expect(there?.equals(cutAtRename < 4 ? older : content)).toBe(true);
    delete server.mischief.diskBytes;
    expect(await push(targetOf(server.port), next, later())).toMatchObject({ kind: 'sent' });
    expect(server.files.get('people.csv')?.equals(next.content)).toBe(true);
    expect(server.files.has('.people.csv.older.part')).toBe(false);
  });

  it('that an interrupted push left aside goes once a newer file has the name', async () => {
    await using server = await openSftpServer();
    server.files.set('.people.csv.older.part', older);
    server.files.set('people.csv', content);
    const file = fileOf(content.subarray(9), 'people.csv');
    expect(await push(targetOf(server.port), file, later())).toEqual({ kind: 'sent' });
    expect([...server.files.keys()]).toEqual(['people.csv']);
  });

  it('stays where renames are refused, and where nobody may look', async () => {
    for (const refuses of [['RENAME'], ['RENAME', 'STAT']] as const) {
      await using server = await openSftpServer();
      server.files.set('people.csv', older);
      Object.assign(server.mischief, { refuses });
      const verify = refuses.length === 1 ? 'size' : 'none';
      const target = targetOf(server.port, { way: { temporaryName: 'rename', verify } });
      const outcome = await push(target, fileOf(content, 'people.csv'), later());
      expect(outcome).toMatchObject({ step: 'rename', reason: 'the server refused the rename (3)' });
      expect(server.files.get('people.csv')).toBe(older);
    }
  });
});

describe('a server that takes files when they are closed', () => {
  it('gets one copy under a temporary name, and the attempt says that another would follow', async () => {
    await using server = await openSftpServer();
    server.mischief.takesFiles = true;
    const file = fileOf(content, 'people.csv');
    const outcome = await push(targetOf(server.port), file, later());
    expect(outcome).toMatchObject({ kind: 'failed', step: 'verify', isTaken: true });
    expect(server.taken.map(([name]) => name)).toEqual([leftName(file)]);
  });

  it('gets one copy under the final name, with a remark', async () => {
    await using server = await openSftpServer();
    server.mischief.takesFiles = true;
    const outcome = await push(
      targetOf(server.port, { way: inPlace }),
      fileOf(content, 'people.csv'),
      later(),
    );
    const remark = 'the file was gone once it was closed: the server took it, so its size was not checked';
    expect(outcome).toEqual({ kind: 'sent', remark });
    expect(server.taken.map(([name, bytes]) => [name, bytes.equals(content)])).toEqual([
      ['people.csv', true],
    ]);
  });
});

describe('a file that is written under its final name', () => {
  it('is sent anew after a cut, and not over a newer file', async () => {
    await using server = await openSftpServer();
    const target = targetOf(server.port, { way: inPlace });
    server.mischief.cutAfter = 1_000_000;
    expect(reasonOf(await push(target, fileOf(content, 'people.csv'), later()))).toMatch(broken);
    delete server.mischief.cutAfter;
    expect(await push(target, fileOf(content, 'people.csv'), later())).toEqual({ kind: 'sent' });
    expect(server.files.get('people.csv')?.equals(content)).toBe(true);
    const superseded = { ...fileOf(older, 'people.csv'), isSuperseded: () => Promise.resolve(true) };
    expect(await push(target, superseded, later())).toEqual({ kind: 'superseded' });
    expect(server.files.get('people.csv')?.equals(content)).toBe(true);
  });

  it('is not written by each attempt where nobody may look at it', async () => {
    await using server = await openSftpServer();
    server.mischief.refuses = ['STAT'];
    const outcome = await push(
      targetOf(server.port, { way: inPlace }),
      fileOf(content, 'people.csv'),
      later(),
    );
    expect(outcome).toMatchObject({ step: 'look', reason: 'the server refused a look at the file (3)' });
    expect(server.received()).toBe(0);
  });
});
