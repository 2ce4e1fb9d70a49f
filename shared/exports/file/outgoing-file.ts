/** Outgoing file: makes sure that a file leaves the service only under the encryption that its definition names. */
import { createHash } from 'node:crypto';
import { encryptTo } from '../../pgp/encrypt.ts';
import type { PgpKeyFault } from '../../pgp/key-faults.ts';
import { readRecipient, type Recipient } from '../../pgp/recipient.ts';
import type { ObjectInfo, ObjectStore } from '../../runtime/ports.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { ExportDefinition } from '../model/items.ts';

/*
 * The types allow only one way from plain text to the bucket of files. Nothing can read a `PlainFile`; it becomes an `OutgoingFile`
 * under the protection of its definition; and the file store accepts nothing but an `OutgoingFile`. The classes behind the types are
 * not exported, so no other module can create them.
 */

/** The protection of a file: encryption to the key of its definition, or none if the definition has no key. */
class CheckedProtection {
  readonly #recipient: Recipient | undefined;
  constructor(recipient: Recipient | undefined) {
    this.#recipient = recipient;
  }
  get recipient(): Recipient | undefined {
    return this.#recipient;
  }
}
export type Protection = CheckedProtection;

/** The protection of a definition's files at a time (epoch milliseconds), or the fault of its key at that time. */
export const protectionOf = async (
  { pgp_public_key }: Pick<ExportDefinition, 'pgp_public_key'>,
  now: number,
): Promise<Result<Protection, PgpKeyFault>> => {
  if (pgp_public_key === null) return ok(new CheckedProtection(undefined));
  const recipient = await readRecipient(pgp_public_key, now);
  return recipient.ok ? ok(new CheckedProtection(recipient.value)) : err(recipient.error);
};

/** Size and hash of a file, valid once the reader took its last byte. */
interface OutgoingTally {
  bytes: number;
  readonly sha256: () => string;
}

/** A file that may be stored and sent. It can be read once. */
class ProtectedFile implements AsyncIterable<Uint8Array> {
  readonly #body: AsyncIterable<Uint8Array>;
  readonly #hash = createHash('sha256');
  readonly tally: OutgoingTally = { bytes: 0, sha256: () => this.#hash.digest('hex') };

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const bytes of this.#body) {
      this.#hash.update(bytes);
      this.tally.bytes += bytes.length;
      yield bytes;
    }
  }
}
export type OutgoingFile = ProtectedFile;

/** A printed file. */
export class PlainFile {
  readonly #body: AsyncIterable<Uint8Array>;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body;
  }

  under({ recipient }: Protection): OutgoingFile {
    return new ProtectedFile(recipient === undefined ? this.#body : encryptTo(recipient, this.#body));
  }
}

/** The store of finished files. */
export interface FileStore {
  store(key: string, file: OutgoingFile, options: { contentType: string }): Promise<ObjectInfo>;
  /** Stores the manifest of a file: facts about the file, without its data. */
  describe(key: string, manifest: string): Promise<void>;
}

/** Finished files as objects of a bucket. */
export const fileStore = (objects: Pick<ObjectStore, 'put' | 'putStream'>): FileStore => ({
  store: (key, file, options) => objects.putStream(key, file, options),
  describe: async (key, manifest) => {
    await objects.put(key, manifest, { contentType: 'application/json' });
  },
});
