import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListPartsCommand,
  PutObjectCommand,
  UploadPartCommand,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { ObjectCreated } from '../../../services/s3/store.ts';
import { addCaller, allow } from '../../gateway/cloud.ts';
import { textLike } from '../../support/text-like.ts';
import { Bucket, bucketClient, startS3 } from '../../gateway/bucket.ts';

const events: ObjectCreated[] = [];
const { s3, gateway, client, stop } = await startS3({ onObjectCreated: (event) => events.push(event) });
afterAll(stop);

beforeEach(() => {
  events.length = 0;
});

const put = (Key: string, Body: string | Buffer, more: object = {}) =>
  client.send(new PutObjectCommand({ Bucket, Key, Body, ...more }));
const text = async (Key: string, more: object = {}) => {
  const answer = await client.send(new GetObjectCommand({ Bucket, Key, ...more }));
  return answer.Body?.transformToString();
};
const bytes = (size: number): Buffer => Buffer.alloc(size, 'tidemark ');

/** A stream that the SDK can neither measure nor rewind, like an upload from elsewhere. */
async function* pieces(count: number, size: number) {
  for (let at = 0; at < count; at++) yield await Promise.resolve(Buffer.alloc(size, at));
}

describe('objects', () => {
  it('an object comes back with its bytes, type and metadata', async () => {
    const key = 'a folder/ä+b&c=(1)?.csv';
    await put(key, 'name\nAnna\n', { ContentType: 'text/csv', Metadata: { job: '7' } });
    const answer = await client.send(new GetObjectCommand({ Bucket, Key: key }));
    expect(await answer.Body?.transformToString()).toBe('name\nAnna\n');
    expect(answer).toMatchObject({ ContentType: 'text/csv', Metadata: { job: '7' }, ContentLength: 10 });
    const etag = answer.ETag?.replaceAll('"', '');
    expect(etag).toMatch(/^[0-9a-f]{32}$/);
    expect(events).toEqual([{ bucket: Bucket, key, size: 10, etag, reason: 'PutObject' }]);
    expect((await client.send(new HeadObjectCommand({ Bucket, Key: key }))).ContentLength).toBe(10);
  });

  it('an object may be empty', async () => {
    await put('empty', '');
    expect(await text('empty')).toBe('');
  });

  it('a stream of 40 MB arrives whole, chunked and with its checksum in the trailer', async () => {
    const size = 40 * 1024 * 1024;
    const Body = Readable.from(pieces(40, 1024 * 1024), { objectMode: false });
    await client.send(new PutObjectCommand({ Bucket, Key: 'large', Body, ContentLength: size }));
    const expected = createHash('sha256');
    for await (const piece of pieces(40, 1024 * 1024)) expected.update(piece);
    const answer = await client.send(new GetObjectCommand({ Bucket, Key: 'large' }));
    const got = createHash('sha256').update((await answer.Body?.transformToByteArray()) ?? '');
    expect(got.digest('hex')).toBe(expected.digest('hex'));
    expect(answer.ContentEncoding).toBeUndefined();
  });

  it.each([
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
  ])('a read returns the range %s', async (Range, expected, range) => {
    await put('digits', '0123456789');
    const answer = await client.send(new GetObjectCommand({ Bucket, Key: 'digits', Range }));
    expect(await answer.Body?.transformToString()).toBe(expected);
    expect(answer).toMatchObject({ ContentRange: range, $metadata: { httpStatusCode: 206 } });
  });

  it('a range behind the end is refused', async () => {
    await put('digits', '0123456789');
    await expect(text('digits', { Range: 'bytes=10-' })).rejects.toMatchObject({ name: 'InvalidRange' });
  });

  it('a read may depend on the ETag', async () => {
    const { ETag } = await put('read-if', 'one');
    expect(await text('read-if', { IfMatch: ETag })).toBe('one');
    await put('read-if', 'two');
    await expect(text('read-if', { IfMatch: ETag })).rejects.toMatchObject({
      $metadata: { httpStatusCode: 412 },
    });
    const { ETag: now } = await client.send(new HeadObjectCommand({ Bucket, Key: 'read-if' }));
    await expect(text('read-if', { IfNoneMatch: now })).rejects.toMatchObject({
      $metadata: { httpStatusCode: 304 },
    });
  });

  it('one of racing puts with If-None-Match wins, and If-Match replaces only the version that the client read', async () => {
    const racers = ['a', 'b', 'c', 'd', 'e'].map((body) => put('once', body, { IfNoneMatch: '*' }));
    const results = await Promise.allSettled(racers);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(events).toHaveLength(1);
    await expect(put('once', 'z', { IfNoneMatch: '*' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    const { ETag } = await client.send(new HeadObjectCommand({ Bucket, Key: 'once' }));
    await put('once', 'replaced', { IfMatch: ETag });
    await expect(put('once', 'again', { IfMatch: ETag })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    await expect(put('never', 'x', { IfMatch: ETag })).rejects.toMatchObject({ name: 'NoSuchKey' });
    expect(await text('once')).toBe('replaced');
  });

  it.each([
    ['CRC32', { ChecksumCRC32: 'AAAAAA==' }],
    ['CRC32C', { ChecksumCRC32C: 'AAAAAA==' }],
    ['SHA-1', { ChecksumSHA1: Buffer.alloc(20).toString('base64') }],
    ['SHA-256', { ChecksumSHA256: Buffer.alloc(32).toString('base64') }],
    ['MD5', { ContentMD5: Buffer.alloc(16).toString('base64') }],
  ])('a wrong %s is refused and nothing is stored', async (_name, checksum) => {
    await expect(put('wrong', 'body', checksum)).rejects.toMatchObject({ name: 'BadDigest' });
    expect(s3.list(Bucket, 'wrong')).toEqual([]);
    expect(events).toEqual([]);
  });

  it.each(['CRC32', 'CRC32C', 'SHA1', 'SHA256'] as const)('a right %s is kept', async (ChecksumAlgorithm) => {
    await put('right', 'body', { ChecksumAlgorithm });
    const answer = await client.send(new GetObjectCommand({ Bucket, Key: 'right', ChecksumMode: 'ENABLED' }));
    expect(answer[`Checksum${ChecksumAlgorithm}`]).toBeDefined();
    expect(await answer.Body?.transformToString()).toBe('body');
  });

  it('an object can be copied', async () => {
    await put('from', 'copied', { ContentType: 'text/plain' });
    await client.send(new CopyObjectCommand({ Bucket, Key: 'to', CopySource: `${Bucket}/from` }));
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'from' }));
    expect(await text('to')).toBe('copied');
    await expect(text('from')).rejects.toMatchObject({ name: 'NoSuchKey' });
  });

  it('a reader finishes the object that it began, even if the object is replaced or deleted', async () => {
    await put('busy', bytes(3_000_000));
    const answer = await client.send(new GetObjectCommand({ Bucket, Key: 'busy' }));
    await client.send(new DeleteObjectCommand({ Bucket, Key: 'busy' }));
    expect((await answer.Body?.transformToByteArray())?.length).toBe(3_000_000);
  });

  it('objects are listed by prefix, delimiter and page, in byte order, and deleted in batches', async () => {
    const keys = ['l/a', 'l/b/1', 'l/b/2', 'l/c', 'l/é', 'l/😀', 'l/\uffee'];
    for (const key of keys) await put(key, key);
    const list = (more: object) => client.send(new ListObjectsV2Command({ Bucket, Prefix: 'l/', ...more }));
    const all: (string | undefined)[] = [];
    let ContinuationToken: string | undefined;
    do {
      const page = await list({ MaxKeys: 2, ContinuationToken });
      all.push(...(page.Contents ?? []).map(({ Key }) => Key));
      ContinuationToken = page.NextContinuationToken;
    } while (ContinuationToken !== undefined);
    expect(all).toEqual(
      keys.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right))),
    );
    const folders = await list({ Delimiter: '/' });
    expect(folders.CommonPrefixes).toEqual([{ Prefix: 'l/b/' }]);
    expect(folders.KeyCount).toBe(6);
    await client.send(
      new DeleteObjectsCommand({ Bucket, Delete: { Objects: keys.map((Key) => ({ Key })) } }),
    );
    expect((await list({})).Contents).toBeUndefined();
  });

  it('an unknown bucket is reported as unknown', async () => {
    await expect(
      client.send(new PutObjectCommand({ Bucket: 'nobody', Key: 'a', Body: 'b' })),
    ).rejects.toMatchObject({
      name: 'NoSuchBucket',
    });
  });

  it('a caller that may not list does not learn that an object is missing', async () => {
    addCaller(gateway, 'reader', [allow(['s3:GetObject'], [`arn:aws:s3:::${Bucket}/*`])]);
    const reader = bucketClient(gateway, 'reader');
    const get = new GetObjectCommand({ Bucket, Key: 'is-not-there' });
    await expect(reader.send(get)).rejects.toThrow(
      'perform: s3:ListBucket on resource: arn:aws:s3:::files because',
    );
    reader.destroy();
  });
});

