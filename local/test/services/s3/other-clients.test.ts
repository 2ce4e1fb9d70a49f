import { afterAll, describe, expect, it } from 'vitest';
import { signedFetch } from '../../support/signed-fetch.ts';
import { clientOf } from '../../gateway/cloud.ts';
import { Bucket, startS3 } from '../../gateway/bucket.ts';

/* Requirements of clients other than the JavaScript SDK. */
const { s3, gateway, stop } = await startS3();
afterAll(stop);

const call = async (query: string, init: { readonly method?: string; readonly body?: string } = {}) => {
  const { credentials } = clientOf(gateway);
  const answer = await signedFetch(`${gateway.url}/${Bucket}?${query}`, {
    service: 's3',
    credentials,
    ...init,
  });
  return { status: answer.status, text: await answer.text() };
};

describe('a listing', () => {
  it('a listing reports encoded keys only when the client requested the encoding', async () => {
    await s3.put(Bucket, 'a/ü &b', Buffer.from('x'));
    const encoded = await call('list-type=2&encoding-type=url');
    expect(encoded.text).toContain('<EncodingType>url</EncodingType>');
    expect(encoded.text).toContain('<Key>a/%C3%BC%20%26b</Key>');
    const plain = await call('list-type=2');
    expect(plain.text).not.toContain('EncodingType');
    expect(plain.text).toContain('<Key>a/ü &#38;b</Key>');
  });

  it('a listing refuses an unknown encoding', async () => {
    expect((await call('list-type=2&encoding-type=base64')).status).toBe(400);
  });

  it('shows a key with a control character as a reference', async () => {
    await s3.put(Bucket, 'bell\u0007', Buffer.from('x'));
    expect((await call('list-type=2')).text).toContain('<Key>bell&#7;</Key>');
    s3.remove(Bucket, 'bell\u0007');
  });
});

describe('a DeleteObjects request', () => {
  const remove = (key: string) =>
    call('delete', { method: 'POST', body: `<Delete><Object><Key>${key}</Key></Object></Delete>` });

  it.each(['a&#x1;b', 'a&#0;b', 'a\u0001b', 'a&#xFFFFFFFF;b', 'a&#55296;b'])(
    'a document with a character that XML does not have is refused: %j',
    async (key) => {
      await s3.put(Bucket, 'kept', Buffer.from('x'));
      const answer = await remove(key);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain('<Code>MalformedXML</Code>');
      expect(s3.find(Bucket, 'kept')).toBeDefined();
    },
  );

  it('a document with the characters of XML is accepted', async () => {
    await s3.put(Bucket, 'ä\t👩', Buffer.from('x'));
    expect((await remove('&#xE4;&#9;👩')).status).toBe(200);
    expect(s3.find(Bucket, 'ä\t👩')).toBeUndefined();
  });
});
