import type { SFTPWrapper } from 'ssh2';
import type { FileOperation } from '../events/file-transfer.ts';
import type { DirectCalls } from '../s3/direct.ts';
import { placeOf, type Place } from './directories.ts';
import type { Handles } from './handles.ts';
import type { Identity, Permit } from './identity.ts';
import { permissionDenied } from './refusal.ts';

export interface SessionDeps {
  readonly s3: DirectCalls;
  readonly identity: Identity;
  readonly permit: Permit;
  /** Folder for the bytes of unfinished uploads. */
  readonly folder: string;
  readonly now: () => number;
  /** Publishes an operation on a file that began at `started`. */
  readonly publish: (started: number, operation: FileOperation) => void;
}

/** One SFTP session: its connection, its user and its open handles. */
export interface Session extends SessionDeps {
  readonly sftp: SFTPWrapper;
  readonly handles: Handles;
}

/** The object that a path leads to. Throws when the path leads to a root directory or out of the user's directories. */
export const objectAt = (identity: Identity, path: string): Extract<Place, { kind: 's3' }> => {
  const place = placeOf(identity, path);
  if (place?.kind !== 's3' || place.root) throw permissionDenied();
  return place;
};
