import { createHash } from 'node:crypto';
import { encryptTo } from '../../pgp/encrypt.ts';
import type { PgpKeyFault } from '../../pgp/key-faults.ts';
import type { Recipient } from '../../pgp/recipient.ts';
import { readRecipient } from '../../pgp/recipient.ts';
import type { ObjectInfo, ObjectStore } from '../../runtime/ports.ts';
import type { Result } from '../../runtime/result.ts';
import { err, ok } from '../../runtime/result.ts';
import type { ExportDefinition } from '../model/items.ts';

/*
 * The one way from plain text to where files are stored and sent from. A `PlainFile` cannot be read; it only becomes an
 * `OutgoingFile` under the protection that its definition asks for; and the store of files takes nothing else. The classes
 * behind the types are not exported, so none of them can be made elsewhere.
 */

/** How the file of a definition is protected: encrypted to its key, or not at all when it has none. */
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

/** The protection that a definition asks for at a time (epoch milliseconds), or why its key cannot be used then. */
export const protectionOf = async (
  { pgp_public_key }: Pick<ExportDefinition, 'pgp_public_key'>,
  now: number,
): Promise<Result<Protection, PgpKeyFault>> => {
  if (pgp_public_key === null) return ok(new CheckedProtection(undefined));
  const recipient = await readRecipient(pgp_public_key, now);
  return recipient.ok ? ok(new CheckedProtection(recipient.value)) : err(recipient.error);
};

/** Counts and hash of what went out, true once its last byte was taken. */
interface OutgoingTally {
  bytes: number;
  readonly sha256: () => string;
}

/** A file as it may be stored and sent. Can be taken once. */
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

/** A file as printed. */
export class PlainFile {
  readonly #body: AsyncIterable<Uint8Array>;

  constructor(body: AsyncIterable<Uint8Array>) {
    this.#body = body;
  }

  under({ recipient }: Protection): OutgoingFile {
    return new ProtectedFile(recipient === undefined ? this.#body : encryptTo(recipient, this.#body));
  }
}

/** Where finished files are kept. */
export interface FileStore {
  store(key: string, file: OutgoingFile, options: { contentType: string }): Promise<ObjectInfo>;
  /** Keeps the manifest of a file: facts about it, and nothing of its data. */
  describe(key: string, manifest: string): Promise<void>;
}

/** Finished files as objects of a bucket. */
export const fileStore = (objects: Pick<ObjectStore, 'put' | 'putStream'>): FileStore => ({
  store: (key, file, options) => objects.putStream(key, file, options),
  describe: async (key, manifest) => {
    await objects.put(key, manifest, { contentType: 'application/json' });
  },
});
