/** Listing: answers ListObjectsV2 in S3's order of keys. */
import type { AwsResponse } from '../../core/types.ts';
import { type Xml, xmlResponse } from '../../core/xml.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { S3Request } from './requests.ts';
import type { Bucket, Store, StoredObject } from './store.ts';

/** S3 lists at most 1,000 keys per page. */
const MAX_KEYS = 1000;

/** Keys in S3's order: by their UTF-8 bytes. */
export const sortedKeys = (bucket: Bucket, prefix: string): string[] =>
  [...bucket.objects.keys()].filter((key) => key.startsWith(prefix)).sort(byBytes);

const byBytes = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

/** ListObjectsV2 with prefix, delimiter, start-after and continuation. */
export const listObjects = (store: Store, { bucket, query }: S3Request): AwsResponse => {
  const prefix = query.get('prefix') ?? '';
  const delimiter = query.get('delimiter') ?? '';
  const max = Math.min(Number(query.get('max-keys') ?? MAX_KEYS), MAX_KEYS);
  if (!Number.isInteger(max) || max < 0)
    throw new ServiceError('InvalidArgument', 'max-keys is not a number');
  const token = query.get('continuation-token');
  const after =
    token === null ? (query.get('start-after') ?? '') : Buffer.from(token, 'base64url').toString('utf8');
  const found = store.bucket(bucket);
  const page = pageOf(sortedKeys(found, prefix), { prefix, delimiter, after, max });
  const encoding = query.get('encoding-type') ?? undefined;
  if (encoding !== undefined && encoding !== 'url')
    throw new ServiceError('InvalidArgument', 'Invalid Encoding Method specified in Request');
  const encode = encoding === 'url' ? urlEncoded : (text: string) => text;
  const contents = page.keys.flatMap((key) => entryOf(found.objects.get(key), encode));
  return xmlResponse('ListBucketResult', {
    Name: bucket,
    Prefix: encode(prefix),
    Delimiter: delimiter === '' ? undefined : encode(delimiter),
    MaxKeys: max,
    // Clients decode the keys only when the answer has this element.
    EncodingType: encoding,
    KeyCount: page.keys.length + page.prefixes.length,
    IsTruncated: page.next !== undefined,
    NextContinuationToken: page.next === undefined ? undefined : Buffer.from(page.next).toString('base64url'),
    Contents: contents,
    CommonPrefixes: page.prefixes.map((one) => ({ Prefix: encode(one) })),
  });
};

/** URL encoding of keys in S3's form, which keeps slashes. */
const urlEncoded = (text: string): string => encodeURIComponent(text).replaceAll('%2F', '/');

const entryOf = (object: StoredObject | undefined, encode: (text: string) => string): Xml[] =>
  object
    ? [
        {
          Key: encode(object.key),
          // S3 has whole seconds.
          LastModified: new Date(Math.floor(object.modified / 1000) * 1000).toISOString(),
          ETag: object.etag,
          Size: object.size,
          StorageClass: 'STANDARD',
        },
      ]
    : [];

interface Paging {
  readonly prefix: string;
  readonly delimiter: string;
  readonly after: string;
  readonly max: number;
}

/** One page. `next` is the key or common prefix after which the next page starts. */
const pageOf = (sorted: readonly string[], { prefix, delimiter, after, max }: Paging) => {
  const keys: string[] = [];
  const prefixes: string[] = [];
  let last = '';
  for (const key of sorted) {
    const end = delimiter === '' ? -1 : key.indexOf(delimiter, prefix.length);
    const shared = end < 0 ? undefined : key.slice(0, end + delimiter.length);
    const name = shared ?? key;
    if (name === last || byBytes(name, after) <= 0 || (shared !== undefined && after.startsWith(shared)))
      continue;
    if (keys.length + prefixes.length >= max)
      return { keys, prefixes, ...(last === '' ? {} : { next: last }) };
    if (shared === undefined) keys.push(key);
    else prefixes.push(shared);
    last = name;
  }
  return { keys, prefixes };
};
