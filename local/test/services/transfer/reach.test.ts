import { readdirSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import ssh2 from 'ssh2';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { newKeyPair } from '../../../services/transfer/host-key.ts';
import { answered, done, outcomeOf } from '../../support/sftp-client.ts';
import { BUCKET, THEIRS, transferHarness, type TransferHarness } from './harness.ts';
import { newFolders } from '../../support/folders.ts';

const { NO_SUCH_FILE, PERMISSION_DENIED, FAILURE, OP_UNSUPPORTED } = ssh2.utils.sftp.STATUS_CODE;
const owner = newKeyPair();

let harness: TransferHarness;

/** A folder for temporary files of this server alone: other servers on the machine have uploads, too. */
const temporary = newFolders()();

/** Partial uploads. */
const waitingFiles = (): string[] =>
  readdirSync(tmpdir())
    .filter((name) => name.startsWith('embedded-sftp-'))
    .flatMap((name) => readdirSync(join(tmpdir(), name)));
beforeEach(async () => {
  vi.stubEnv('TMPDIR', temporary);
  harness = await transferHarness(owner.public);
});
afterEach(async () => {
  await harness[Symbol.asyncDispose]();
  vi.unstubAllEnvs();
});

describe('limits of an SFTP session', () => {
  const climbing = [
    '/sftp/2/1002/imports/6/theirs.csv',
    '/1002/imports/6/theirs.csv',
    '/imports/../../2/1002/imports/6/theirs.csv',
    '/imports/5/../../../../sftp/2/1002/imports/6/theirs.csv',
    '../../../../../../etc/passwd',
    '/imports/5/..\\..\\theirs.csv',
    '//1002//imports//6//theirs.csv',
    '/imports/%2e%2e/%2e%2e/2/theirs.csv',
    `/${BUCKET}/sftp/2/1002/imports/6/theirs.csv`,
    '~other/theirs.csv',
    '/proc/self/environ',
  ];

  it.each(climbing)('a session can neither read, list, move nor remove %s', async (path) => {
    using client = await harness.login();
    const tries = [
      client.read(path),
      client.list(path),
      client.remove(path),
      client.rename(path, '/imports/5/mine.csv'),
      answered((callback) => client.raw.stat(path, callback)),
      answered((callback) => client.raw.lstat(path, callback)),
    ];
    for (const one of tries) expect([NO_SUCH_FILE, PERMISSION_DENIED]).toContain(await outcomeOf(one));
    expect((await harness.s3.get(BUCKET, THEIRS))?.toString()).toBe('theirs');
  });

  it.each([
    '/x.csv',
    '/imports',
    '/imports/x.csv',
    '/1001/x.csv',
    '/imports/5',
    '/imports/5/sub/x.csv',
    '/1002/imports/6/x.csv',
    `/imports/5/${'x'.repeat(1_100)}`,
    '/imports/5/a\0b',
  ])('a session cannot write %s', async (path) => {
    using client = await harness.login();
    const before = harness.s3.list(BUCKET);
    expect([PERMISSION_DENIED, FAILURE, NO_SUCH_FILE]).toContain(await outcomeOf(client.put(path, 'x')));
    expect([harness.s3.list(BUCKET), harness.events]).toEqual([before, []]);
  });

  it.each([
    ['mkdir', '/imports/5/sub'],
    ['mkdir', '/imports/6'],
    ['mkdir', '/new'],
    ['rmdir', '/imports/5'],
    ['rmdir', '/imports'],
  ] as const)('a session cannot change directories: %s %s is refused', async (act, path) => {
    using client = await harness.login();
    expect(await outcomeOf(done((callback) => client.raw[act](path, callback)))).toBe(PERMISSION_DENIED);
    expect(await client.list('/imports')).toEqual(['5']);
  });

  it('links and other unsupported operations are refused as unknown', async () => {
    using client = await harness.login();
    const link = done((callback) => client.raw.symlink('/imports/5/a.csv', '/imports/5/b.csv', callback));
    expect(await outcomeOf(link)).toBe(OP_UNSUPPORTED);
    const target = answered<string>((callback) => client.raw.readlink('/imports/5/a.csv', callback));
    expect(await outcomeOf(target)).toBe(OP_UNSUPPORTED);
  });

  it('a session refuses handles that are not open, and more than a hundred open handles', async () => {
    using client = await harness.login();
    expect(await outcomeOf(client.close(Buffer.from('nope')))).toBe(FAILURE);
    const open = () => outcomeOf(answered<Buffer>((callback) => client.raw.opendir('/', callback)));
    const outcomes = await Promise.all(Array.from({ length: 101 }, open));
    expect(outcomes.filter((outcome) => outcome === FAILURE)).toHaveLength(1);
  });

  it('with a hundred open uploads the next upload is refused and leaves nothing behind', async () => {
    using client = await harness.login();
    const open = (name: string) => client.open(`/imports/5/${name}`);
    const handles = await Promise.all(Array.from({ length: 100 }, (_, index) => open(`${index}.csv`)));
    const waiting = waitingFiles();
    for (let again = 0; again < 5; again += 1)
      expect(await outcomeOf(open(`late-${again}.csv`))).toBe(FAILURE);
    expect(waitingFiles()).toEqual(waiting);
    for (const handle of handles) await client.close(handle);
    expect(waitingFiles().filter((file) => waiting.includes(file))).toEqual([]);
    await client.put('/imports/5/next.csv', 'x');
  });

  it('a connection that does not speak SSH ends only itself', async () => {
    using client = await harness.login();
    const socket = createConnection(harness.transfer.port, '127.0.0.1');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => undefined);
    socket.resume();
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await closed;
    expect(await client.list('/imports')).toEqual(['5']);
  });
});
