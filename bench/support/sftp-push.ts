/** SFTP push: sends files like a delivery, over lines with a delay and no other limit. */
import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { sshKeyPair } from '../../shared/sftp/key-pair.ts';
import type { OutgoingUpload } from '../../shared/sftp/outgoing.ts';
import { sftpPusher } from '../../shared/sftp/push.ts';
import { programPath } from '../../local/test/support/installed.ts';
import { openSftpServer } from '../../test/support/sftp-server.ts';
import { openSshd } from '../../test/support/sshd.ts';
import { openSlowLine } from './slow-line.ts';
import { timed } from './measure.ts';

const MEGABYTE = 1_000_000;

const keys = sshKeyPair(randomBytes(32), 'bench');
const block = randomBytes(MEGABYTE);

/** Bytes of one read of an object. */
const PIECE_BYTES = 65_536;

/** A file in the form of an object's body: the block again and again. */
const fileOf = (name: string, megabytes: number): OutgoingUpload => {
  const bytes = megabytes * MEGABYTE;
  const sha256 = createHash('sha256');
  for (let n = 0; n < megabytes; n += 1) sha256.update(block);
  return {
    ...{
      name,
      directory: null,
      isSuperseded: () => Promise.resolve(false),
      bytes,
      sha256: sha256.digest('hex'),
    },
    async *read(from, to = bytes) {
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

/** Starts a server that takes files over slow lines: OpenSSH, or one in this process where OpenSSH is missing. */
export const openSftpRuns = async () => {
  const receiver = await openReceiver();
  let files = 0;
  return {
    /** Name of the server's software. */
    kind: receiver.kind,
    /**
     * Pushes a file over a line with this round trip, and returns its megabytes a second. Throws when the file did not arrive
     * as it is.
     */
    push: async (megabytes: number, roundTripMs: number): Promise<number> => {
      const file = fileOf(`file-${(files += 1)}.csv`, megabytes);
      await using slow = await openSlowLine({ to: receiver.port, delay: roundTripMs / 2 });
      const target = {
        ...{ host: '127.0.0.1', port: slow.port, username: receiver.username },
        credential: { privateKey: keys.privateKey },
        way: { temporaryName: 'rename', verify: 'size' } as const,
        ...{ pinned: undefined, pin: () => Promise.resolve(true) },
      };
      const { result: outcome, seconds } = await timed(() => push(target, file, Infinity));
      if (outcome.kind !== 'sent') throw new Error(`a push ended as ${outcome.kind}`);
      if ((await receiver.hashOf(file.name)) !== file.sha256)
        throw new Error('a file arrived with other bytes');
      return megabytes / seconds;
    },
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  };
};
