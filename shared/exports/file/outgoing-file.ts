/**
 * Outgoing file: makes sure that a file leaves the service only under the encryption that its definition names. The file
 * can be suspended by one function and resumed by another.
 */
import * as v from 'valibot';
import type { MemberChunk } from '../../membership/read-members.ts';
import { beginMessage, messageState, resumeMessage, type PgpMessage } from '../../pgp/message.ts';
import type { PgpKeyFault } from '../../pgp/key-faults.ts';
import { readRecipient, type Recipient } from '../../pgp/recipient.ts';
import type { UploadPorts } from '../../runtime/parted-upload.ts';
import { ResumableUpload, uploadState, type UploadedObject } from '../../runtime/resumable-upload.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import { storeFrozen } from '../model/frozen-set.ts';
import type { ExportDefinition } from '../model/items.ts';
import { GzipMembers, gzipState } from './gzip-members.ts';

/*
 * There is only one way into the bucket of files. The store begins a file under a protection, and whatever is written to
 * the file passes its encryption. A protection comes only from a definition. The classes behind the types are not
 * exported, so no other module can create them.
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

/** A file between two pieces. It contains plain bytes or a session key: store it only under encryption. */
export const fileState = v.pipe(
  v.object({ upload: uploadState, message: v.nullable(messageState), gzip: v.nullable(gzipState) }),
  v.brand('FileState'),
);
export type FileState = v.InferOutput<typeof fileState>;

/** The layers that the bytes of a file pass, in this order. */
interface Layers {
  readonly gzip: GzipMembers | undefined;
  readonly message: PgpMessage | undefined;
  readonly upload: ResumableUpload;
}

/** A file in the making. Its methods throw `UploadGoneError` when another function has completed it. */
class ProtectedFile {
  readonly #layers: Layers;

  constructor(layers: Layers) {
    this.#layers = layers;
  }

  /** Adds plain bytes. */
  async write(plain: Uint8Array): Promise<void> {
    const { gzip } = this.#layers;
    await this.#protect(gzip ? await gzip.write(plain) : plain);
  }

  /** The state after the bytes that were written. */
  async suspend(): Promise<FileState> {
    const { gzip, message } = this.#layers;
    const upload = await this.#layers.upload.suspend();
    return v.parse(fileState, { upload, message: message?.state() ?? null, gzip: gzip?.state() ?? null });
  }

  /** Stores the file. */
  async finish(): Promise<UploadedObject> {
    const { gzip, message, upload } = this.#layers;
    if (gzip) await this.#protect(await gzip.end());
    if (message) await upload.write(message.end());
    return upload.finish();
  }

  async #protect(bytes: Uint8Array): Promise<void> {
    const { message, upload } = this.#layers;
    if (bytes.length > 0) await upload.write(message ? message.write(bytes) : bytes);
  }
}
export type OutgoingFile = ProtectedFile;

/** The type of the stored bytes, and their compression. */
interface FileOptions extends Pick<ExportDefinition, 'compression'> {
  readonly contentType: string;
}

/** The store of finished files. */
export interface FileStore {
  /** Begins a file under a protection. The file is compressed before it is encrypted. */
  begin(key: string, protection: Protection, options: FileOptions): Promise<OutgoingFile>;
  /** Goes on from a state. A state can be resumed more than once, and equal bytes make the same file. */
  resume(state: FileState): Promise<OutgoingFile>;
  /** Stores the manifest of a file: facts about the file, without its data. */
  describe(key: string, manifest: string): Promise<void>;
  /** Stores a frozen set: numbers of people, without their data. Returns its key. */
  freeze(key: string, set: readonly MemberChunk[]): Promise<string>;
}

/** Finished files as objects of a bucket. */
export const fileStore = (ports: UploadPorts): FileStore => ({
  begin: async (key, { recipient }, { contentType, compression }) => {
    const gzip = compression === 'gzip' ? new GzipMembers() : undefined;
    const upload = await ResumableUpload.begin(ports, { key, contentType });
    if (!recipient) return new ProtectedFile({ gzip, message: undefined, upload });
    const { head, message } = await beginMessage(recipient);
    await upload.write(head);
    return new ProtectedFile({ gzip, message, upload });
  },
  resume: async ({ upload, message, gzip }) =>
    new ProtectedFile({
      gzip: gzip === null ? undefined : new GzipMembers(gzip),
      message: message === null ? undefined : await resumeMessage(message),
      upload: await ResumableUpload.resume(ports, upload),
    }),
  describe: async (key, manifest) => {
    await ports.objects.put(key, manifest, { contentType: 'application/json' });
  },
  freeze: async (key, set) => storeFrozen(ports.objects, key, set),
});
