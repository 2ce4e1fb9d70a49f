import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { objectsOf, type WantedRange } from '../../shared/runtime/s3-objects.ts';
import { readObject } from '../../shared/runtime/s3-read.ts';
import type { LoadedS3 } from '../../shared/runtime/s3-sdk.ts';
import { s3At } from '../support/s3-client.ts';
import { listening, type Listening } from '../support/listening.ts';

const object = randomBytes(200_000);
let server: Listening;
let s3: LoadedS3;
let ranges: (string | undefined)[] = [];

/** Bytes that the server sends of each answer before it cuts the line. */
let sent = 70_000;

beforeEach(async () => {
  ranges = [];
  const answering = createServer((request, response) => {
    ranges.push(request.headers.range);
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const part = object.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      'content-length': part.length,
      etag: '"e"',
    });
    if (part.length <= sent) response.end(part);
    else response.write(part.subarray(0, sent), () => response.destroy());
  });
  server = await listening(answering);
  s3 = s3At(server.url);
});
afterEach(async () => {
  s3.client.destroy();
  await server[Symbol.asyncDispose]();
});

const read = async (wanted: { from?: number; to?: number }): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  const objects = objectsOf(s3, 'b');
  const open = (range: WantedRange) => objects.open('k', range);
  for await (const chunk of readObject(open, { etag: '"e"', ...wanted })) chunks.push(chunk);
  return Buffer.concat(chunks);
};

it('takes a stream that is cut up again where it broke', async () => {
  sent = 70_000;
  expect((await read({})).equals(object)).toBe(true);
  expect(ranges.length).toBeGreaterThanOrEqual(3);
  expect(ranges[0]).toBeUndefined();
});

it('does so within a range', async () => {
  sent = 40_000;
  expect((await read({ from: 1_000, to: 120_000 })).equals(object.subarray(1_000, 120_001))).toBe(true);
  expect(ranges[0]).toBe('bytes=1000-120000');
  expect(ranges.every((range) => range?.endsWith('-120000'))).toBe(true);
});

it('gives up when nothing comes any more', async () => {
  sent = 0;
  await expect(read({})).rejects.toThrow(UnavailableError);
});
