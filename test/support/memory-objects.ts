import { createHash } from 'node:crypto';
import {
  ObjectChangedError,
  type ListedObject,
  type ObjectInfo,
  type ObjectStore,
  type PresentObject,
} from '../../shared/runtime/ports.ts';

/** One version of an object. */
interface Version {
  readonly bytes: Buffer;
  readonly etag: string;
  readonly modified: number;
}

/**
 * An object store in memory, with the contract of `ObjectStore`. Each put makes a version with a tag of its own, whatever
 * the bytes are, as S3 does for objects that a key of KMS encrypts. `pieceBytes` is how much a read hands over at a time;
 * `before` is awaited ahead of every operation: a test can count, delay, crash or change objects there.
 */
export class MemoryObjects implements ObjectStore {
  readonly #objects = new Map<string, Version>();
  #versions = 0;
  readonly #before: (operation: string, key: string) => Promise<void> | void;
  pieceBytes = 65_536;
  clock: () => number = Date.now;

  constructor(before: (operation: string, key: string) => Promise<void> | void = () => undefined) {
    this.#before = before;
  }

  async put(key: string, body: Uint8Array | string): Promise<ObjectInfo> {
    await this.#before('put', key);
    return infoOf(this.#set(key, Buffer.from(body)));
  }

  async putStream(key: string, body: AsyncIterable<Uint8Array>): Promise<ObjectInfo> {
    await this.#before('putStream', key);
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(Uint8Array.from(part));
    return infoOf(this.#set(key, Buffer.concat(parts)));
  }

  #set(key: string, bytes: Buffer): Version {
    this.#versions += 1;
    const etag = `"${this.#versions.toString(16).padStart(32, '0')}"`;
    const version = { bytes, etag, modified: this.clock() };
    this.#objects.set(key, version);
    return version;
  }

  async head(key: string): Promise<PresentObject | undefined> {
    await this.#before('head', key);
    const object = this.#objects.get(key);
    if (!object) return undefined;
    const checksum = `SHA256:${createHash('sha256').update(object.bytes).digest('hex')}`;
    return { ...infoOf(object), modified: object.modified, checksum };
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    await this.#before('get', key);
    return this.#objects.get(key)?.bytes;
  }

  async *read(
    key: string,
    { etag, from = 0, to }: { etag: string; from?: number; to?: number },
  ): AsyncGenerator<Uint8Array> {
    await this.#before('read', key);
    const version = this.#objects.get(key);
    if (version?.etag !== etag) throw new ObjectChangedError('the object changed');
    const { bytes } = version;
    const end = Math.min(to ?? bytes.length - 1, bytes.length - 1) + 1;
    for (let at = from; at < end; at += this.pieceBytes)
      yield bytes.subarray(at, Math.min(end, at + this.pieceBytes));
  }

  presignPut(key: string, { size }: { seconds: number; size: number }) {
    return Promise.resolve({
      url: `https://objects.invalid/${key}`,
      headers: { 'content-length': String(size), 'if-none-match': '*' },
    });
  }

  presignGet(key: string, { seconds, fileName }: { seconds: number; fileName: string }): Promise<string> {
    return Promise.resolve(`https://objects.invalid/${key}?name=${fileName}&seconds=${seconds}`);
  }

  async list(folder: string): Promise<readonly string[]> {
    await this.#before('list', folder);
    return this.keys().filter((key) => key.startsWith(folder));
  }

  /** Objects after a key. A page is small, so that tests meet several. */
  async listAfter(folder: string, after: string): Promise<readonly ListedObject[]> {
    await this.#before('list', folder);
    const later = [...this.#objects].filter(([key]) => key.startsWith(folder) && key > after);
    return later
      .map(([key, version]) => ({ key, ...infoOf(version), modified: version.modified }))
      .sort((one, other) => (one.key < other.key ? -1 : 1))
      .slice(0, 2);
  }

  async remove(key: string): Promise<void> {
    await this.#before('remove', key);
    this.#objects.delete(key);
  }

  async removeVersion(key: string, etag: string): Promise<boolean> {
    await this.#before('removeVersion', key);
    return this.#objects.get(key)?.etag === etag && this.#objects.delete(key);
  }

  /** Keys of all objects, sorted. */
  keys(): readonly string[] {
    return [...this.#objects.keys()].sort();
  }
}

const infoOf = ({ bytes, etag }: Version): ObjectInfo => ({ size: bytes.length, etag });
