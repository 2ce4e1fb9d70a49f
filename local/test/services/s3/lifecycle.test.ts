import { CreateMultipartUploadCommand, ListPartsCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { LifecycleRule } from '../../../services/s3/lifecycle.ts';
import { createS3, type S3 } from '../../../services/s3/s3.ts';
import { newFolders } from '../../support/folders.ts';
import { Bucket, startS3 } from '../../gateway/bucket.ts';

const newFolder = newFolders();

const DAY_MS = 86_400_000;
const rule = (one: Partial<LifecycleRule>): LifecycleRule => ({
  ...{ prefix: '', largerThan: -1, days: undefined, uploadDays: undefined },
  ...one,
});
const open = (dataDir: string): S3 => {
  const s3 = createS3({ dataDir });
  for (const name of [Bucket, 'others']) s3.createBucket(name);
  return s3;
};
const blobsIn = (dataDir: string) => readdirSync(join(dataDir, 'blobs'));

/** The midnight after so many days. */
const after = (from: number, days: number): number => Math.ceil(from / DAY_MS + days) * DAY_MS;

it('an object goes at the midnight after its days, by the shortest rule for its key and its size', async () => {
  const dataDir = newFolder();
  const s3 = open(dataDir);
  for (const [key, body] of Object.entries({ 'a/1': 'x', 'a/b/1': 'x', 'a/empty': '', 'c/1': 'x' }))
    await s3.put(Bucket, key, Buffer.from(body));
  await s3.put('others', 'a/1', Buffer.from('x'));
  const rules = [
    rule({ prefix: 'a/', days: 30, largerThan: 0 }),
    rule({ prefix: 'a/b/', days: 1 }),
    rule({ uploadDays: 1 }),
  ];
  const stored = s3.find(Bucket, 'a/b/1')?.modified ?? 0;
  s3.expire(Bucket, rules, after(stored, 1) - 1);
  expect(s3.list(Bucket)).toEqual(['a/1', 'a/b/1', 'a/empty', 'c/1']);
  s3.expire(Bucket, rules, after(stored, 1));
  expect(s3.list(Bucket)).toEqual(['a/1', 'a/empty', 'c/1']);
  s3.expire(Bucket, rules, after(Date.now(), 30));
  expect(s3.list(Bucket)).toEqual(['a/empty', 'c/1']);
  expect(s3.list('others')).toEqual(['a/1']);
  expect(blobsIn(dataDir)).toHaveLength(3);
  s3.close();
  const again = open(dataDir);
  expect(again.list(Bucket)).toEqual(['a/empty', 'c/1']);
  again.close();
});

it('an upload that nobody completes ends with its parts, also one of an earlier version', async () => {
  const dataDir = newFolder();
  const { s3, client, stop } = await startS3({ dataDir });
  const begin = async (Key: string) => {
    const target = { Bucket, Key };
    const { UploadId } = await client.send(
      new CreateMultipartUploadCommand({ ...target, ChecksumAlgorithm: 'CRC32' }),
    );
    await client.send(new UploadPartCommand({ ...target, UploadId, PartNumber: 1, Body: 'part' }));
    return { ...target, UploadId };
  };
  const [ended, goesOn] = [await begin('a/1'), await begin('b/1')];
  const rules = [rule({ prefix: 'a/', uploadDays: 2, days: 1 })];
  s3.expire(Bucket, rules, after(Date.now(), 2) - DAY_MS);
  expect(blobsIn(dataDir)).toHaveLength(2);
  s3.expire(Bucket, rules, after(Date.now(), 2));
  await expect(client.send(new ListPartsCommand(ended))).rejects.toThrow('does not exist');
  expect((await client.send(new ListPartsCommand(goesOn))).Parts).toHaveLength(1);
  expect(blobsIn(dataDir)).toHaveLength(1);
  await stop();

  const journal = join(dataDir, 'objects.jsonl');
  writeFileSync(journal, readFileSync(journal, 'utf8').replaceAll(/,"started":\d+/g, ''));
  const again = open(dataDir);
  again.expire(Bucket, [rule({ uploadDays: 2 })], Date.now());
  expect(blobsIn(dataDir)).toHaveLength(1);
  again.expire(Bucket, [rule({ uploadDays: 2 })], after(Date.now(), 2));
  expect(blobsIn(dataDir)).toHaveLength(0);
  again.close();
});
