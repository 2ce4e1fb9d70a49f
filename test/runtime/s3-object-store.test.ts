import * as sdk from '@aws-sdk/client-s3';
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Gateway } from '../../local/gateway/gateway.ts';
import { createS3 } from '../../local/services/s3/s3.ts';
import { ResumableUpload } from '../../shared/runtime/resumable-upload.ts';
import { objectStore, partUploads } from '../../shared/runtime/s3-object-store.ts';
import { ObjectChangedError, type PresentObject } from '../../shared/runtime/ports.ts';
import { objectsOf } from '../../shared/runtime/s3-objects.ts';
import { textLike } from '../support/answers.ts';
import { gate } from '../support/table-view.ts';
import { clientOf, startGateway } from '../../local/test/gateway/cloud.ts';
import { stubAws } from './aws-environment.ts';

let gateway: Gateway;
let store: ReturnType<typeof objectStore>;

beforeAll(async () => {
  const s3 = createS3();
  s3.createBucket('bucket');
  gateway = await startGateway([s3.service]);
  stubAws(gateway.url);
  store = objectStore('bucket');
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await gateway.close();
});

const collect = async (chunks: AsyncIterable<Uint8Array>): Promise<Buffer> => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all);
};
async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.byteLength; at += size)
    yield await Promise.resolve(bytes.subarray(at, at + size));
}
const infoOf = async (key: string): Promise<PresentObject> => {
  const info = await store.head(key);
  if (!info) throw new Error(`${key} is not there`);
  return info;
};

describe('an object', () => {
  it('is there until it is removed, which may be said twice', async () => {
    await store.put('short-lived', 'x');
    for (let time = 0; time < 2; time += 1) await store.remove('short-lived');
    expect(await store.head('short-lived')).toBeUndefined();
  });

  it('is removed as the version that somebody saw, and stays when it was replaced since', async () => {
    await store.put('seen', 'x');
    const { etag } = await infoOf('seen');
    await store.put('seen', 'y');
    expect(await store.removeVersion('seen', etag)).toBe(false);
    expect(await store.removeVersion('seen', (await infoOf('seen')).etag)).toBe(true);
    expect(await store.head('seen')).toBeUndefined();
    expect(await store.removeVersion('seen', etag)).toBe(false);
  });

  it('is listed with the others of its folder, at whatever depth', async () => {
    for (const key of ['f/b', 'f/a/é', 'fg/c', 'f']) await store.put(key, 'x');
    expect((await store.list('f/')).toSorted()).toEqual(['f/a/é', 'f/b']);
    expect(await store.list('none/')).toEqual([]);
  });

  it('comes back as it was put, whole or in a range', async () => {
    const before = Date.now();
    await store.put('a', 'héllo', { contentType: 'text/plain' });
    const { modified, ...info } = await infoOf('a');
    expect(info).toEqual({ size: 6, etag: textLike(/^".+"$/), checksum: textLike(/^CRC32:.+/) });
    // S3 says whole seconds.
    expect(modified).toBeGreaterThanOrEqual(Math.floor(before / 1000) * 1000);
    expect(modified).toBeLessThanOrEqual(Date.now());
    expect(Buffer.from((await store.get('a')) ?? []).toString()).toBe('héllo');
    expect((await collect(store.read('a', { etag: info.etag }))).toString()).toBe('héllo');
    expect((await collect(store.read('a', { etag: info.etag, from: 3, to: 4 }))).toString()).toBe('ll');
    expect((await collect(store.read('a', { etag: info.etag, from: 5 }))).toString()).toBe('o');
    expect((await collect(store.read('a', { etag: info.etag, from: 6 }))).toString()).toBe('');
  });

  it('that is empty, or not there', async () => {
    await store.put('empty', '');
    expect((await collect(store.read('empty', { etag: (await infoOf('empty')).etag }))).length).toBe(0);
    expect(await store.head('nothing')).toBeUndefined();
    expect(await store.get('nothing')).toBeUndefined();
  });

  it('has an ETag of each upload and a checksum of its bytes', async () => {
    const versions: PresentObject[] = [];
    for (const body of ['same', 'same', 'other']) {
      await store.put('again', body);
      versions.push(await infoOf('again'));
    }
    expect(new Set(versions.map(({ etag }) => etag)).size).toBe(3);
    const [first, second, third] = versions.map(({ checksum }) => checksum);
    expect([first === second, first === third]).toEqual([true, false]);
  });

  it('is listed in pages with its size, ETag and time, whatever characters its key has', async () => {
    const keys = ['l/a b+c.csv', 'l/a\u001bb.csv', 'l/ünï%20.csv'];
    for (const key of keys) await store.put(key, key);
    const listed = await store.listAfter('l/', '');
    expect(listed.map(({ key }) => key).toSorted()).toEqual(keys.toSorted());
    for (const { key, ...about } of listed) expect(await infoOf(key)).toMatchObject(about);
    expect(await store.listAfter('l/', listed.at(-2)?.key ?? '')).toEqual(listed.slice(-1));
    expect(await store.listAfter('l/', listed.at(-1)?.key ?? '')).toEqual([]);
  });

  it('that changed while it was read is told', async () => {
    await store.put('changing', '1');
    const { etag } = await infoOf('changing');
    await store.put('changing', '2');
    await expect(collect(store.read('changing', { etag }))).rejects.toThrow(ObjectChangedError);
    await expect(collect(store.read('nothing', { etag }))).rejects.toThrow(ObjectChangedError);
  });
});

