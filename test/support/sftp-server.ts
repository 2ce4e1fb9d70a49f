import { createServer, type Server } from 'node:net';
import ssh2 from 'ssh2';
import type { AuthContext, AuthenticationType, Connection, Prompt, SFTPWrapper } from 'ssh2';
import { listen } from '../../local/core/loopback.ts';
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
  /** Breaks off instead of answering this rename of a session, counted from 1. */
  cutAtRename?: number;
  /** Takes this password and no key. */
  password?: string;
  /** Takes a key, and this password after it. */
  passwordToo?: string;
  /** Asks these questions in a dialogue, and takes the password for the first and `code` for the others. */
  questions?: readonly Prompt[];
  /** Takes keys, but not ours. */
  refusesKeys?: boolean;
  /** Refuses these requests. */
  refuses?: readonly ('STAT' | 'RENAME' | 'REMOVE')[];
  /** `objects`, as AWS Transfer Family: opens no file for more bytes. `files`: opens no file that exists for writing. */
  keeps?: 'objects' | 'files';
  /** Takes each file as soon as it is closed; `taken` has what it took. */
  takesFiles?: boolean;
  /** Files can be neither written nor made. */
  isReadOnly?: boolean;
}

/** Opens a server in this process, on a free port of loopback, with its files in memory. */
export const openSftpServer = async () => {
  const files = new Map<string, Buffer>();
  const mischief: Mischief = {};
  const state: Disk['state'] = { received: 0, logins: 0, taken: [] };
  const newServer = (): Server => {
    const seed = crypto.getRandomValues(new Uint8Array(32));
    const ssh = new ssh2.Server({ hostKeys: [sshKeyPair(seed, 'host').privateKey] }, (client) => {
      client.on('error', () => undefined);
      let hasShownKey = false;
      client.on('authentication', (auth) => {
        const admit = (): void => {
          if (auth.method !== 'publickey' || auth.signature) state.logins += 1;
          auth.accept();
        };
        const isKeyShown = auth.method === 'publickey' && mischief.refusesKeys !== true;
        if (mischief.passwordToo !== undefined && isKeyShown && !hasShownKey) {
          hasShownKey = auth.signature !== undefined;
          if (hasShownKey) auth.reject(['password'], true);
          else auth.accept();
          return;
        }
        judge(auth, { mischief, hasShownKey, admit });
      });
      client.on('session', (accept) => {
        accept().on('sftp', (open) => serve(open(), client, { files, mischief, state }));
      });
    });
    // Answers are small: without noDelay each would wait until the client acknowledges the one before, for 40 ms.
    return createServer({ noDelay: true }, (socket) => ssh.injectSocket(socket));
  };
  let server = newServer();
  const port = await listen(server);
  return {
    port,
    files,
    mischief,
    /** The names and bytes of the files that it took, in order. */
    taken: state.taken,
    /** Bytes of files that it was ever sent. */
    received: () => state.received,
    logins: () => state.logins,
    changeHostKey: () => {
      server.close();
      server = newServer();
      void listen(server, port);
    },
    [Symbol.asyncDispose]: () => {
      server.close();
      return Promise.resolve();
    },
  };
};
export type SftpServer = Awaited<ReturnType<typeof openSftpServer>>;

interface Disk {
  readonly files: Map<string, Buffer>;
  readonly mischief: Mischief;
  readonly state: { received: number; logins: number; readonly taken: [string, Buffer][] };
}

/** Admits or refuses a login that is not half done. */
const judge = (
  auth: AuthContext,
  { mischief, hasShownKey, admit }: { mischief: Mischief; hasShownKey: boolean; admit: () => void },
): void => {
  const { passwordToo, questions, refusesKeys } = mischief;
  const password = hasShownKey ? passwordToo : mischief.password;
  const decide = (isRight: boolean, method: AuthenticationType): void => {
    if (isRight) admit();
    else auth.reject([method]);
  };
  if (questions !== undefined) {
    if (auth.method === 'keyboard-interactive')
      auth.prompt([...questions], (answers) =>
        decide(
          questions.every((_, n) => answers[n] === (n === 0 ? password : 'code')),
          'keyboard-interactive',
        ),
      );
    else auth.reject(['keyboard-interactive']);
  } else if (password === undefined) {
    decide(auth.method === 'publickey' && refusesKeys !== true, 'publickey');
  } else {
    decide(auth.method === 'password' && auth.password === password, 'password');
  }
};

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
  let renamesInSession = 0;
  const isRefused = (id: number, request: 'STAT' | 'RENAME' | 'REMOVE'): boolean => {
    const refused = mischief.refuses?.includes(request) === true;
    if (refused) sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
    return refused;
  };
  sftp.on('OPEN', (id, name, flags) => {
    if (mischief.hangsAt === 'OPEN') return;
    if (mischief.isReadOnly === true) {
      sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
      return;
    }
    const { WRITE, TRUNC } = ssh2.utils.sftp.OPEN_MODE;
    const isKept = mischief.keeps === 'files' ? files.has(name) : (flags & TRUNC) === 0;
    if (mischief.keeps !== undefined && isKept && (flags & WRITE) !== 0) {
      sftp.status(id, STATUS_CODE.OP_UNSUPPORTED);
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
  sftp.on('CLOSE', (id, handle) => {
    if (mischief.hangsAt === 'CLOSE') return;
    const name = handles.get(handle[0] ?? -1) ?? '';
    const closed = files.get(name);
    if (mischief.takesFiles === true && closed) {
      state.taken.push([name, closed]);
      files.delete(name);
    }
    sftp.status(id, STATUS_CODE.OK);
  });
  sftp.on('STAT', (id, name) => {
    if (isRefused(id, 'STAT')) return;
    const file = files.get(name);
    if (file) sftp.attrs(id, attrs(Math.max(0, file.length - (mischief.losesBytes ?? 0))));
    else sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on('REMOVE', (id, name) => {
    if (isRefused(id, 'REMOVE')) return;
    sftp.status(id, files.delete(name) ? STATUS_CODE.OK : STATUS_CODE.NO_SUCH_FILE);
  });
  sftp.on('RENAME', (id, from, to) => {
    if (mischief.hangsAt === 'RENAME') return;
    renamesInSession += 1;
    if (renamesInSession === mischief.cutAtRename) return void client.end();
    if (isRefused(id, 'RENAME')) return;
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
