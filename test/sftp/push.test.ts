import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HostKeyPin, PinnedHostKey } from '../../shared/sftp/host-key.ts';
import { type SshKeyPair, sshKeyPair } from '../../shared/sftp/key-pair.ts';
import { randomSource } from '../schedules/random.ts';
import { openCuttingProxy } from '../support/cutting-proxy.ts';
import { describeWith } from '../../local/test/support/installed.ts';
import { openSftpServer, type SftpServer } from '../support/sftp-server.ts';
import { openSshd } from '../support/sshd.ts';
import {
  fileOf,
  keys,
  later,
  leftName,
  push,
  pusherWith,
  reasonOf,
  targetOf,
  at,
  serverOf,
} from './pushing.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const newFolder = newFolders();

const content = randomBytes(3_000_000);

/** The first key pair, of seeds counted up, that fits the test. */
const pairsUntil = (isWanted: (pair: SshKeyPair) => boolean): SshKeyPair => {
  for (let n = 0; ; n += 1) {
    const pair = sshKeyPair(createHash('sha256').update(`seed ${n}`).digest(), 'tidemark');
    if (isWanted(pair)) return pair;
  }
};

/** Logs in once, to learn the server's key. */
const pinnedAt = async (server: SftpServer): Promise<PinnedHostKey> => {
  let seen: HostKeyPin = { fingerprint: '', type: null };
  const pin = (key: HostKeyPin): Promise<boolean> => {
    seen = key;
    return Promise.resolve(true);
  };
  const target = targetOf(server.port, { pin });
  expect(await push(target, fileOf(Buffer.from('x'), 'first.csv'), later())).toEqual({ kind: 'sent' });
  return { ...seen, pinned_by: 'first_use' };
};

describeWith('sshd', 'OpenSSH as receiver', (path) => {
  it('OpenSSH receives the whole file under its final name alone', async () => {
    await using sshd = await serverOf(path);
    const target = at(sshd);
    const file = fileOf(content);
    expect(await push(target, file, later())).toEqual({ kind: 'sent' });
    expect(await readdir(sshd.folder)).toEqual(['1-2.csv']);
    expect((await readFile(join(sshd.folder, '1-2.csv'))).equals(content)).toBe(true);
    // Once more, over the existing file.
    expect(await push(target, fileOf(content.subarray(5)), later())).toEqual({ kind: 'sent' });
    expect((await readFile(join(sshd.folder, '1-2.csv'))).equals(content.subarray(5))).toBe(true);
  });

  it('a push to OpenSSH continues where an earlier attempt stopped', async () => {
    await using sshd = await serverOf(path);
    const target = at(sshd);
    const file = fileOf(content);
    const left = leftName(file);
    // The end may have holes: an earlier attempt had 64 writes of 32 KB in flight.
    const holed = Buffer.concat([content.subarray(0, 500_000), Buffer.alloc(2_000_000)]);
    await writeFile(join(sshd.folder, left), holed);
    expect(await push(target, file, later())).toEqual({ kind: 'sent', readBack: 'whole' });
    expect(file.reads).toEqual([0, 2_500_000 - 64 * 32_768]);
    expect(await readdir(sshd.folder)).toEqual(['1-2.csv']);
    expect((await readFile(join(sshd.folder, '1-2.csv'))).equals(content)).toBe(true);
  });

  it('a full OpenSSH server reports the lack of space, keeps nothing, and gets the file once it has room', async () => {
    await using sshd = await serverOf(path);
    const target = at(sshd);
    sshd.limitFiles(1_000);
    const [step, reason] = ['write', 'the server refused a write (4)'];
    expect(await push(target, fileOf(content), later())).toEqual({ kind: 'failed', step, reason });
    expect(await readdir(sshd.folder)).toEqual([]);
    sshd.limitFiles(undefined);
    expect(await push(target, fileOf(content), later())).toEqual({ kind: 'sent' });
    expect((await readFile(join(sshd.folder, '1-2.csv'))).equals(content)).toBe(true);
  });

  it('an OpenSSH server cut off at any offset never has a part under the final name, and gets the whole file in the end', async () => {
    const random = randomSource(22);
    await using sshd = await serverOf(path);
    await using proxy = await openCuttingProxy(Number(sshd.domain.split(':')[1]));
    const target = targetOf(proxy.port, { username: sshd.username });
    for (let round = 0; round < 8; round += 1) {
      // Less than any attempt has to send: an attempt resumes 2 MB before the end of the partial file.
      proxy.cutAfter = random.below(2_000_000);
      const outcome = await push(target, fileOf(content), later());
      expect(reasonOf(outcome)).toMatch(/^(the connection (broke at|was closed)|connection failed)/);
      expect(await readdir(sshd.folder)).not.toContain('1-2.csv');
    }
    proxy.cutAfter = undefined;
    expect(await push(target, fileOf(content), later())).toMatchObject({ kind: 'sent' });
    expect(await readdir(sshd.folder)).toEqual(['1-2.csv']);
    expect((await readFile(join(sshd.folder, '1-2.csv'))).equals(content)).toBe(true);
  });

  it('an OpenSSH server that does not know our key causes an error of its own', async () => {
    await using sshd = await openSshd(path);
    const target = at(sshd);
    const reason = 'the server does not take our key';
    const outcome = { kind: 'failed', step: 'login', reason, fault: 'key_refused' };
    expect(await push(target, fileOf(content), later())).toEqual(outcome);
  });

  it('OpenSSH and its tools read our keys', async () => {
    const folder = newFolder();
    await writeFile(join(folder, 'key'), keys.privateKey, { mode: 0o600 });
    const line = execFileSync('ssh-keygen', ['-y', '-f', join(folder, 'key')]).toString();
    expect(line.trim()).toBe(keys.publicKey);
    // One key in 256 has a public half that begins with a zero byte, which libraries have stripped.
    const zero = pairsUntil(
      ({ publicKey }) => Buffer.from(publicKey.split(' ')[1] ?? '', 'base64')[19] === 0,
    );
    await writeFile(join(folder, 'zero'), zero.privateKey, { mode: 0o600 });
    const zeroLine = execFileSync('ssh-keygen', ['-y', '-f', join(folder, 'zero')]).toString();
    expect(zeroLine.trim()).toBe(zero.publicKey);
  });
});

