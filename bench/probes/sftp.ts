/**
 * Speed of SFTP pushes: `node bench/probes/sftp.ts [megabytes]`. Pushes a file to OpenSSH (or to a server in this process where
 * OpenSSH is missing) like a delivery, over lines with a delay of 0, 20 and 40 ms per direction and no other limit, and
 * over a line that breaks in the middle. Verifies each file on the server.
 */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { table as printTable } from '../../cli/terminal.ts';
import { sshKeyPair } from '../../shared/sftp/key-pair.ts';
import type { OutgoingUpload } from '../../shared/sftp/outgoing.ts';
import { sftpPusher } from '../../shared/sftp/push.ts';
import { openCuttingProxy } from '../../test/support/cutting-proxy.ts';
import { programPath } from '../../test/support/installed.ts';
import { openSftpServer } from '../../test/support/sftp-server.ts';
import { openSshd } from '../../test/support/sshd.ts';
import { openSlowLine } from '../support/slow-line.ts';

const megabytes = Number(process.argv[2] ?? 256);
const MEGABYTE = 1_000_000;
const ROUND_TRIPS = [0, 20, 40];

const keys = sshKeyPair(randomBytes(32), 'bench');
const block = randomBytes(MEGABYTE);

/** Bytes of one read of an object. */
const PIECE_BYTES = 65_536;

/** A file in the form of an object's body: the block again and again. */
const fileOf = (name: string): OutgoingUpload & { reads: number[] } => {
  const reads: number[] = [];
  const bytes = megabytes * MEGABYTE;
  const sha256 = createHash('sha256');
  for (let n = 0; n < megabytes; n += 1) sha256.update(block);
  return {
    ...{
      name,
      directory: null,
      isSuperseded: () => Promise.resolve(false),
      bytes,
      reads,
      sha256: sha256.digest('hex'),
    },
    async *read(from, to = bytes) {
      reads.push(from);
      await Promise.resolve();
      for (let at = from; at < to;) {
        const start = at % MEGABYTE;
        const piece = block.subarray(start, Math.min(start + PIECE_BYTES, start + to - at));
        yield piece;
        at += piece.length;
      }
    },
  };
};

/** The server that receives the files. */
interface Receiver extends AsyncDisposable {
  readonly kind: string;
  readonly port: number;
  readonly username: string;
  /** SHA-256 of a file on the server. */
  hashOf(name: string): Promise<string>;
}

const openReceiver = async (): Promise<Receiver> => {
  const path = programPath('sshd');
  if (path === undefined) {
    const server = await openSftpServer();
    const hashOf = (name: string) =>
      Promise.resolve(
        createHash('sha256')
          .update(server.files.get(name) ?? '')
          .digest('hex'),
      );
    const { port } = server;
    return {
      kind: 'ssh2',
      port,
      username: 'bench',
      hashOf,
      [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
    };
  }
  const sshd = await openSshd(path);
  await sshd.authorize(keys.publicKey);
  return {
    kind: 'OpenSSH',
    port: Number(sshd.domain.split(':')[1]),
    username: sshd.username,
    hashOf: async (name) => {
      const hash = createHash('sha256');
      await pipeline(createReadStream(join(sshd.folder, name)), hash);
      return hash.digest('hex');
    },
    [Symbol.asyncDispose]: () => sshd[Symbol.asyncDispose](),
  };
};

const push = sftpPusher({
  resolve: () => Promise.resolve(['127.0.0.1']),
  privateTargets: 'loopback',
  clock: () => Date.now(),
  random: Math.random,
});

/** One attempt over a line with a delay: its result, and its elapsed and processor seconds. */
const attempt = async (to: number, file: OutgoingUpload, delay: number) => {
  await using slow = await openSlowLine({ to, delay });
  const target = {
    ...{ host: '127.0.0.1', port: slow.port, username: receiver.username },
    credential: { kind: 'key', privateKey: keys.privateKey } as const,
    ...{ pinned: undefined, pin: () => Promise.resolve(true) },
  };
  const [started, used] = [performance.now(), process.threadCpuUsage()];
  const outcome = await push(target, file, Infinity);
  const { user, system } = process.threadCpuUsage(used);
  return { outcome, wall: (performance.now() - started) / 1000, cpu: (user + system) / 1e6 };
};

await using receiver = await openReceiver();
const check = async ({ name, sha256 }: OutgoingUpload): Promise<void> => {
  if ((await receiver.hashOf(name)) !== sha256) throw new Error(`${name} arrived with other bytes`);
};
const lines: [string, string][] = [['file', `${megabytes} MB to ${receiver.kind}`]];
for (const milliseconds of ROUND_TRIPS) {
  const file = fileOf(`at-${milliseconds}.csv`);
  const { outcome, wall, cpu } = await attempt(receiver.port, file, milliseconds / 2);
  if (outcome.kind !== 'sent') throw new Error(`the push at ${milliseconds} ms ended as ${outcome.kind}`);
  await check(file);
  lines.push([
    `at ${milliseconds} ms`,
    `${(megabytes / wall).toFixed(0)} MB/s, ${wall.toFixed(1)} s, ${cpu.toFixed(1)} s of processor time`,
  ]);
}
const file = fileOf('cut.csv');
await using proxy = await openCuttingProxy(receiver.port);
proxy.cutAfter = (megabytes * MEGABYTE) / 2;
const cut = await attempt(proxy.port, file, 20);
if (cut.outcome.kind !== 'failed') throw new Error(`the push that was cut ended as ${cut.outcome.kind}`);
const rest = await attempt(receiver.port, file, 20);
if (rest.outcome.kind !== 'sent') throw new Error(`the push after a cut ended as ${rest.outcome.kind}`);
await check(file);
const from = file.reads.at(-1) ?? 0;
lines.push([
  'cut off in the middle',
  `continued at ${(from / MEGABYTE).toFixed(0)} MB, ${((megabytes - from / MEGABYTE) / rest.wall).toFixed(0)} MB/s`,
]);
printTable(lines);
