/** Tree requests: list directories, and rename or remove files and directories, for an SFTP session. */
import ssh2 from 'ssh2';
import { entriesIn, onObject, placeOf } from './directories.ts';
import { nameOf } from './entries.ts';
import { failure, notFound } from './refusal.ts';
import { objectAt, type Session } from './session-context.ts';

const { STATUS_CODE } = ssh2.utils.sftp;

/** Opens a directory and reads its entries. */
export const openDirectory = (
  { s3, identity, permit, handles, sftp }: Session,
  id: number,
  path: string,
): void => {
  handles.requireCapacity();
  const place = placeOf(identity, path);
  const entries = place && entriesIn(s3, permit, place);
  if (!entries) throw notFound();
  sftp.handle(id, handles.add({ kind: 'directory', entries, listed: false }));
};

/** Answers all entries at the first request, and the end of the directory at the next. */
export const readDirectory = ({ handles, sftp }: Session, id: number, handle: Buffer): void => {
  const target = handles.get(handle);
  if (target.kind !== 'directory') throw failure('The handle is no directory');
  if (target.listed || target.entries.length === 0) sftp.status(id, STATUS_CODE.EOF);
  else sftp.name(id, target.entries.map(nameOf));
  target.listed = true;
};

/** Removes a file. */
export const removeFile = (
  { s3, identity, permit, sftp, now, publish }: Session,
  id: number,
  path: string,
): void => {
  const { bucket, key } = objectAt(identity, path);
  permit(onObject('s3:DeleteObject', bucket, key));
  if (!s3.find(bucket, key)) throw notFound();
  s3.remove(bucket, key);
  publish(now(), { kind: 'removed', path: `/${bucket}/${key}` });
  sftp.status(id, STATUS_CODE.OK);
};

/** Renames a file: copies the object, then removes the source, as Transfer Family does. */
export const renameFile = async (session: Session, id: number, from: string, to: string): Promise<void> => {
  const { s3, identity, permit, sftp, now, publish } = session;
  const [source, target] = [objectAt(identity, from), objectAt(identity, to)];
  const started = now();
  permit(onObject('s3:GetObject', source.bucket, source.key));
  permit(onObject('s3:PutObject', target.bucket, target.key));
  permit(onObject('s3:DeleteObject', source.bucket, source.key));
  if (!s3.find(source.bucket, source.key)) throw notFound();
  if (s3.list(target.bucket, `${target.key}/`).length > 0) throw failure('There is a directory of this name');
  if (source.key !== target.key) {
    await s3.copy(source.bucket, source.key, target.key);
    s3.remove(source.bucket, source.key);
    const paths = { from: `/${source.bucket}/${source.key}`, to: `/${target.bucket}/${target.key}` };
    publish(started, { kind: 'renamed', ...paths });
  }
  sftp.status(id, STATUS_CODE.OK);
};

/** Makes a directory: an empty object whose key ends with a slash. */
export const makeDirectory = async (
  { s3, identity, permit, sftp }: Session,
  id: number,
  path: string,
): Promise<void> => {
  const { bucket, key } = objectAt(identity, path);
  permit(onObject('s3:PutObject', bucket, `${key}/`));
  await s3.put(bucket, `${key}/`, Buffer.alloc(0));
  sftp.status(id, STATUS_CODE.OK);
};

/** Removes the object of a directory. Files below it stay. */
export const removeDirectory = ({ s3, identity, permit, sftp }: Session, id: number, path: string): void => {
  const { bucket, key } = objectAt(identity, path);
  permit(onObject('s3:DeleteObject', bucket, `${key}/`));
  s3.remove(bucket, `${key}/`);
  sftp.status(id, STATUS_CODE.OK);
};