describe('an SFTP server', () => {
  it('a server whose key has changed gets no byte and no login', async () => {
    await using server = await openSftpServer();
    const pinned = await pinnedAt(server);
    const before = [server.received(), server.logins()];
    server.changeHostKey();
    const outcome = await push(targetOf(server.port, { pinned }), fileOf(content), later());
    expect(reasonOf(outcome)).toMatch(/^the host key has changed: SHA256:\S{43} was expected, SHA256:/);
    expect([server.received(), server.logins()]).toEqual(before);
    // A writer that loses the race to pin the key sends nothing either.
    const lost = targetOf(server.port, { pin: () => Promise.resolve(false) });
    expect(await push(lost, fileOf(content), later())).toMatchObject({ kind: 'failed' });
    expect(server.received()).toBe(before[0]);
  });

  it('a server cut off at any offset never has a part under the final name, and gets the whole file in the end', async () => {
    const random = randomSource(5);
    await using server = await openSftpServer();
    const pinned = await pinnedAt(server);
    const target = targetOf(server.port, { pinned });
    for (let round = 0; round < 2; round += 1) {
      server.files.clear();
      const file = fileOf(content, `${round}.csv`);
      server.mischief.cutAfter = random.below(content.length);
      let attempts = 0;
      for (; attempts < 40; attempts += 1) {
        const outcome = await push(target, file, later());
        const there = server.files.get(file.name);
        if (outcome.kind === 'sent') break;
        expect(reasonOf(outcome)).toMatch(/broke|closed|failed/);
        expect(there).toBeUndefined();
        // Eventually the connection pauses for longer.
        server.mischief.cutAfter = random.below(content.length * 2) + 100_000;
      }
      expect(server.files.get(file.name)?.equals(content)).toBe(true);
      expect([...server.files.keys()]).toEqual([file.name]);
    }
  });

  it('a full server reports the lack of space, keeps nothing, and gets the file once it has room', async () => {
    await using server = await openSftpServer();
    const target = targetOf(server.port);
    server.mischief.diskBytes = 1_000_000;
    const [step, reason] = ['write', 'the server refused a write (4)'];
    expect(await push(target, fileOf(content), later())).toEqual({ kind: 'failed', step, reason });
    expect([...server.files.keys()]).toEqual([]);
    delete server.mischief.diskBytes;
    expect(await push(target, fileOf(content), later())).toEqual({ kind: 'sent' });
  });

  it('a server that lost some of the data does not get the file renamed', async () => {
    await using server = await openSftpServer();
    server.mischief.losesBytes = 1;
    const [step, reason] = ['verify', `the server kept ${content.length - 1} of ${content.length} bytes`];
    expect(await push(targetOf(server.port), fileOf(content), later())).toEqual({
      kind: 'failed',
      step,
      reason,
    });
    expect([...server.files.keys()]).toEqual([]);
  });

  it('a file that became superseded does not get its name, and leaves nothing', async () => {
    await using server = await openSftpServer();
    const newer = Buffer.from('a newer one');
    server.files.set('1-2.csv', newer);
    const isSuperseded = () => Promise.resolve(true);
    const outcome = await push(targetOf(server.port), { ...fileOf(content), isSuperseded }, later());
    expect(outcome).toEqual({ kind: 'superseded' });
    expect([...server.files]).toEqual([['1-2.csv', newer]]);
  });

  it('a server that breaks off at the rename gets the rename from the next attempt', async () => {
    await using server = await openSftpServer();
    server.mischief.cutAtRename = 1;
    expect(await push(targetOf(server.port), fileOf(content), later())).toMatchObject({ kind: 'failed' });
    expect(server.files.has('1-2.csv')).toBe(false);
    delete server.mischief.cutAtRename;
    server.files.set('1-2.csv', Buffer.from('an older one'));
    const file = fileOf(content);
    expect(await push(targetOf(server.port), file, later())).toEqual({ kind: 'sent', readBack: 'whole' });
    expect(file.reads).toEqual([0, content.length - 64 * 32_768]);
    expect(server.files.get('1-2.csv')?.equals(content)).toBe(true);
  });

  it.each(['changed', 'hidden'])(
    'a server whose partial file was %s gets the file from its start',
    async (how) => {
      await using server = await openSftpServer();
      const file = fileOf(Buffer.concat([content, content]));
      const left = leftName(file);
      const there = Buffer.concat([content]).subarray(0, 2_500_000);
      if (how === 'changed') there[1_000] = (there[1_000] ?? 0) ^ 1;
      else server.mischief.hidesFiles = true;
      server.files.set(left, there);
      expect(await push(targetOf(server.port), file, later())).toEqual({
        kind: 'sent',
        readBack: 'from_start',
      });
      expect(file.reads).toEqual([0, 0]);
      expect(server.files.get('1-2.csv')?.equals(Buffer.concat([content, content]))).toBe(true);
    },
  );

  it('a push to a slow server stops when its time is up, and a later push sends the rest', async () => {
    await using server = await openSftpServer();
    const target = targetOf(server.port);
    let time = 0;
    const slow = pusherWith({ clock: () => (time += 1) });
    expect(await slow(target, fileOf(content), 80)).toEqual({ kind: 'paused' });
    expect(server.files.has('1-2.csv')).toBe(false);
    expect(await slow(target, fileOf(content), Infinity)).toMatchObject({ kind: 'sent' });
    expect(server.files.get('1-2.csv')?.equals(content)).toBe(true);
  });

  it.each(['OPEN', 'WRITE', 'CLOSE', 'RENAME'] as const)(
    'a push to a server that hangs at %s is given up, and the server gets the file later',
    async (hangsAt) => {
      await using server = await openSftpServer();
      server.mischief.hangsAt = hangsAt;
      const impatient = pusherWith({ idleMs: 400 });
      const outcome = await impatient(targetOf(server.port), fileOf(content), later());
      expect(reasonOf(outcome)).toMatch(/^the connection (broke at|was closed)/);
      expect(server.files.has('1-2.csv')).toBe(false);
      delete server.mischief.hangsAt;
      expect(await push(targetOf(server.port), fileOf(content), later())).toMatchObject({ kind: 'sent' });
      expect(server.files.get('1-2.csv')?.equals(content)).toBe(true);
    },
  );

  it('a server that wants a password is refused', async () => {
    await using server = await openSftpServer();
    server.mischief.password = 'secret';
    const reason = 'the server takes no key from this user, only a password';
    const outcome = { kind: 'failed', step: 'login', reason, fault: 'no_keys' };
    expect(await push(targetOf(server.port), fileOf(content), later())).toEqual(outcome);
  });

  it.each([
    [['10.0.0.1'], { kind: 'refused' }],
    [['127.0.0.1', '169.254.169.254'], { kind: 'refused' }],
    [[], { kind: 'failed', step: 'connect', reason: 'no SSH server can be reached there' }],
  ])('a server whose name resolves to %j gets no connection', async (addresses, outcome) => {
    await using server = await openSftpServer();
    const pusher = pusherWith({ resolve: () => Promise.resolve(addresses), clock: () => 0 });
    expect(await pusher(targetOf(server.port, { host: 'files.example.com' }), fileOf(content), 1)).toEqual(
      outcome,
    );
    expect(server.logins()).toBe(0);
  });

  it('a server on this machine gets no connection where the stage allows none', async () => {
    await using server = await openSftpServer();
    const strict = pusherWith({ privateTargets: 'none', clock: () => 0 });
    expect(await strict(targetOf(server.port, { host: 'files.example.com' }), fileOf(content), 1)).toEqual({
      kind: 'refused',
    });
  });
});
