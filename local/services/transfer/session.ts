import ssh2, { type Attributes, type SFTPWrapper } from 'ssh2';
import type { FileDeed } from '../events/file-transfer.ts';
import type { DirectCalls, Listed } from '../s3/direct.ts';
import { ServiceError } from '../../core/service-error.ts';
import { absolute, entriesIn, entryAt, onObject, placeOf, type Entry, type Place } from './directories.ts';
import { attributesOf, longName } from './entries.ts';
import type { Identity, Permit } from './identity.ts';
import { beginUpload, type Upload } from './upload.ts';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

/** What a session works with. */
export interface SessionParts {
  readonly s3: DirectCalls;
  readonly identity: Identity;
  readonly permit: Permit;
  /** Folder for files on their way in. */
  readonly folder: string;
  readonly now: () => number;
  /** Tells the world what was done to a file, begun at `started`. */
  readonly announce: (started: number, deed: FileDeed) => void;
}

/** A request that is answered with this status. */
class Refusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const nothing = () => new Refusal(STATUS_CODE.NO_SUCH_FILE, 'No such file or directory');
const failure = (message: string) => new Refusal(STATUS_CODE.FAILURE, message);

/** A file that is read, and how many bytes were taken of it. */
interface Reading {
  readonly kind: 'file';
  readonly bucket: string;
  readonly key: string;
  readonly version: Listed;
  readonly started: number;
  taken: number;
}

type Open =
  | { readonly kind: 'upload'; readonly upload: Upload }
  | Reading
  | { readonly kind: 'directory'; readonly entries: readonly Entry[]; read: boolean };

/** As many as OpenSSH's own server gives out. */
const MOST_OPEN = 100;
const READ_BYTES = 256 * 1024;

/**
 * Answers the requests of one SFTP session, one after the other, as Transfer Family does on S3: an upload becomes an object
 * when it is closed, and is told of. Resolves once the session is over; what was still open then is put as far as it came,
 * and told of as broken.
 */