describe('a stream', () => {
  it.each([0, 1, 8_388_607, 8_388_608, 8_388_609, 20_000_000])(
    'of %i bytes is stored byte by byte',
    async (size) => {
      const bytes = randomBytes(size);
      const info = await store.putStream('stream', inPieces(bytes, 1_000_003));
      expect(await infoOf('stream')).toMatchObject(info);
      expect(info.size).toBe(size);
      expect((await collect(store.read('stream', { etag: info.etag }))).equals(bytes)).toBe(true);
    },
  );

  it.each([8_388_608, 20_000_000])('of %i bytes may be suspended and resumed', async (size) => {
    const bytes = randomBytes(size);
    const ports = { objects: store, parts: partUploads('bucket') };
    const begun = await ResumableUpload.begin(ports, { key: 'resumed', contentType: 'text/csv' });
    const middle = Math.floor(size / 2);
    await begun.write(bytes.subarray(0, middle));
    const resumed = await ResumableUpload.resume(ports, await begun.suspend());
    await resumed.write(bytes.subarray(middle));
    const { etag, sha256 } = await resumed.finish();
    expect(await infoOf('resumed')).toMatchObject({ etag, size });
    expect(sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect((await collect(store.read('resumed', { etag }))).equals(bytes)).toBe(true);
  });

  it('is suspended after the part that is under way', async () => {
    const parts = partUploads('bucket');
    const sent = gate();
    const slow: typeof parts = {
      ...parts,
      put: async (...call) => {
        await sent.pass();
        return parts.put(...call);
      },
    };
    const upload = await ResumableUpload.begin(
      { objects: store, parts: slow },
      { key: 'k', contentType: 'text/csv' },
    );
    await upload.write(Buffer.alloc(8 * 1_048_576 + 5, 'a'));
    await sent.reached;
    const suspended = upload.suspend();
    sent.open();
    const state = await suspended;
    expect([state.parts.length, state.held.length]).toEqual([1, 5]);
  });

  it('that fails leaves no object and no upload behind', async () => {
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield* inPieces(randomBytes(9_000_000), 1_000_000);
      throw new Error('the source broke');
    }
    await expect(store.putStream('failed', failing())).rejects.toThrow('the source broke');
    expect(await store.head('failed')).toBeUndefined();
    const client = new sdk.S3Client({ ...clientOf(gateway), forcePathStyle: true });
    const { Uploads } = await client
      .send(new sdk.ListMultipartUploadsCommand({ Bucket: 'bucket' }))
      .catch(() => ({ Uploads: [] }));
    expect(Uploads ?? []).toEqual([]);
    client.destroy();
  });

  it('of which a part is refused fails, and its source is closed', async () => {
    const client = new sdk.S3Client({ ...clientOf(gateway), forcePathStyle: true });
    client.middlewareStack.add(
      (next) => (args) =>
        'PartNumber' in args.input && args.input.PartNumber === 2
          ? Promise.reject(new Error('the part was refused'))
          : next(args),
      { step: 'initialize' },
    );
    let closed = false;
    async function* source(): AsyncGenerator<Uint8Array> {
      try {
        yield* inPieces(randomBytes(40_000_000), 1_000_000);
      } finally {
        closed = true;
      }
    }
    const refusing = objectsOf({ sdk, client }, 'bucket');
    await expect(refusing.putStream('refused', source())).rejects.toThrow('the part was refused');
    expect(closed).toBe(true);
    expect(await store.head('refused')).toBeUndefined();
    client.destroy();
  });
});

describe('a signed address', () => {
  it('takes an upload of the size it was made for, and no other', async () => {
    const { url, headers } = await store.presignPut('upload', { seconds: 60, size: 5 });
    const put = (body: string) =>
      fetch(url, { method: 'PUT', body, headers: { ...headers, 'content-length': String(body.length) } });
    expect((await put('hello!')).status).toBe(403);
    expect((await put('hello')).status).toBe(200);
    expect(Buffer.from((await store.get('upload')) ?? []).toString()).toBe('hello');
  });

  it('gives a download its name', async () => {
    await store.put('file', 'x');
    const answer = await fetch(await store.presignGet('file', { seconds: 60, fileName: 'Ünïcode "x".csv' }));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-disposition')).toBe(
      `attachment; filename="_n_code _x_.csv"; filename*=UTF-8''%C3%9Cn%C3%AFcode%20%22x%22.csv`,
    );
  });
});