describe('multipart uploads', () => {
  const PART = 5 * 1024 * 1024;
  const start = async (Key: string) => {
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ Bucket, Key, ContentType: 'text/csv', ChecksumAlgorithm: 'CRC32' }),
    );
    return { Bucket, Key, UploadId };
  };
  type Upload = Awaited<ReturnType<typeof start>>;
  const part = async (upload: Upload, PartNumber: number, Body: Buffer) => {
    const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand({ ...upload, PartNumber, Body }));
    return { ETag, PartNumber, ChecksumCRC32 };
  };
  const complete = (
    upload: Upload,
    Parts: { ETag?: string | undefined; ChecksumCRC32?: string | undefined; PartNumber: number }[],
    more: object = {},
  ) => client.send(new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts }, ...more }));

  it('the parts of an upload become one object, and ranges may cross the seam', async () => {
    const upload = await start('assembled');
    const second = await part(upload, 2, Buffer.from('-the end'));
    const first = await part(upload, 1, Buffer.alloc(PART, 'x'));
    const listed = await client.send(new ListPartsCommand(upload));
    expect(listed.Parts?.map(({ PartNumber }) => PartNumber)).toEqual([1, 2]);
    expect(events).toEqual([]);
    const { ETag } = await complete(upload, [first, second]);
    expect(ETag).toMatch(/^"[0-9a-f]{32}-2"$/);
    expect(await text('assembled', { Range: `bytes=${PART - 2}-${PART + 3}` })).toBe('xx-the');
    expect(events).toMatchObject([{ key: 'assembled', size: PART + 8, reason: 'CompleteMultipartUpload' }]);
    expect((await client.send(new HeadObjectCommand({ Bucket, Key: 'assembled' }))).ContentType).toBe(
      'text/csv',
    );
  });

  it('an upload takes parts from objects', async () => {
    await put('source', '0123456789');
    const upload = await start('part-copied');
    const { CopyPartResult } = await client.send(
      new UploadPartCopyCommand({
        ...upload,
        PartNumber: 1,
        CopySource: `${Bucket}/source`,
        CopySourceRange: 'bytes=2-4',
      }),
    );
    await complete(upload, [
      { ETag: CopyPartResult?.ETag, ChecksumCRC32: CopyPartResult?.ChecksumCRC32, PartNumber: 1 },
    ]);
    expect(await text('part-copied')).toBe('234');
  });

  it('an upload without a checksum algorithm takes no checksum of a part', async () => {
    const target = { Bucket, Key: 'plain' };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
    const sent = client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: 'x' }));
    await expect(sent).rejects.toMatchObject({
      name: 'InvalidRequest',
      message: textLike(/expected checksum Type: null, actual checksum Type: crc32/),
    });
  });

  it('an upload with a checksum algorithm is completed with the checksum of each part', async () => {
    const upload = await start('checked');
    const { ETag, PartNumber } = await part(upload, 1, Buffer.from('x'));
    await expect(complete(upload, [{ ETag, PartNumber }])).rejects.toMatchObject({
      name: 'InvalidRequest',
      message: textLike(/missing for part 1/),
    });
  });

  it('an upload completes only on condition', async () => {
    await put('taken', 'before');
    const upload = await start('taken');
    const only = await part(upload, 1, Buffer.from('after'));
    await expect(complete(upload, [only], { IfNoneMatch: '*' })).rejects.toMatchObject({
      name: 'PreconditionFailed',
    });
    expect(await text('taken')).toBe('before');
    await complete(upload, [only]);
    expect(await text('taken')).toBe('after');
  });

  it('an upload refuses small parts, wrong order, unknown parts and ended uploads', async () => {
    const upload = await start('refused');
    const parts = [await part(upload, 1, Buffer.from('small')), await part(upload, 2, Buffer.from('end'))];
    await expect(complete(upload, parts)).rejects.toMatchObject({ name: 'EntityTooSmall' });
    await expect(complete(upload, parts.toReversed())).rejects.toMatchObject({ name: 'InvalidPartOrder' });
    await expect(complete(upload, [{ ETag: '"0"', PartNumber: 1 }])).rejects.toMatchObject({
      name: 'InvalidPart',
    });
    await client.send(new AbortMultipartUploadCommand(upload));
    await expect(complete(upload, parts)).rejects.toMatchObject({ name: 'NoSuchUpload' });
    expect(s3.list(Bucket, 'refused')).toEqual([]);
  });
});
