import ssh2 from 'ssh2';
import type { ConnectConfig, OpenMode, SFTPWrapper } from 'ssh2';

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

/**
 * Logs in over SFTP, and returns a client with promises. Rejects when nobody is let in; a refusal later rejects with the status
 * that the server gave as `code`.
 */
export const sftpClient = async (login: Login) => {
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
    /** Tries directories, links and other operations that the server must refuse. */
    raw,
    put: (path: string, bytes: string | Buffer) => done((callback) => raw.writeFile(path, bytes, callback)),
    read: (path: string) => answered<Buffer>((callback) => raw.readFile(path, callback)),
    /** Names in a directory, sorted. */
    list: async (path: string) => {
      const entries = await answered<{ filename: string }[]>((callback) => raw.readdir(path, callback));
      return entries.map(({ filename }) => filename).toSorted();
    },
    rename: (from: string, to: string) => done((callback) => raw.rename(from, to, callback)),
    remove: (path: string) => done((callback) => raw.unlink(path, callback)),
    /** Opens a file, and returns its handle. */
    open: (path: string, flags: OpenMode | number = 'w') =>
      answered<Buffer>((callback) => raw.open(path, flags, callback)),
    write: (handle: Buffer, bytes: string, offset = 0) => {
      const sent = Buffer.from(bytes);
      return done((callback) => raw.write(handle, sent, 0, sent.length, offset, callback));
    },
    close: (handle: Buffer) => done((callback) => raw.close(handle, callback)),
    /** Cuts the connection, as a lost network does. */
    cut: () => void client.destroy(),
    [Symbol.dispose]: () => void client.end(),
  };
};

/** The status of a refusal, or `done` when there was none. */
export const outcomeOf = (doing: Promise<unknown>): Promise<unknown> =>
  doing.then(
    () => 'done',
    (error: unknown) => (error instanceof Error && 'code' in error ? error.code : error),
  );
