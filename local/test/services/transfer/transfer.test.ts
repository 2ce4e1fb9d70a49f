import { hash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createFaults } from '../../../core/faults.ts';
import { hostKeyIn, newKeyPair } from '../../../services/transfer/host-key.ts';
import { answered, done, outcomeOf, sftpClient } from '../../support/sftp-client.ts';
import { until } from '../../support/until.ts';
import { BUCKET, DIRECTORY, transferHarness, type TransferHarness } from './harness.ts';
import { textLike } from '../../support/text-like.ts';
import { newFolders } from '../../support/folders.ts';

const newFolder = newFolders();

const { FAILURE, NO_SUCH_FILE, OP_UNSUPPORTED } = ssh2.utils.sftp.STATUS_CODE;
const { CREAT, WRITE } = ssh2.utils.sftp.OPEN_MODE;
const owner = newKeyPair();

let harness: TransferHarness;
beforeEach(async () => {
  harness = await transferHarness(owner.public);
});
afterEach(() => harness[Symbol.asyncDispose]());

const stored = async (name: string): Promise<string | undefined> =>
  (await harness.s3.get(BUCKET, `${DIRECTORY}${name}`))?.toString();

describe('a login', () => {
  it('a login by password calls the identity function as Transfer Family does', async () => {
    using client = await harness.login();
    expect(await client.list('/')).toEqual(['1001', 'imports']);
    expect(harness.asked).toEqual([
      { username: 'demo', password: 'secret', protocol: 'SFTP', serverId: 's-1', sourceIp: '127.0.0.1' },
    ]);
  });

  it('a login by key needs the signature of one of the keys in the answer', async () => {
    using client = await sftpClient({
      port: harness.transfer.port,
      username: 'demo',
      privateKey: owner.private,
    });
    expect(await client.list('/imports')).toEqual(['5']);
    const other = newKeyPair();
    const refused = sftpClient({ port: harness.transfer.port, username: 'demo', privateKey: other.private });
    await expect(refused).rejects.toThrow('authentication methods failed');
  });

  it.each([
    ['ecdsa', ssh2.utils.generateKeyPairSync('ecdsa', { bits: 256 })],
    ['rsa', ssh2.utils.generateKeyPairSync('rsa', { bits: 2048 })],
  ])('a user logs in by a key of type %s', async (_, pair) => {
    await using other = await transferHarness(pair.public);
    const { port } = other.transfer;
    using client = await sftpClient({ port, username: 'demo', privateKey: pair.private });
    expect(await client.list('/imports')).toEqual(['5']);
  });

  it.each(['wrong', ''])('a login with the password %j is refused', async (password) => {
    await expect(sftpClient({ port: harness.transfer.port, username: 'demo', password })).rejects.toThrow(
      'authentication',
    );
    expect(harness.asked.every((question) => question.password !== undefined)).toBe(true);
  });

  it('the log has a line for each session, with the key of a login by key, and for each refused login', async () => {
    const { port } = harness.transfer;
    using byPassword = await harness.login();
    using byKey = await sftpClient({ port, username: 'demo', privateKey: owner.private });
    const other = { port, username: 'demo', privateKey: newKeyPair().private };
    await expect(sftpClient(other)).rejects.toThrow('authentication methods failed');
    await byPassword.put('/imports/5/a.csv', 'email\n');
    await byKey.put('/imports/5/b.csv', 'email\n');
    const who = {
      user: 'demo',
      'source-ip': '127.0.0.1',
      'resource-arn': 'arn:aws:transfer:us-east-1:000000000000:server/s-1',
    };
    const session = {
      ...who,
      'activity-type': 'CONNECTED',
      role: 'role',
      client: textLike(/^SSH-2\.0-/),
    };
    const [, key = ''] = owner.public.split(' ');
    const digest = hash('sha256', Buffer.from(key, 'base64'), 'base64').slice(0, -1);
    const [first, second, ...refused] = harness.logged;
    expect(first).toMatchObject(session);
    expect(Object.keys(first ?? {}).filter((field) => field.startsWith('ssh-'))).toEqual([]);
    expect(second).toMatchObject({
      ...session,
      'ssh-public-key': key,
      'ssh-public-key-fingerprint': `SHA256:${digest}`,
      'ssh-public-key-type': 'ssh-ed25519',
    });
    expect(refused).toEqual([
      { ...who, 'activity-type': 'AUTH_FAILURE', method: 'publickey', message: textLike(/./) },
    ]);
    expect(harness.events.map(({ detail }) => detail['session-id'])).toEqual([
      first?.['session-id'],
      second?.['session-id'],
    ]);
  });

  it('a login has no shell, commands or tunnels', async () => {
    const client = new ssh2.Client().on('error', () => undefined);
    await new Promise<void>((resolve, reject) => {
      client.once('ready', resolve).once('error', reject);
      client.connect({
        host: '127.0.0.1',
        port: harness.transfer.port,
        username: 'demo',
        password: 'secret',
        hostVerifier: () => true,
      });
    });
    await expect(answered((callback) => client.exec('id', callback))).rejects.toThrow();
    await expect(answered((callback) => client.shell(callback))).rejects.toThrow();
    await expect(
      answered((callback) => client.forwardOut('127.0.0.1', 1, '127.0.0.1', 22, callback)),
    ).rejects.toThrow();
    client.end();
  });

  it('every generated host key can be parsed', () => {
    const pairs = Array.from({ length: 1_000 }, newKeyPair);
    expect(pairs.filter((pair) => ssh2.utils.parseKey(pair.private) instanceof Error)).toEqual([]);
  });

  it('a client finds the same host key after a restart', () => {
    const folder = join(newFolder(), 'transfer');
    expect(hostKeyIn(folder)).toBe(hostKeyIn(folder));
    expect(hostKeyIn(undefined)).not.toBe(hostKeyIn(undefined));
  });
});

