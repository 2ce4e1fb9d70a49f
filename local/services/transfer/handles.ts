/** SFTP handles: holds the open files and directories of one session, within a limit. */
import type { Listed } from '../s3/direct.ts';
import type { Entry, Place } from './directories.ts';
import { failure } from './refusal.ts';
import type { Upload } from './upload.ts';

/** A file that a client downloads, and the number of bytes that the client has received. */
export interface Download {
  readonly kind: 'download';
  readonly bucket: string;
  readonly key: string;
  readonly version: Listed;
  readonly started: number;
  sent: number;
}

/** A directory that a client lists. `listed` is true once the client has received the entries. */
interface Listing {
  readonly kind: 'directory';
  readonly entries: readonly Entry[];
  listed: boolean;
}

/** An open file or directory. */
export type OpenHandle = { readonly kind: 'upload'; readonly upload: Upload } | Download | Listing;

/** The limit of OpenSSH's own server. */
const MAX_OPEN = 100;

/** The open files and directories of one session. */
export class Handles {
  readonly #open = new Map<number, OpenHandle>();
  #last = 0;

  /** Throws when the session has too many open handles. Call it before the request takes any resource. */
  requireCapacity(): void {
    if (this.#open.size >= MAX_OPEN) throw failure('Too many open files');
  }

  /** Adds an open file or directory and returns its handle. */
  add(target: OpenHandle): Buffer {
    const handle = Buffer.alloc(4);
    this.#last += 1;
    handle.writeUInt32BE(this.#last);
    this.#open.set(this.#last, target);
    return handle;
  }

  /** Throws when the handle is not open. */
  get(handle: Buffer): OpenHandle {
    const target = handle.length === 4 ? this.#open.get(handle.readUInt32BE()) : undefined;
    if (!target) throw failure('The handle is not open');
    return target;
  }

  /** Removes a handle and returns its file or directory. Throws when the handle is not open. */
  remove(handle: Buffer): OpenHandle {
    const target = this.get(handle);
    this.#open.delete(handle.readUInt32BE());
    return target;
  }

  /** Removes all handles and returns their files and directories, oldest first. */
  removeAll(): readonly OpenHandle[] {
    const targets = [...this.#open.values()];
    this.#open.clear();
    return targets;
  }

  /** The newest upload to a place that is still open. */
  uploadAt(place: Place): Upload | undefined {
    return [...this.#open.values()]
      .flatMap((target) => (target.kind === 'upload' ? [target.upload] : []))
      .findLast(({ bucket, key }) => place.kind === 's3' && place.bucket === bucket && place.key === key);
  }
}
