/** SFTP requests: wraps the callbacks of ssh2 in promises with one kind of error. */
import type { SFTPWrapper } from 'ssh2';

/** A failed request; `code` is the SFTP status of the server, absent when the connection failed. */
export class SftpFailedError extends Error {
  override readonly name = 'SftpFailedError';
  readonly code: number | undefined;

  constructor(request: string, cause: unknown) {
    const code =
      cause instanceof Error && 'code' in cause && typeof cause.code === 'number' ? cause.code : undefined;
    super(
      code === undefined ? `the connection broke at ${request}` : `the server refused ${request} (${code})`,
    );
    this.code = code;
  }
}

/** The status of SFTP for a path that does not exist. */
export const NO_SUCH_FILE = 2;

/** The status of SFTP for a request that the server does not know. */
const OP_UNSUPPORTED = 8;

/** The refusal of a request; `undefined` when the server granted it. Other errors, such as a broken connection, are thrown. */
export const refusalOf = async (request: Promise<unknown>): Promise<SftpFailedError | undefined> => {
  try {
    await request;
    return undefined;
  } catch (error) {
    if (error instanceof SftpFailedError && error.code !== undefined) return error;
    throw error;
  }
};

type Done = (error: Error | null | undefined) => void;

const ask = (request: string, send: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    send((error) => (error ? reject(new SftpFailedError(request, error)) : resolve()));
  });

/** SFTP requests as promises. All throw `SftpFailedError`. */
export const requestsOf = (sftp: SFTPWrapper) => ({
  /** Size of a file; `undefined` when there is none. */
  sizeOf: (path: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      sftp.stat(path, (error, stats) => {
        const failed = error ? new SftpFailedError('a look at the file', error) : undefined;
        if (failed === undefined) resolve(stats.size);
        else if (failed.code === NO_SUCH_FILE) resolve(undefined);
        else reject(failed);
      });
    }),
  open: (path: string, flags: 'w' | 'r+' | 'r'): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      sftp.open(path, flags, (error, handle) =>
        error ? reject(new SftpFailedError('to open the file', error)) : resolve(handle),
      );
    }),
  /** Bytes of a file from an offset on; fewer at its end, or when the server sends fewer. */
  readAt: (handle: Buffer, at: number, length: number): Promise<Buffer> =>
    new Promise((resolve, reject) => {
      sftp.read(handle, Buffer.alloc(length), 0, length, at, (error, count, bytes) =>
        error ? reject(new SftpFailedError('a read', error)) : resolve(bytes.subarray(0, count)),
      );
    }),
  write: (handle: Buffer, bytes: Buffer, at: number): Promise<void> =>
    ask('a write', (done) => sftp.write(handle, bytes, 0, bytes.length, at, done)),
  close: (handle: Buffer): Promise<void> => ask('to close the file', (done) => sftp.close(handle, done)),
  remove: (path: string): Promise<void> => ask('to remove the file', (done) => sftp.unlink(path, done)),
  makeDirectory: (path: string): Promise<void> =>
    ask('to make the directory', (done) => sftp.mkdir(path, done)),
  rename: (from: string, to: string): Promise<void> =>
    ask('the rename', (done) => sftp.rename(from, to, done)),
  /** Renames a file and replaces an existing file: an extension of OpenSSH that other servers may lack. */
  replace: (from: string, to: string): Promise<void> =>
    ask('the rename', (done) => {
      try {
        sftp.ext_openssh_rename(from, to, done);
      } catch {
        done(Object.assign(new Error('not supported'), { code: OP_UNSUPPORTED }));
      }
    }),
});
export type SftpRequests = ReturnType<typeof requestsOf>;
