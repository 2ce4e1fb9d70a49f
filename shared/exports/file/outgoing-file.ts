/**
 * Outgoing file: makes sure that a file leaves the service only under the encryption that its definition names. The file
 * can be suspended by one function and resumed by another.
 */
import * as v from 'valibot';
import { beginMessage, messageState, resumeMessage, type PgpMessage } from '../../pgp/message.ts';
import type { PgpKeyFault } from '../../pgp/key-faults.ts';
import { readRecipient, type Recipient } from '../../pgp/recipient.ts';
import type { ObjectStore } from '../../runtime/ports.ts';
import {
  ResumableUpload,
  uploadState,
  type UploadedObject,
  type UploadPorts,
} from '../../runtime/resumable-upload.ts';
import { err, ok, type Result } from '../../runtime/result.ts';
import type { ExportDefinition } from '../model/items.ts';

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
  v.object({ upload: uploadState, message: v.nullable(messageState) }),
  v.brand('FileState'),
);
export type FileState = v.InferOutput<typeof fileState>;

/** A file in the making. Its methods throw `UploadGoneError` when another function has completed it. */
class ProtectedFile {
  readonly #upload: ResumableUpload;
  readonly #message: PgpMessage | undefined;

  constructor(upload: ResumableUpload, message: PgpMessage | undefined) {
    this.#upload = upload;
    this.#message = message;
  }

  /** Adds plain bytes. */
  write(plain: Uint8Array): Promise<void> {
    return this.#upload.write(this.#message ? this.#message.write(plain) : plain);
  }

  /** The state after the bytes that were written. */
  async suspend(): Promise<FileState> {
    const upload = await this.#upload.suspend();
    return v.parse(fileState, { upload, message: this.#message?.state() ?? null });
  }

  /** Stores the file. */
  async finish(): Promise<UploadedObject> {
    if (this.#message) await this.#upload.write(this.#message.end());
    return this.#upload.finish();
  }
}
export type OutgoingFile = ProtectedFile;

/** The store of finished files. */
export interface FileStore {
  /** Begins a file under a protection. */
  begin(key: string, protection: Protection, options: { contentType: string }): Promise<OutgoingFile>;
  /** Goes on from a state. A state can be resumed more than once, and equal bytes make the same file. */
  resume(state: FileState): Promise<OutgoingFile>;
  /** Stores the manifest of a file: facts about the file, without its data. */
  describe(key: string, manifest: string): Promise<void>;
}

/** Finished files as objects of a bucket. */
export const fileStore = ({
  objects,
  parts,
}: UploadPorts & { readonly objects: Pick<ObjectStore, 'put'> }): FileStore => {
  const ports: UploadPorts = { objects, parts };
  return {
    begin: async (key, { recipient }, { contentType }) => {
      const upload = await ResumableUpload.begin(ports, { key, contentType });
      if (!recipient) return new ProtectedFile(upload, undefined);
      const { head, message } = await beginMessage(recipient);
      await upload.write(head);
      return new ProtectedFile(upload, message);
    },
    resume: async ({ upload, message }) =>
      new ProtectedFile(
        await ResumableUpload.resume(ports, upload),
        message === null ? undefined : await resumeMessage(message),
      ),
    describe: async (key, manifest) => {
      await objects.put(key, manifest, { contentType: 'application/json' });
    },
  };
};
