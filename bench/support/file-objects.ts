import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { appendFile, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ObjectStore, PartUploads, PresentObject } from '../../shared/runtime/ports.ts';

/** The part of an object store that an export needs, in a folder, so that stored objects take no memory. */
export const fileObjects = (folder: string): ObjectStore => {
  const at = (key: string): string => join(folder, key);
  const infoOf = async (key: string): Promise<PresentObject> => {
    const { size, mtimeMs: modified } = await stat(at(key));
    const etag = createHash('sha256').update(`${key} ${size}`).digest('hex');
    return { size, etag, modified, checksum: null };
  };
  const unused = (): never => {
    throw new Error('an export does not list, sign or remove objects while it runs');
  };
  return {
    put: async (key, body) => {
      await mkdir(dirname(at(key)), { recursive: true });
      await writeFile(at(key), body);
      return infoOf(key);
    },
    putStream: async (key, body) => {
      await mkdir(dirname(at(key)), { recursive: true });
      const file = createWriteStream(at(key));
      for await (const piece of body) if (!file.write(piece)) await once(file, 'drain');
      file.end();
      await once(file, 'close');
      return infoOf(key);
    },
    head: async (key) => (existsSync(at(key)) ? infoOf(key) : undefined),
    get: async (key) => (existsSync(at(key)) ? readFile(at(key)) : undefined),
    read: (key) => createReadStream(at(key), { highWaterMark: 256 * 1024 }),
    list: unused,
    listAfter: unused,
    remove: unused,
    removeVersion: unused,
    presignPut: unused,
    presignGet: unused,
  };
};

/** Uploads in parts to objects of a folder, one upload at a time. */
export const fileParts = (folder: string): Pick<PartUploads, 'begin' | 'put' | 'complete'> => {
  const at = (key: string): string => join(folder, key);
  return {
    begin: async (key) => {
      await mkdir(dirname(at(key)), { recursive: true });
      await writeFile(at(key), '');
      return key;
    },
    put: async (key, { part, body }) => {
      await appendFile(at(key), body);
      return { part, etag: String(part), size: body.length };
    },
    complete: async (key) => (await fileObjects(folder).head(key))?.etag,
  };
};
