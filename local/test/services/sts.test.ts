import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, expect, it } from 'vitest';
import { createS3 } from '../../services/s3/s3.ts';
import { createSts } from '../../services/sts/sts.ts';
import { addCaller, allow, clientOf, startGateway } from '../gateway/cloud.ts';

const RoleArn = 'arn:aws:iam::111122223333:role/partner';
const ROOT = 'arn:aws:iam::000000000000:root';
const assume = { RoleArn, RoleSessionName: 'test', ExternalId: 'right' };
const put = { Bucket: 'partner', Key: 'a.csv', Body: 'a' };
const trustOf = (principal: object) => ({
  Statement: [
    {
      Effect: 'Allow',
      Principal: principal,
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': 'right' } },
    },
  ],
});
const policy = { Statement: [{ Effect: 'Allow', Action: 's3:PutObject', Resource: '*' }] };

let now = Date.now();
const s3 = createS3();
s3.createBucket('own');
s3.createBucket('partner', { account: '111122223333', region: 'eu-central-1' });
const sts = createSts({ now: () => now, admit: (session) => gateway.registerCaller(session) });
const gateway = await startGateway([s3.service, sts.service]);
const client = new STSClient(clientOf(gateway));

afterAll(async () => {
  await gateway.close();
  s3.close();
});

/** A client of S3 with the credentials of the role. */
const session = async (region = 'eu-central-1'): Promise<S3Client> => {
  const { Credentials } = await client.send(new AssumeRoleCommand(assume));
  const credentials = {
    accessKeyId: Credentials?.AccessKeyId ?? '',
    secretAccessKey: Credentials?.SecretAccessKey ?? '',
    sessionToken: Credentials?.SessionToken ?? '',
  };
  return new S3Client({ ...clientOf(gateway), region, credentials, forcePathStyle: true });
};

it('a role that trusts the account lets it write to the bucket of the role, and nothing else', async () => {
  sts.putRole({ arn: RoleArn, trust: trustOf({ AWS: ROOT }), policy });
  const role = await session();
  await role.send(new PutObjectCommand(put));
  expect((await s3.get('partner', 'a.csv'))?.toString()).toBe('a');
  await expect(role.send(new GetObjectCommand(put))).rejects.toMatchObject({ name: 'AccessDenied' });
  // The policy of the role names every bucket; that of another account stays closed.
  await expect(role.send(new PutObjectCommand({ ...put, Bucket: 'own' }))).rejects.toMatchObject({
    name: 'AccessDenied',
  });
  const own = new S3Client({ ...clientOf(gateway), region: 'eu-central-1', forcePathStyle: true });
  await expect(own.send(new PutObjectCommand(put))).rejects.toMatchObject({ name: 'AccessDenied' });
});

it.each([
  ['another external id', { ...assume, ExternalId: 'wrong' }],
  ['no external id', { RoleArn, RoleSessionName: 'test' }],
  ['a role that does not exist', { ...assume, RoleArn: `${RoleArn}-2` }],
])('%s is refused', async (_, input) => {
  sts.putRole({ arn: RoleArn, trust: trustOf({ AWS: ROOT }), policy });
  await expect(client.send(new AssumeRoleCommand(input))).rejects.toMatchObject({ name: 'AccessDenied' });
});

it('a role that trusts another account, and a caller without the action, are refused', async () => {
  sts.putRole({ arn: RoleArn, trust: trustOf({ AWS: 'arn:aws:iam::999999999999:root' }), policy });
  await expect(client.send(new AssumeRoleCommand(assume))).rejects.toMatchObject({ name: 'AccessDenied' });
  sts.putRole({ arn: RoleArn, trust: trustOf({ AWS: '*' }), policy });
  addCaller(gateway, 'reader', [allow(['s3:GetObject'])]);
  const reader = new STSClient(clientOf(gateway, 'reader'));
  await expect(reader.send(new AssumeRoleCommand(assume))).rejects.toMatchObject({ name: 'AccessDenied' });
});

it('a session ends after its time', async () => {
  sts.putRole({ arn: RoleArn, trust: trustOf({ AWS: ROOT }), policy });
  now -= 2 * 3_600_000;
  const late = await session();
  now = Date.now();
  await expect(late.send(new PutObjectCommand(put))).rejects.toMatchObject({ name: 'ExpiredToken' });
});

it('a call for another region learns the region of the bucket', async () => {
  sts.putRole({ arn: RoleArn, trust: trustOf({ AWS: ROOT }), policy });
  const elsewhere = await session('eu-west-1');
  await expect(elsewhere.send(new PutObjectCommand(put))).rejects.toMatchObject({
    name: 'PermanentRedirect',
  });
});

it('a call that expects another owner of the bucket is refused', async () => {
  sts.putRole({ arn: RoleArn, trust: trustOf({ AWS: ROOT }), policy });
  const role = await session();
  await expect(
    role.send(new PutObjectCommand({ ...put, ExpectedBucketOwner: '999999999999' })),
  ).rejects.toMatchObject({ name: 'AccessDenied' });
});
