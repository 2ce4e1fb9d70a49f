import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { ServiceError } from '../../local/core/service-error.ts';
import type { Gateway } from '../../local/gateway/gateway.ts';
import { createS3, type S3 } from '../../local/services/s3/s3.ts';
import { createSts, type Sts } from '../../local/services/sts/sts.ts';
import { openClientBucket } from '../../shared/runtime/client-bucket.ts';
import type { BucketFault, ClientBucket } from '../../shared/runtime/ports.ts';
import { startGateway } from '../../local/test/gateway/cloud.ts';
import { stubAws } from './aws-environment.ts';

const external_id = 'tidemark-7-right';
const ref = {
  bucket: 'partner',
  region: 'eu-central-1',
  role_arn: 'arn:aws:iam::111122223333:role/tidemark-destination-crm',
  external_id,
};
const contentType = 'text/csv';

/** A trust policy for the account of the service. */
const trust = (Condition: object) => ({
  Statement: [
    {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::000000000000:root' },
      Action: 'sts:AssumeRole',
      Condition,
    },
  ],
});
const guarded = trust({ StringEquals: { 'sts:ExternalId': external_id } });
const write = ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'];
const policy = (Action: readonly string[]) => ({ Statement: [{ Effect: 'Allow', Action, Resource: '*' }] });

let gateway: Gateway;
let s3: S3;
let sts: Sts;

beforeAll(async () => {
  s3 = createS3();
  s3.createBucket('own');
  s3.createBucket('partner', { account: '111122223333', region: 'eu-central-1' });
  s3.createBucket('sniped', { account: '999999999999', region: 'eu-central-1', admitsAll: true });
  sts = createSts({ now: Date.now, admit: (session) => gateway.registerCaller(session) });
  gateway = await startGateway([s3.service, sts.service]);
  stubAws(gateway.url, 'us-east-1');
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await gateway.close();
  s3.close();
});

beforeEach(() => sts.putRole({ arn: ref.role_arn, trust: guarded, policy: policy(write) }));

const put = async (more: object = {}): Promise<void> => {
  const bucket = await openClientBucket({ ...ref, ...more }, 'test');
  try {
    await bucket.put('in/a.csv', Buffer.from('a'), { contentType });
  } finally {
    bucket.close();
  }
};

const refused = (fault: BucketFault) => ({ name: 'BucketRefusedError', fault });

it('a bucket takes a file by the role of its client', async () => {
  await put();
  expect((await s3.get('partner', 'in/a.csv'))?.toString()).toBe('a');
});

it('an upload in parts is one object at its end, and none after it was discarded', async () => {
  const bucket = await openClientBucket(ref, 'test');
  const bodies = [Buffer.alloc(5_242_880, 'a'), Buffer.from('b')];
  const begin = async (key: string) => {
    const upload = await bucket.parts.begin(key, { checked: true, contentType });
    for (const [index, body] of bodies.entries())
      await bucket.parts.put(key, { upload, part: index + 1, body });
    return upload;
  };
  const upload = await begin('parts.csv');
  expect(s3.find('partner', 'parts.csv')).toBeUndefined();
  const parts = (await bucket.parts.list('parts.csv', upload)) ?? [];
  expect(await bucket.parts.complete('parts.csv', upload, parts)).toBeTypeOf('string');
  expect(await s3.get('partner', 'parts.csv')).toEqual(Buffer.concat(bodies));
  const discarded = await begin('discarded.csv');
  await bucket.parts.abort('discarded.csv', discarded);
  await bucket.parts.abort('discarded.csv', discarded);
  expect(await bucket.parts.list('discarded.csv', discarded)).toBeUndefined();
  expect(s3.find('partner', 'discarded.csv')).toBeUndefined();
  bucket.close();
});

it.each<readonly [string, object, BucketFault]>([
  ['another external id', { external_id: 'tidemark-8-wrong' }, 'role_refused'],
  ['a role that does not exist', { role_arn: `${ref.role_arn}-2` }, 'role_refused'],
  ['another region', { region: 'eu-west-1' }, 'other_region'],
  ['a bucket that does not exist', { bucket: 'missing' }, 'no_bucket'],
  ['a bucket of the service', { bucket: 'own' }, 'access_denied'],
  [
    'a bucket that a third account made under the name of a deleted bucket, and opened to all',
    { bucket: 'sniped' },
    'access_denied',
  ],
])('%s is refused', async (_, more, fault) => {
  await expect(put(more)).rejects.toMatchObject(refused(fault));
});

it.each([
  ['no condition', {}],
  ['any external id', { StringLike: { 'sts:ExternalId': '*' } }],
])('a role with %s is refused, because every client of the service could use it', async (_, condition) => {
  sts.putRole({ arn: ref.role_arn, trust: trust(condition), policy: policy(write) });
  await expect(put()).rejects.toMatchObject(refused('role_unguarded'));
});

it('a role without the right to write is refused', async () => {
  sts.putRole({ arn: ref.role_arn, trust: guarded, policy: policy(['s3:GetObject']) });
  await expect(put()).rejects.toMatchObject(refused('access_denied'));
});

it.each<readonly [string, number, BucketFault]>([
  ['KMS.DisabledException', 400, 'refused'],
  ['KMS.NotFoundException', 400, 'refused'],
  ['InvalidRequest', 400, 'refused'],
  ['MethodNotAllowed', 405, 'refused'],
  ['ObjectLockConfigurationNotFoundError', 404, 'refused'],
  ['InvalidAccessKeyId', 403, 'access_denied'],
  ['KMS.ThrottlingException', 400, 'unavailable'],
  ['OperationAborted', 409, 'unavailable'],
  ['InternalError', 500, 'unavailable'],
])('%s (%d) of the bucket is the fault %s', async (code, status, fault) => {
  const bucket = await openClientBucket(ref, 'test');
  gateway.addService({
    ...s3.service,
    handle: () => Promise.reject(new ServiceError(code, 'Refused.', status)),
  });
  try {
    const call = bucket.put('a.csv', Buffer.from('a'), { contentType });
    await expect(call).rejects.toMatchObject(refused(fault));
  } finally {
    gateway.addService(s3.service);
    bucket.close();
  }
});

it('a call of a bucket that AWS cannot serve is refused for now', async () => {
  const bucket: ClientBucket = await openClientBucket(ref, 'test');
  const restore = gateway.failing('tidemark-destination-crm');
  const call = bucket.put('a.csv', Buffer.from('a'), { contentType });
  await expect(call).rejects.toMatchObject(refused('unavailable'));
  restore();
  bucket.close();
});
