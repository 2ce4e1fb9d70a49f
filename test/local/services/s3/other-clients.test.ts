import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Gateway } from '../../../../local/gateway/gateway.ts';
import { createS3, type S3 } from '../../../../local/services/s3/s3.ts';
import { startGateway } from '../../gateway/cloud.ts';

/* What clients other than the JavaScript SDK need of S3. */

const Bucket = 'files';
let s3: S3;
let gateway: Gateway;

beforeAll(async () => {
  s3 = createS3();
  s3.createBucket(Bucket);
  gateway = await startGateway([s3.service]);
});
afterAll(async () => {
  await gateway.close();
  s3.close();
});

const authorization =
  'AWS4-HMAC-SHA256 Credential=AKIAtester/20260101/eu-west-1/s3/aws4_request, Signature=0';
const call = async (query: string, init: RequestInit = {}) => {
  const answer = await fetch(`${gateway.url}/${Bucket}?${query}`, { ...init, headers: { authorization } });
  return { status: answer.status, text: await answer.text() };
};

describe('a listing', () => {
  it('says that its keys are encoded when that was asked for, and only then', async () => {
    await s3.put(Bucket, 'a/ü &b', Buffer.from('x'));
    const encoded = await call('list-type=2&encoding-type=url');
    expect(encoded.text).toContain('<EncodingType>url</EncodingType>');
    expect(encoded.text).toContain('<Key>a/%C3%BC%20%26b</Key>');
    const plain = await call('list-type=2');
    expect(plain.text).not.toContain('EncodingType');
    expect(plain.text).toContain('<Key>a/ü &#38;b</Key>');
  });

  it('knows one encoding', async () => {
    expect((await call('list-type=2&encoding-type=base64')).status).toBe(400);
  });

  it('shows a key with a control character as a reference', async () => {
    await s3.put(Bucket, 'bell\u0007', Buffer.from('x'));
    expect((await call('list-type=2')).text).toContain('<Key>bell&#7;</Key>');
    s3.remove(Bucket, 'bell\u0007');
  });
});

describe('deleting many', () => {
  const remove = (key: string) =>
    call('delete', { method: 'POST', body: `<Delete><Object><Key>${key}</Key></Object></Delete>` });

  it.each(['a&#x1;b', 'a&#0;b', 'a\u0001b', 'a&#xFFFFFFFF;b', 'a&#55296;b'])(
    'refuses a document with a character that XML does not have: %j',
    async (key) => {
      await s3.put(Bucket, 'kept', Buffer.from('x'));
      const answer = await remove(key);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('<Code>MalformedXML</Code>');
      expect(s3.find(Bucket, 'kept')).toBeDefined();
    },
  );

  it('takes what XML has', async () => {
    await s3.put(Bucket, 'ä\t👩', Buffer.from('x'));
    expect((await remove('&#xE4;&#9;👩')).status).toBe(200);
    expect(s3.find(Bucket, 'ä\t👩')).toBeUndefined();
  });
});