export const serveSession = (sftp: SFTPWrapper, parts: SessionParts): Promise<void> => {
  const { s3, identity, permit, now, announce } = parts;
  const opened = new Map<number, Open>();
  let handles = 0;
  let queue = Promise.resolve();
  const answer = (id: number, act: () => Promise<void> | void): void => {
    queue = queue.then(act).catch((error: unknown) => refuse(sftp, id, error));
  };
  /** To be asked before anything is opened: what was opened could not be handed out. */
  const requireRoom = (): void => {
    if (opened.size >= MOST_OPEN) throw failure('Too many open files');
  };
  const hold = (id: number, one: Open): void => {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE((handles += 1));
    opened.set(handles, one);
    sftp.handle(id, handle);
  };
  const held = (handle: Buffer): Open => {
    const one = handle.length === 4 ? opened.get(handle.readUInt32BE()) : undefined;
    if (!one) throw failure('The handle is not open');
    return one;
  };
  const done = (id: number): void => sftp.status(id, STATUS_CODE.OK);
  const objectAt = (path: string): Extract<Place, { kind: 's3' }> => {
    const place = placeOf(identity, path);
    if (place?.kind !== 's3' || place.root) throw denied();
    return place;
  };

  const open = async (id: number, path: string, flags: number): Promise<void> => {
    requireRoom();
    const { bucket, key } = objectAt(path);
    const there = s3.find(bucket, key);
    if ((flags & OPEN_MODE.WRITE) === 0) {
      permit(onObject('s3:GetObject', bucket, key));
      if (!there) throw nothing();
      hold(id, { kind: 'file', bucket, key, version: there, started: now(), taken: 0 });
      return;
    }
    permit(onObject('s3:PutObject', bucket, key));
    checkWritable(flags, there, s3.list(bucket, `${key}/`).length > 0);
    const replaced = (flags & OPEN_MODE.TRUNC) === 0 ? there : undefined;
    const upload = await beginUpload(s3, parts.folder, { bucket, key, started: now() }, replaced);
    hold(id, { kind: 'upload', upload });
  };
  /** A file that was opened and not read was not taken. */
  const tellRead = ({ bucket, key, version, started, taken }: Reading): void => {
    if (taken === 0 && version.size > 0) return;
    const kind = taken < version.size ? 'partly_read' : 'read';
    announce(started, { kind, path: `/${bucket}/${key}`, bytes: taken });
  };
  const close = async (id: number, handle: Buffer): Promise<void> => {
    const one = held(handle);
    opened.delete(handle.readUInt32BE());
    if (one.kind === 'upload') {
      const { bucket, key, size, etag } = await one.upload.put();
      announce(one.upload.started, { kind: 'sent', path: `/${bucket}/${key}`, bytes: size, etag });
    } else if (one.kind === 'file') tellRead(one);
    done(id);
  };
  const write = async (id: number, handle: Buffer, offset: number, data: Buffer): Promise<void> => {
    const one = held(handle);
    if (one.kind !== 'upload') throw failure('The file is open for reading');
    await one.upload.write(offset, data);
    done(id);
  };
  const read = async (id: number, handle: Buffer, offset: number, length: number): Promise<void> => {
    const one = held(handle);
    if (one.kind !== 'file') throw failure('The file is open for writing');
    const end = Math.min(offset + Math.min(length, READ_BYTES), one.version.size);
    if (offset >= end) {
      sftp.status(id, STATUS_CODE.EOF);
      return;
    }
    sftp.data(id, await s3.range(one.bucket, one.version, offset, end - 1));
    one.taken += end - offset;
  };
  const list = (id: number, handle: Buffer): void => {
    const one = held(handle);
    if (one.kind !== 'directory') throw failure('The handle is no directory');
    if (one.read || one.entries.length === 0) sftp.status(id, STATUS_CODE.EOF);
    else sftp.name(id, one.entries.map(named));
    one.read = true;
  };
  /** The upload of this session that is under way at a place; the newest, when there are several. */
  const uploadAt = (place: Place): Upload | undefined =>
    [...opened.values()]
      .flatMap((one) => (one.kind === 'upload' ? [one.upload] : []))
      .findLast(({ bucket, key }) => place.kind === 's3' && place.bucket === bucket && place.key === key);
  const stat = (id: number, path: string): void => {
    const place = placeOf(identity, path);
    const entry = place && entryAt(s3, permit, place);
    // Clients that mount the directory ask for a file as soon as they have opened it.
    const upload = place && uploadAt(place);
    if (upload) sftp.attrs(id, attributesOf(fileOf(upload.size())));
    else if (entry) sftp.attrs(id, attributesOf(entry));
    else throw nothing();
  };
  const resize = async (id: number, upload: Upload | undefined, size: number): Promise<void> => {
    await upload?.resize(size);
    done(id);
  };
  /** S3 has neither times nor modes to set: they are overlooked. Only a file on its way in has a size to set. */
  const setStat = (id: number, path: string, { size }: Partial<Attributes>): Promise<void> | void => {
    const place = placeOf(identity, path);
    const upload = place && uploadAt(place);
    if (size === undefined) done(id);
    else if (upload) return resize(id, upload, size);
    else throw whole();
  };
  const setFileStat = (id: number, handle: Buffer, { size }: Partial<Attributes>): Promise<void> | void => {
    const one = held(handle);
    if (size === undefined) done(id);
    else if (one.kind === 'upload') return resize(id, one.upload, size);
    else throw whole();
  };
  const fileOf = (size: number): Entry => ({ name: '', directory: false, size, modified: now() });
  const remove = (id: number, path: string): void => {
    const { bucket, key } = objectAt(path);
    permit(onObject('s3:DeleteObject', bucket, key));
    if (!s3.find(bucket, key)) throw nothing();
    s3.remove(bucket, key);
    announce(now(), { kind: 'removed', path: `/${bucket}/${key}` });
    done(id);
  };
  const rename = async (id: number, from: string, to: string): Promise<void> => {
    const [source, target] = [objectAt(from), objectAt(to)];
    const started = now();
    permit(onObject('s3:GetObject', source.bucket, source.key));
    permit(onObject('s3:PutObject', target.bucket, target.key));
    permit(onObject('s3:DeleteObject', source.bucket, source.key));
    if (!s3.find(source.bucket, source.key)) throw nothing();
    if (s3.list(target.bucket, `${target.key}/`).length > 0)
      throw failure('There is a directory of this name');
    if (source.key !== target.key) {
      await s3.copy(source.bucket, source.key, target.key);
      s3.remove(source.bucket, source.key);
      const paths = { from: `/${source.bucket}/${source.key}`, to: `/${target.bucket}/${target.key}` };
      announce(started, { kind: 'renamed', ...paths });
    }
    done(id);
  };
  const makeFolder = async (id: number, path: string): Promise<void> => {
    const { bucket, key } = objectAt(path);
    permit(onObject('s3:PutObject', bucket, `${key}/`));
    await s3.put(bucket, `${key}/`, Buffer.alloc(0));
    done(id);
  };
  const removeFolder = (id: number, path: string): void => {
    const { bucket, key } = objectAt(path);
    permit(onObject('s3:DeleteObject', bucket, `${key}/`));
    s3.remove(bucket, `${key}/`);
    done(id);
  };
  const openFolder = (id: number, path: string): void => {
    requireRoom();
    const place = placeOf(identity, path);
    const entries = place && entriesIn(s3, permit, place);
    if (!entries) throw nothing();
    hold(id, { kind: 'directory', entries, read: false });
  };
  const fileStat = (id: number, handle: Buffer): void => {
    const one = held(handle);
    const size = one.kind === 'upload' ? one.upload.size() : one.kind === 'file' ? one.version.size : 0;
    sftp.attrs(id, attributesOf({ name: '', directory: one.kind === 'directory', size, modified: now() }));
  };

  sftp.on('OPEN', (id, path, flags) => answer(id, () => open(id, path, flags)));
  sftp.on('CLOSE', (id, handle) => answer(id, () => close(id, handle)));
  sftp.on('WRITE', (id, handle, offset, data) => answer(id, () => write(id, handle, offset, data)));
  sftp.on('READ', (id, handle, offset, length) => answer(id, () => read(id, handle, offset, length)));
  sftp.on('OPENDIR', (id, path) => answer(id, () => openFolder(id, path)));
  sftp.on('READDIR', (id, handle) => answer(id, () => list(id, handle)));
  sftp.on('STAT', (id, path) => answer(id, () => stat(id, path)));
  sftp.on('LSTAT', (id, path) => answer(id, () => stat(id, path)));
  sftp.on('FSTAT', (id, handle) => answer(id, () => fileStat(id, handle)));
  sftp.on('SETSTAT', (id, path, attributes) => answer(id, () => setStat(id, path, attributes)));
  sftp.on('FSETSTAT', (id, handle, attributes) => answer(id, () => setFileStat(id, handle, attributes)));
  sftp.on('REALPATH', (id, path) =>
    answer(id, () => sftp.name(id, [named({ name: absolute(path), directory: true, size: 0, modified: 0 })])),
  );
  sftp.on('REMOVE', (id, path) => answer(id, () => remove(id, path)));
  sftp.on('RENAME', (id, from, to) => answer(id, () => rename(id, from, to)));
  sftp.on('MKDIR', (id, path) => answer(id, () => makeFolder(id, path)));
  sftp.on('RMDIR', (id, path) => answer(id, () => removeFolder(id, path)));

  const breakOff = async (): Promise<void> => {
    await queue;
    for (const one of opened.values()) {
      if (one.kind === 'file') tellRead(one);
      if (one.kind !== 'upload') continue;
      const { bucket, key, size } = await one.upload.put();
      announce(one.upload.started, { kind: 'broken', path: `/${bucket}/${key}`, bytes: size });
    }
    opened.clear();
  };
  // A channel ends, then closes; a lost connection closes it without an end.
  const over = new Promise<void>((resolve) => {
    sftp.once('end', resolve);
    sftp.once('close', resolve);
  });
  return over.then(breakOff);
};

