/** Attribute requests: answer and change sizes and times for an SFTP session. */
import ssh2, { type Attributes } from 'ssh2';
import { absolute, entryAt, placeOf, type Entry } from './directories.ts';
import { attributesOf, nameOf } from './entries.ts';
import type { OpenHandle } from './handles.ts';
import { notFound, partialChange } from './refusal.ts';
import type { Session } from './session-context.ts';
import type { Upload } from './upload.ts';

const { STATUS_CODE } = ssh2.utils.sftp;

/** Answers the attributes of a path. */
export const statPath = (
  { s3, identity, permit, handles, sftp, now }: Session,
  id: number,
  path: string,
): void => {
  const place = placeOf(identity, path);
  const entry = place && entryAt(s3, permit, place);
  // Clients that mount the directory ask for a file as soon as they have opened it.
  const upload = place && handles.uploadAt(place);
  if (upload) sftp.attrs(id, attributesOf(unnamed('file', upload.size(), now())));
  else if (entry) sftp.attrs(id, attributesOf(entry));
  else throw notFound();
};

/** Answers the attributes of an open file or directory. */
export const statHandle = ({ handles, sftp, now }: Session, id: number, handle: Buffer): void => {
  const target = handles.get(handle);
  const kind = target.kind === 'directory' ? 'directory' : 'file';
  sftp.attrs(id, attributesOf(unnamed(kind, sizeOf(target), now())));
};

const sizeOf = (target: OpenHandle): number => {
  if (target.kind === 'upload') return target.upload.size();
  return target.kind === 'download' ? target.version.size : 0;
};

const unnamed = (kind: 'file' | 'directory', size: number, modified: number): Entry => ({
  name: '',
  directory: kind === 'directory',
  size,
  modified,
});

/** Sets the size of an upload. S3 keeps neither times nor modes, so the session ignores them. */
export const setPathAttributes = (
  session: Session,
  id: number,
  path: string,
  attributes: Partial<Attributes>,
): Promise<void> => {
  const place = placeOf(session.identity, path);
  return setSize(session, id, place && session.handles.uploadAt(place), attributes);
};

/** As `setPathAttributes`, for an open file. */
export const setHandleAttributes = (
  session: Session,
  id: number,
  handle: Buffer,
  attributes: Partial<Attributes>,
): Promise<void> => {
  const target = session.handles.get(handle);
  return setSize(session, id, target.kind === 'upload' ? target.upload : undefined, attributes);
};

const setSize = async (
  { sftp }: Session,
  id: number,
  upload: Upload | undefined,
  { size }: Partial<Attributes>,
): Promise<void> => {
  if (size !== undefined) {
    if (!upload) throw partialChange();
    await upload.resize(size);
  }
  sftp.status(id, STATUS_CODE.OK);
};

/** Answers the absolute form of a path. */
export const realPath = ({ sftp }: Session, id: number, path: string): void =>
  sftp.name(id, [nameOf({ name: absolute(path), directory: true, size: 0, modified: 0 })]);
