import { once } from 'node:events';
import ssh2 from 'ssh2';
import type { Connection, SFTPWrapper } from 'ssh2';
import { sshKeyPair } from '../../shared/sftp/key-pair.ts';

const { STATUS_CODE } = ssh2.utils.sftp;

/** Server behaviour that the client must tolerate. Well behaved by default. */
export interface Mischief {
  /** Files can be written, and not read. */
  hidesFiles?: boolean;
  /** Bytes that fit its disk. */
  diskBytes?: number;
  /** Cuts the connection once it has received so many bytes of a file. */
  cutAfter?: number;
  /** Cuts the connection instead of answering this read of a session, counted from 1. */
  cutAtRead?: number;
  /** Says of each file that it is so many bytes shorter than it was sent. */
  losesBytes?: number;
  /** Says nothing more from the first request of this kind on. */
  hangsAt?: 'OPEN' | 'WRITE' | 'CLOSE' | 'RENAME';
  /** Breaks off instead of renaming. */
  cutAtRename?: boolean;
  /** Takes this password and no key. */
  password?: string;
  /** Files can be neither written nor made. */
  isReadOnly?: boolean;
}

/** A server in this process, with its files in memory. */
export interface SftpServer extends AsyncDisposable {
  readonly port: number;
  readonly files: Map<string, Buffer>;
  readonly mischief: Mischief;
  /** Bytes of files that it was ever sent. */
  received(): number;
  logins(): number;
  changeHostKey(): void;
}

/** Opens a server on a free port of loopback. */
export const openSftpServer = async (): Promise<SftpServer> => {
  const files = new Map<string, Buffer>();
  const mischief: Mischief = {};
  const state = { received: 0, logins: 0 };
  const newServer = (): ssh2.Server => {
    const seed = crypto.getRandomValues(new Uint8Array(32));
    return new ssh2.Server({ hostKeys: [sshKeyPair(seed, 'host').privateKey] }, (client) => {
      client.on('error', () => undefined);
      client.on('authentication', (auth) => {
        const { password } = mischief;
        const isKnown =
          password === undefined
            ? auth.method === 'publickey'
            : auth.method === 'password' && auth.password === password;
        if (!isKnown) {
          auth.reject([password === undefined ? 'publickey' : 'password']);
          return;
        }
        if (auth.method === 'password' || (auth.method === 'publickey' && auth.signature)) state.logins += 1;
        auth.accept();
      });
      client.on('session', (accept) => {
        accept().on('sftp', (open) => serve(open(), client, { files, mischief, state }));
      });
    });
  };
  let server = newServer();
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const port = await listen(0);
  return {
    port,
    files,
    mischief,
    received: () => state.received,
    logins: () => state.logins,
    changeHostKey: () => {
      server.close();
      server = newServer();
      void listen(port);
    },
    [Symbol.asyncDispose]: () => {
      server.close();
      return Promise.resolve();
    },
  };
};

interface Disk {
  readonly files: Map<string, Buffer>;
  readonly mischief: Mischief;
  readonly state: { received: number };
}

/** The same file with more capacity; the added bytes are zero. */
const enlarged = (old: Buffer, size: number): Buffer => {
  if (size <= old.buffer.byteLength) return Buffer.from(old.buffer, 0, size);
  const larger = Buffer.from(new ArrayBuffer(Math.max(size, 2 * old.length, 1_000_000)));
  old.copy(larger);
  return larger.subarray(0, size);
};

const serve = (sftp: SFTPWrapper, client: Connection, { files, mischief, state }: Disk): void => {
  const used = (): number => [...files.values()].reduce((sum, file) => sum + file.length, 0);
  const handles = new Map<number, string>();
  const attrs = (size: number) => ({ mode: 0o100644, uid: 0, gid: 0, size, atime: 0, mtime: 0 });
  let inSession = 0;
  let readsInSession = 0;
  sftp.on('OPEN', (id, name, flags) => {
    if (mischief.hangsAt === 'OPEN') return;
    if (mischief.isReadOnly === true) {
      sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
      return;
    }
    const handle = handles.size;
    handles.set(handle, name);
    if ((flags & ssh2.utils.sftp.OPEN_MODE.TRUNC) !== 0 || !files.has(name))
      files.set(name, Buffer.from(new ArrayBuffer(0)));
    sftp.handle(id, Buffer.from([handle]));
  });
  sftp.on('WRITE', (id, handle, offset, data) => {
    if (mischief.hangsAt === 'WRITE') return;
    const name = handles.get(handle[0] ?? -1) ?? '';
    const old = files.get(name) ?? Buffer.from(new ArrayBuffer(0));
    const grows = Math.max(0, offset + data.length - old.length);
    if (used() + grows > (mischief.diskBytes ?? Infinity)) {
      sftp.status(id, STATUS_CODE.FAILURE);
      return;
    }
    inSession += data.length;
    if (inSession > (mischief.cutAfter ?? Infinity)) return void client.end();
    state.received += data.length;
    const grown = enlarged(old, old.length + grows);
    data.copy(grown, offset);
    files.set(name, grown);
    sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on('READ', (id, handle, offset, length) => {
    readsInSession += 1;
    if (readsInSession >= (mischief.cutAtRead ?? Infinity)) return void client.end();
    const bytes = files.get(handles.get(handle[0] ?? -1) ?? '')?.subarray(offset, offset + length);
    if (mischief.hidesFiles === true) sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
    else if (bytes && bytes.length > 0) sftp.data(id, bytes);
    else sftp.status(id, STATUS_CODE.EOF);
  });
  sftp.on('CLOSE', (id) => {
    if (mischief.hangsAt !== 'CLOSE') sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on('STAT', (id, name) => {
    const file = files.get(name);
    if (file) sftp.attrs(id, attrs(Math.max(0, file.length - (mischief.losesBytes ?? 0))));
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on('REMOVE', (id, name) => {
    sftp.status(id, files.delete(name) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on('RENAME', (id, from, to) => {
    if (mischief.hangsAt === 'RENAME') return;
    if (mischief.cutAtRename) return void client.end();
    const file = files.get(from);
    if (!file || files.has(to)) {
      sftp.status(id, STATUS_CODE.FAILURE);
      return;
    }
    files.delete(from);
    files.set(to, file);
    sftp.status(id, STATUS_CODE.OK);
  });
};
