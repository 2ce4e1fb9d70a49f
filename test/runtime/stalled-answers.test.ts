/** Answers that stop in the middle, while their connection stays open. */
import { createServer } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timedHandler } from '../../shared/runtime/aws-client.ts';
import { objectsOf } from '../../shared/runtime/s3-objects.ts';
import { readObject } from '../../shared/runtime/s3-read.ts';
import type { ServiceOptions } from '../../shared/runtime/signed-service.ts';
import { dynamoDb } from '../../shared/table/dynamo-calls.ts';
import { s3At } from '../support/s3-client.ts';
import { listening, type Listening } from '../support/listening.ts';

const text = '{"Items":[],"Count":0,"ScannedCount":0}';
/** An answer that takes longer counts as stalled. A busy machine answers sooner. */
const STALL_MS = 500;
let server: Listening;
let options: ServiceOptions;
/** The first byte of each answer. */
let begins: number[] = [];

beforeEach(async () => {
  begins = [];
  const answering = createServer((request, response) => {
    request.resume();
    const [, from = '0'] = /bytes=(\d+)/.exec(request.headers.range ?? '') ?? [];
    begins.push(Number(from));
    const rest = text.slice(Number(from));
    response.writeHead(200, { 'content-length': rest.length, etag: '"e"' });
    // The first answer stops after ten bytes; later ones are whole.
    if (begins.length === 1) response.write(rest.slice(0, 10));
    else response.end(rest);
  });
  server = await listening(answering);
  options = {
    region: 'eu-west-1',
    endpoint: server.url,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' },
    handler: timedHandler(STALL_MS),
  };
});
afterEach(() => server[Symbol.asyncDispose]());

describe('an answer that stalls after its headers', () => {
  it('ends its attempt, and the call is sent again', async () => {
    const client = dynamoDb(options);
    expect(await client.call('Query', { TableName: 't' })).toMatchObject({ Items: [], Count: 0 });
    expect(begins).toEqual([0, 0]);
    client.destroy();
  });

  it('ends the stream of an object, which goes on behind its last byte', async () => {
    const s3 = s3At(options.endpoint ?? '', STALL_MS);
    const objects = objectsOf(s3, 'b');
    const chunks: Uint8Array[] = [];
    for await (const chunk of readObject((range) => objects.open('k', range), { etag: '"e"' }))
      chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe(text);
    expect(begins).toEqual([0, 10]);
    s3.client.destroy();
  });
});
