import type { PartUploads, UploadedPart } from '../../shared/runtime/ports.ts';
import type { MemoryObjects } from './memory-objects.ts';

interface Stored extends UploadedPart {
  readonly bytes: Uint8Array;
}

/** Uploads in parts to objects in memory, with the contract of `PartUploads`. */
export class MemoryParts implements PartUploads {
  readonly #uploads = new Map<string, Map<number, Stored>>();
  readonly #objects: MemoryObjects;
  #begun = 0;

  constructor(objects: MemoryObjects) {
    this.#objects = objects;
  }

  begin(): Promise<string> {
    this.#begun += 1;
    const upload = `upload-${this.#begun}`;
    this.#uploads.set(upload, new Map());
    return Promise.resolve(upload);
  }

  presign(key: string, { upload, part }: { upload: string; part: number }): Promise<string> {
    return Promise.resolve(`https://objects.invalid/${key}?upload=${upload}&part=${part}`);
  }

  put(
    _key: string,
    { upload, part, body }: { upload: string; part: number; body: Uint8Array },
  ): Promise<UploadedPart | undefined> {
    this.upload(upload, part, Uint8Array.from(body));
    return Promise.resolve(this.#uploads.get(upload)?.get(part));
  }

  list(_key: string, upload: string): Promise<readonly UploadedPart[] | undefined> {
    const parts = this.#uploads.get(upload);
    return Promise.resolve(parts && [...parts.values()].sort((a, b) => a.part - b.part));
  }

  async complete(key: string, upload: string, parts: readonly UploadedPart[]): Promise<string | undefined> {
    const stored = this.#uploads.get(upload);
    if (!stored) return undefined;
    const bytes = parts.map(({ part }) => stored.get(part)?.bytes ?? new Uint8Array());
    const { etag } = await this.#objects.put(key, Buffer.concat(bytes));
    this.#uploads.delete(upload);
    return etag;
  }

  abort(_key: string, upload: string): Promise<void> {
    this.discard(upload);
    return Promise.resolve();
  }

  /** Stores a part, as a client with its address does. */
  upload(upload: string, part: number, bytes: Uint8Array): void {
    this.#uploads.get(upload)?.set(part, { part, etag: `part-${part}`, size: bytes.length, bytes });
  }

  /** Forgets an upload that was left too long. */
  discard(upload: string): void {
    this.#uploads.delete(upload);
  }
}
