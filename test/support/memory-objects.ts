import { createHash } from 'node:crypto';
import {
  ObjectChangedError,
  type ObjectInfo,
  type ObjectStore,
  type PresentObject,
} from '../../shared/runtime/ports.ts';

/**
 * An object store in memory, with the contract of `ObjectStore`. `pieceBytes` is how much a read hands over at a time;
 * `before` is awaited ahead of every operation: a test can count, delay, crash or change objects there.
 */
export class MemoryObjects implements ObjectStore {
  readonly #objects = new Map<string, Buffer>();
  readonly #modified = new Map<string, number>();
  readonly #before: (operation: string, key: string) => Promise<void> | void;
  pieceBytes = 65_536;
  clock: () => number = Date.now;

  constructor(before: (operation: string, key: string) => Promise<void> | void = () => undefined) {
    this.#before = before;
  }

  async put(key: string, body: Uint8Array | string, options: { ifAbsent?: boolean } = {}): Promise<boolean> {
    await this.#before('put', key);
    if (options.ifAbsent === true && this.#objects.has(key)) return false;
    this.#set(key, Buffer.from(body));
    return true;
  }

  async putStream(key: string, body: AsyncIterable<Uint8Array>): Promise<ObjectInfo> {
    await this.#before('putStream', key);
    const parts: Uint8Array[] = [];
    for await (const part of body) parts.push(Uint8Array.from(part));
    const whole = Buffer.concat(parts);
    this.#set(key, whole);
    return infoOf(whole);
  }

  #set(key: string, object: Buffer): void {
    this.#objects.set(key, object);
    this.#modified.set(key, this.clock());
  }

  async head(key: string): Promise<PresentObject | undefined> {
    await this.#before('head', key);
    const object = this.#objects.get(key);
    return object && { ...infoOf(object), modified: this.#modified.get(key) ?? 0 };
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    await this.#before('get', key);
    return this.#objects.get(key);
  }

  async *read(
    key: string,
    { etag, from = 0, to }: { etag: string; from?: number; to?: number },
  ): AsyncGenerator<Uint8Array> {
    await this.#before('read', key);
    const object = this.#objects.get(key);
    if (!object || infoOf(object).etag !== etag) throw new ObjectChangedError('the object changed');
    const end = Math.min(to ?? object.length - 1, object.length - 1) + 1;
    for (let at = from; at < end; at += this.pieceBytes)
      yield object.subarray(at, Math.min(end, at + this.pieceBytes));
  }

  presignPut(key: string, { size }: { seconds: number; size: number }) {
    return Promise.resolve({
      url: `https://objects.invalid/${key}`,
      headers: { 'content-length': String(size) },
    });
  }

  presignGet(key: string, { seconds }: { seconds: number; fileName: string }): Promise<string> {
    return Promise.resolve(`https://objects.invalid/${key}?seconds=${seconds}`);
  }

  async list(folder: string): Promise<readonly string[]> {
    await this.#before('list', folder);
    return this.keys().filter((key) => key.startsWith(folder));
  }

  async remove(key: string): Promise<void> {
    await this.#before('remove', key);
    this.#objects.delete(key);
  }

  /** Keys of all objects, sorted. */
  keys(): readonly string[] {
    return [...this.#objects.keys()].sort();
  }
}

const infoOf = (object: Buffer): ObjectInfo => ({
  size: object.length,
  etag: `"${createHash('md5').update(object).digest('hex')}"`,
});
