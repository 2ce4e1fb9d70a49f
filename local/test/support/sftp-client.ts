import ssh2 from 'ssh2';
import type { ConnectConfig, OpenMode, SFTPWrapper } from 'ssh2';

/** A client of an SFTP server, with promises. A refusal rejects with the status that the server gave as `code`. */
export interface SftpClient extends Disposable {
  put(path: string, bytes: string | Buffer): Promise<void>;
  read(path: string): Promise<Buffer>;
  /** Names in a directory, sorted. */
  list(path: string): Promise<readonly string[]>;
  rename(from: string, to: string): Promise<void>;
  remove(path: string): Promise<void>;
  /** Opens a file, and returns its handle. */
  open(path: string, flags?: OpenMode | number): Promise<Buffer>;
  write(handle: Buffer, bytes: string, offset?: number): Promise<void>;
  close(handle: Buffer): Promise<void>;
  /** Tries directories, links and other operations that the server must refuse. */
  readonly raw: SFTPWrapper;
  /** Cuts the connection, as a lost network does. */
  cut(): void;
}

/** Where to log in, and as whom. */
export type Login = Pick<ConnectConfig, 'port' | 'username' | 'password' | 'privateKey'>;

/** Turns a function whose callback brings a value into a promise. */
export const answered = <T>(act: (done: (error: unknown, value: T) => void) => unknown): Promise<T> =>
  new Promise((resolve, reject) => {
    act((error, value) => {
      if (error) reject(asError(error));
      else resolve(value);
    });
  });

/** Turns a function whose callback brings nothing but an error into a promise. */
export const done = (act: (callback: (error?: unknown) => void) => unknown): Promise<void> =>
  new Promise((resolve, reject) => {
    act((error) => {
      if (error) reject(asError(error));
      else resolve();
    });
  });

const asError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)));

/** Logs in over SFTP; rejects when nobody is let in. */
export const sftpClient = async (login: Login): Promise<SftpClient> => {
  const client = new ssh2.Client();
  // The server may reset a connection that it has refused or that is over.
  client.on('error', () => undefined);
  await new Promise<void>((resolve, reject) => {
    client.once('ready', resolve);
    client.once('error', reject);
    // Any host key will do for a server that this test has just started.
    client.connect({ host: '127.0.0.1', readyTimeout: 20_000, hostVerifier: () => true, ...login });
  });
  // A read is a small request. Without this it would wait for the acknowledgement of the request before, for 40 ms.
  client.setNoDelay(true);
  const raw = await answered<SFTPWrapper>((callback) => client.sftp(callback));
  return {
    raw,
    put: (path, bytes) => done((callback) => raw.writeFile(path, bytes, callback)),
    read: (path) => answered<Buffer>((callback) => raw.readFile(path, callback)),
    list: async (path) => {
      const entries = await answered<{ filename: string }[]>((callback) => raw.readdir(path, callback));
      return entries.map(({ filename }) => filename).toSorted();
    },
    rename: (from, to) => done((callback) => raw.rename(from, to, callback)),
    remove: (path) => done((callback) => raw.unlink(path, callback)),
    open: (path, flags = 'w') => answered<Buffer>((callback) => raw.open(path, flags, callback)),
    write: (handle, bytes, offset = 0) => {
      const sent = Buffer.from(bytes);
      return done((callback) => raw.write(handle, sent, 0, sent.length, offset, callback));
    },
    close: (handle) => done((callback) => raw.close(handle, callback)),
    cut: () => client.destroy(),
    [Symbol.dispose]: () => client.end(),
  };
};

/** The status of a refusal, or `done` when there was none. */
export const outcomeOf = (doing: Promise<unknown>): Promise<unknown> =>
  doing.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