const denied = () => new Refusal(STATUS_CODE.PERMISSION_DENIED, 'Permission denied');

const named = (entry: Entry) => ({
  filename: entry.name,
  longname: longName(entry),
  attrs: attributesOf(entry),
});

/** S3 has no appending, and nothing can be both a file and a directory. */
const checkWritable = (flags: number, there: Listed | undefined, isDirectory: boolean): void => {
  if (isDirectory) throw failure('There is a directory of this name');
  if (!there && (flags & OPEN_MODE.CREAT) === 0) throw nothing();
  if (there && (flags & OPEN_MODE.EXCL) !== 0) throw failure('The file exists');
  // `scp` writes over a file in place and sets its size at the end. To read and write it at once is to change a part of it.
  const isChanged = there && (flags & OPEN_MODE.TRUNC) === 0 && (flags & OPEN_MODE.READ) !== 0;
  if ((flags & OPEN_MODE.APPEND) !== 0 || isChanged) throw whole();
};

const whole = () => new Refusal(STATUS_CODE.OP_UNSUPPORTED, 'Files are written whole; send it anew');

const refuse = (sftp: SFTPWrapper, id: number, error: unknown): void => {
  if (error instanceof Refusal) sftp.status(id, error.status, error.message);
  else if (error instanceof ServiceError && error.code === 'AccessDenied')
    sftp.status(id, STATUS_CODE.PERMISSION_DENIED, 'Permission denied');
  else sftp.status(id, STATUS_CODE.FAILURE, 'Failure');
};
