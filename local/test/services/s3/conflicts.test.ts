import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { putObject } from '../../../services/s3/objects.ts';
import { parseRequest } from '../../../services/s3/requests.ts';
import { openStore, type Commit, type Store } from '../../../services/s3/store.ts';

let store: Store;
beforeEach(() => {
  store = openStore();
  store.create('files', { account: '000000000000' });
});
afterEach(() => store.close());

const commit: Commit = (bucket, object, reason) => {
  store.put(bucket, object);
  return { bucket, key: object.key, size: object.size, etag: object.etag, reason };
};

/** A put of four bytes, whose body is open. */
const put = (key: string, more: Readonly<Record<string, string>> = {}) => {
  const body = new PassThrough();
  const headers = { 'content-length': '4', ...more };
  const request = { method: 'PUT', path: `/files/${key}`, query: new URLSearchParams(), headers, body };
  const answer = putObject(store, parseRequest(request), headers, commit);
  // The error is looked at later.
  answer.catch(() => undefined);
  return { body, answer };
};
const conditional = { 'if-none-match': '*' };
const conflict = { code: 'ConditionalRequestConflict', status: 409 };

it('a put with If-None-Match is refused while another put of its key is open, and may come again', async () => {
  const first = put('a', conditional);
  await expect(put('a', conditional).answer).rejects.toMatchObject(conflict);
  const other = put('b', conditional);
  for (const { body } of [first, other]) body.end('abcd');
  expect((await first.answer).status).toBe(200);
  expect((await other.answer).status).toBe(200);
  await expect(put('a', conditional).answer).rejects.toMatchObject({ status: 412 });
});

it('a put with If-None-Match goes through after another put of its key was broken off', async () => {
  const first = put('a');
  await expect(put('a', conditional).answer).rejects.toMatchObject(conflict);
  first.body.destroy();
  await expect(first.answer).rejects.toThrow();
  const again = put('a', conditional);
  again.body.end('abcd');
  expect((await again.answer).status).toBe(200);
});

it('puts without a condition do not conflict', async () => {
  const both = [put('a'), put('a')];
  for (const { body } of both) body.end('abcd');
  for (const { answer } of both) expect((await answer).status).toBe(200);
});