describe('a file', () => {
  it('a complete file causes an event, and can be listed, read and removed', async () => {
    using client = await harness.login();
    await client.put('/imports/5/people.csv', 'email\n');
    expect(harness.events).toMatchObject([
      {
        source: 'aws.transfer',
        'detail-type': 'SFTP Server File Upload Completed',
        detail: {
          'status-code': 'COMPLETED',
          'file-path': `/${BUCKET}/${DIRECTORY}people.csv`,
          bytes: 6,
          etag: harness.s3.find(BUCKET, `${DIRECTORY}people.csv`)?.etag.replaceAll('"', ''),
          'server-id': 's-1',
          username: 'demo',
        },
      },
    ]);
    expect(await client.list('/1001/imports/5')).toEqual(['people.csv']);
    expect((await client.read('/1001/imports/5/people.csv')).toString()).toBe('email\n');
    await client.remove('/imports/5/people.csv');
    expect(harness.told()).toEqual(['Upload Completed', 'Download Completed', 'Delete Completed']);
    const deed = {
      'status-code': 'COMPLETED',
      'file-path': `/${BUCKET}/${DIRECTORY}people.csv`,
      username: 'demo',
    };
    expect(harness.events.slice(1)).toMatchObject([{ detail: { ...deed, bytes: 6 } }, { detail: deed }]);
    expect(await client.list('/imports/5')).toEqual([]);
    expect(await client.list('/imports')).toEqual(['5']);
  });

  it('under faults an event may be lost, although the client is told that the file is stored', async () => {
    await using lossy = await transferHarness(owner.public, createFaults(1, 1));
    using client = await lossy.login();
    await client.put('/imports/5/quiet.csv', 'a');
    expect((await lossy.s3.get(BUCKET, `${DIRECTORY}quiet.csv`))?.toString()).toBe('a');
    expect(lossy.told()).toEqual([]);
  });

  it('a partial read causes an event of its own, and opening alone causes none', async () => {
    const client = await harness.login();
    await client.put('/imports/5/people.csv', 'email\n');
    for (const bytes of [0, 3]) {
      const handle = await client.open('/imports/5/people.csv', 'r');
      if (bytes > 0) {
        await answered<number>((callback) =>
          client.raw.read(handle, Buffer.alloc(bytes), 0, bytes, 0, (error, read) => callback(error, read)),
        );
      }
      if (bytes === 0) await client.close(handle);
    }
    client.cut();
    await until('word of the read', () => harness.events[1]);
    expect(harness.told()).toEqual(['Upload Completed', 'Download Failed']);
    expect(harness.events[1]?.detail).toMatchObject({ 'failure-code': 'PARTIAL_DOWNLOAD', bytes: 3 });
  });

  it('a file may be empty, and its pieces may arrive in any order', async () => {
    using client = await harness.login();
    await client.put('/imports/5/empty.csv', '');
    const handle = await client.open('/imports/5/mixed.csv');
    for (const [offset, text] of [
      [6, 'xyz'],
      [3, 'def'],
      [0, 'abc'],
    ] as const)
      await client.write(handle, text, offset);
    await client.close(handle);
    expect([await stored('empty.csv'), await stored('mixed.csv')]).toEqual(['', 'abcdefxyz']);
  });

  it('an interrupted upload causes a failure event, though a part of the file may remain', async () => {
    const client = await harness.login();
    const handle = await client.open('/imports/5/half.csv');
    await client.write(handle, 'email\nhal');
    client.cut();
    await until('word of the broken file', () => harness.events[0]);
    expect(harness.told()).toEqual(['Upload Failed']);
    expect(harness.events[0]?.detail).toMatchObject({
      'status-code': 'FAILED',
      'failure-code': 'PARTIAL_UPLOAD',
    });
    expect(await stored('half.csv')).toBe('email\nhal');
  });

  it('a stop of the server interrupts an upload, and leaves nothing in the temporary folder', async () => {
    const folders = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('embedded-sftp-'));
    const before = folders().length;
    const client = await harness.login();
    await client.open('/imports/5/half.csv');
    await harness.transfer.close();
    expect(harness.told()).toEqual(['Upload Failed']);
    expect(folders().length).toBeLessThan(before);
  });

  it('a rename is a copy with an event of its own', async () => {
    using client = await harness.login();
    await client.put('/imports/5/people.csv.filepart', 'email\n');
    await client.rename('/imports/5/people.csv.filepart', '/1001/imports/5/people.csv');
    expect(harness.told()).toEqual(['Upload Completed', 'Rename Completed']);
    expect(harness.events[1]?.detail).toMatchObject({
      'original-file-path': `/${BUCKET}/${DIRECTORY}people.csv.filepart`,
      'renamed-file-path': `/${BUCKET}/${DIRECTORY}people.csv`,
    });
    expect(await client.list('/imports/5')).toEqual(['people.csv']);
  });

  it('a file is written whole: it can be neither appended to nor continued', async () => {
    using client = await harness.login();
    await client.put('/imports/5/a.csv', 'email\n');
    expect(
      await outcomeOf(done((callback) => client.raw.appendFile('/imports/5/a.csv', 'x', callback))),
    ).toBe(OP_UNSUPPORTED);
    const continued = client.open('/imports/5/a.csv', 'r+');
    expect(await outcomeOf(continued)).toBe(OP_UNSUPPORTED);
    const exclusive = client.open('/imports/5/a.csv', 'wx');
    expect(await outcomeOf(exclusive)).toBe(FAILURE);
    expect(await stored('a.csv')).toBe('email\n');
  });

  it('a read of a file that is replaced meanwhile never mixes two versions', async () => {
    using client = await harness.login();
    await client.put('/imports/5/a.csv', 'old');
    const handle = await client.open('/imports/5/a.csv', 'r');
    await client.put('/imports/5/a.csv', 'new');
    const reading = answered<number>((callback) =>
      client.raw.read(handle, Buffer.alloc(3), 0, 3, 0, callback),
    );
    expect(await outcomeOf(reading)).toBe(FAILURE);
  });

  it('a file is visible during its upload, as clients that mount the directory expect', async () => {
    using client = await harness.login();
    const path = '/imports/5/growing.csv';
    const size = async (ask: 'stat' | 'lstat') =>
      (await answered<{ size: number }>((callback) => client.raw[ask](path, callback))).size;
    const handle = await client.open(path, 'wx');
    expect([await size('lstat'), await size('stat')]).toEqual([0, 0]);
    await client.write(handle, 'email\n');
    expect([await size('lstat'), await size('stat')]).toEqual([6, 6]);
    expect(await stored('growing.csv')).toBeUndefined();
    expect(harness.events).toEqual([]);
    using other = await harness.login();
    expect(await outcomeOf(answered((callback) => other.raw.lstat(path, callback)))).toBe(NO_SUCH_FILE);
    await client.close(handle);
    expect(await stored('growing.csv')).toBe('email\n');
  });

  it('a file is overwritten in place, and has the size that the client sets', async () => {
    using client = await harness.login();
    const path = '/imports/5/a.csv';
    await client.put(path, 'email\nold@x.org\n');
    const handle = await client.open(path, WRITE | CREAT);
    await client.write(handle, 'E');
    await done((callback) => client.raw.fsetstat(handle, { size: 6 }, callback));
    await client.close(handle);
    expect(await stored('a.csv')).toBe('Email\n');
    expect(harness.told()).toEqual(['Upload Completed', 'Upload Completed']);
  });

  it('a complete file keeps its size', async () => {
    using client = await harness.login();
    await client.put('/imports/5/a.csv', 'email\n');
    const cut = done((callback) => client.raw.setstat('/imports/5/a.csv', { size: 0 }, callback));
    expect(await outcomeOf(cut)).toBe(OP_UNSUPPORTED);
    expect(await stored('a.csv')).toBe('email\n');
  });

  it('the server ignores times and modes that a client sets', async () => {
    using client = await harness.login();
    await client.put('/imports/5/a.csv', 'email\n');
    await done((callback) => client.raw.utimes('/imports/5/a.csv', 1, 1, callback));
    await done((callback) => client.raw.chmod('/imports/5/a.csv', 0o600, callback));
  });
});
