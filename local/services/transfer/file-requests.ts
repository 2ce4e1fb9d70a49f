/** File requests: open, read, write and close one file of an SFTP session. */
import ssh2 from 'ssh2';
import type { Listed } from '../s3/direct.ts';
import { onObject } from './directories.ts';
import type { Download } from './handles.ts';
import { failure, notFound, partialChange } from './refusal.ts';
import { objectAt, type Session } from './session-context.ts';
import { beginUpload } from './upload.ts';

const { OPEN_MODE, STATUS_CODE } = ssh2.utils.sftp;

const READ_BYTES = 256 * 1024;

/** Opens a file for a download or an upload, by the flags. */
export const openFile = async (session: Session, id: number, path: string, flags: number): Promise<void> => {
  session.handles.requireCapacity();
  const handle =
    (flags & OPEN_MODE.WRITE) === 0 ? openDownload(session, path) : await openUpload(session, path, flags);
  session.sftp.handle(id, handle);
};

const openDownload = ({ s3, identity, permit, now, handles }: Session, path: string): Buffer => {
  const { bucket, key } = objectAt(identity, path);
  const version = s3.find(bucket, key);
  permit(onObject('s3:GetObject', bucket, key));
  if (!version) throw notFound();
  return handles.add({ kind: 'download', bucket, key, version, started: now(), sent: 0 });
};

const openUpload = async (session: Session, path: string, flags: number): Promise<Buffer> => {
  const { s3, identity, permit, now, folder, handles } = session;
  const { bucket, key } = objectAt(identity, path);
  const current = s3.find(bucket, key);
  permit(onObject('s3:PutObject', bucket, key));
  checkWritable(flags, current, s3.list(bucket, `${key}/`).length > 0);
  const replaced = (flags & OPEN_MODE.TRUNC) === 0 ? current : undefined;
  const upload = await beginUpload(s3, folder, { bucket, key, started: now() }, replaced);
  return handles.add({ kind: 'upload', upload });
};

/** S3 cannot append to an object, and a path cannot be both a file and a directory. */
const checkWritable = (flags: number, current: Listed | undefined, isDirectory: boolean): void => {
  if (isDirectory) throw failure('There is a directory of this name');
  if (!current && (flags & OPEN_MODE.CREAT) === 0) throw notFound();
  if (current && (flags & OPEN_MODE.EXCL) !== 0) throw failure('The file exists');
  // `scp` overwrites a file in place and sets its size at the end. A client that also reads the file changes a part of it.
  const isChanged = current && (flags & OPEN_MODE.TRUNC) === 0 && (flags & OPEN_MODE.READ) !== 0;
  if ((flags & OPEN_MODE.APPEND) !== 0 || isChanged) throw partialChange();
};

/** Closes a file. An upload becomes an object now. */
export const closeFile = async (session: Session, id: number, handle: Buffer): Promise<void> => {
  const target = session.handles.remove(handle);
  if (target.kind === 'upload') {
    const { upload } = target;
    const { bucket, key, size, etag } = await upload.put();
    session.publish(upload.started, { kind: 'sent', path: `/${bucket}/${key}`, bytes: size, etag });
  } else if (target.kind === 'download') {
    publishDownload(session, target);
  }
  session.sftp.status(id, STATUS_CODE.OK);
};

/** Publishes a finished download, unless the client opened the file and read nothing. */
const publishDownload = ({ publish }: Session, { bucket, key, version, started, sent }: Download): void => {
  if (sent === 0 && version.size > 0) return;
  const kind = sent < version.size ? 'partly_read' : 'read';
  publish(started, { kind, path: `/${bucket}/${key}`, bytes: sent });
};

/** Writes bytes of an upload. */
export const writeFile = async (
  { handles, sftp }: Session,
  id: number,
  handle: Buffer,
  offset: number,
  data: Buffer,
): Promise<void> => {
  const target = handles.get(handle);
  if (target.kind !== 'upload') throw failure('The file is open for reading');
  await target.upload.write(offset, data);
  sftp.status(id, STATUS_CODE.OK);
};

/** Answers up to 256 KB of a download. */
export const readFile = async (
  { handles, sftp, s3 }: Session,
  id: number,
  handle: Buffer,
  offset: number,
  length: number,
): Promise<void> => {
  const target = handles.get(handle);
  if (target.kind !== 'download') throw failure('The file is open for writing');
  const end = Math.min(offset + Math.min(length, READ_BYTES), target.version.size);
  if (offset >= end) {
    sftp.status(id, STATUS_CODE.EOF);
    return;
  }
  sftp.data(id, await s3.range(target.bucket, target.version, offset, end - 1));
  target.sent += end - offset;
};

/** Ends all open files of a session that is over. An unfinished upload becomes an object with the bytes so far. */
export const closeUnfinished = async (session: Session): Promise<void> => {
  for (const target of session.handles.removeAll()) {
    if (target.kind === 'download') publishDownload(session, target);
    if (target.kind !== 'upload') continue;
    const { bucket, key, size } = await target.upload.put();
    session.publish(target.upload.started, { kind: 'broken', path: `/${bucket}/${key}`, bytes: size });
  }
};
