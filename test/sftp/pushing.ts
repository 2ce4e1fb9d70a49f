import { createHash } from 'node:crypto';
import { sshKeyPair } from '../../shared/sftp/key-pair.ts';
import type { OutgoingUpload } from '../../shared/sftp/outgoing.ts';
import type { SftpTarget } from '../../shared/sftp/pinned-session.ts';
import { type PushOutcome, sftpPusher } from '../../shared/sftp/push.ts';
import { type Sshd, type SshdOptions, openSshd } from '../support/sshd.ts';

/** Our key pair. */
export const keys = sshKeyPair(new Uint8Array(32).fill(7), 'tidemark-export-1');

interface TestFile extends OutgoingUpload {
  readonly content: Buffer;
  readonly reads: number[];
}

/** A file to push, with a record of the offsets at which it was read. */
export const fileOf = (bytes: Buffer, name = '1-2.csv', directory: string | null = null): TestFile => {
  const reads: number[] = [];
  return {
    name,
    directory,
    content: bytes,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    reads,
    isSuperseded: () => Promise.resolve(false),
    async *read(from, to = bytes.length) {
      reads.push(from);
      await Promise.resolve();
      for (let at = from; at < to; at += 65_000) yield bytes.subarray(at, Math.min(to, at + 65_000));
    },
  };
};

/** The name of the partial file on the server. */
export const leftName = ({ name, sha256 }: OutgoingUpload): string => `.${name}.${sha256.slice(0, 16)}.part`;

/** A pusher to this machine by the system's clock, apart from what is named. */
export const pusherWith = (more: Partial<Parameters<typeof sftpPusher>[0]> = {}) =>
  sftpPusher({
    resolve: () => Promise.resolve(['127.0.0.1']),
    privateTargets: 'loopback',
    clock: () => Date.now(),
    random: Math.random,
    ...more,
  });
export const push = pusherWith();

/** The deadline of an attempt that has time enough. */
export const later = (): number => Date.now() + 60_000;

/** A server on this machine that accepts our key. The push pins the server's key at the first contact. */
export const targetOf = (port: number, more: Partial<SftpTarget> = {}): SftpTarget => ({
  host: '127.0.0.1',
  port,
  username: 'receiver',
  credential: { privateKey: keys.privateKey },
  way: { temporaryName: 'rename', verify: 'size' },
  pinned: undefined,
  pin: () => Promise.resolve(true),
  ...more,
});

/** The failure of a push, or its outcome. */
export const reasonOf = (outcome: PushOutcome): string =>
  outcome.kind === 'failed' ? outcome.reason : outcome.kind;

/** OpenSSH that takes our key, and a target there. */
export const serverOf = async (path: string, options: SshdOptions = {}): Promise<Sshd> => {
  const sshd = await openSshd(path, options);
  await sshd.authorize(keys.publicKey);
  return sshd;
};
export const at = (sshd: Sshd, more: Partial<SftpTarget> = {}): SftpTarget =>
  targetOf(Number(sshd.domain.split(':')[1]), { username: sshd.username, ...more });
