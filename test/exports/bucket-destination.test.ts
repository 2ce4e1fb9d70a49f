import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { deliveriesAnswer, exportAnswer } from '../../shared/exports/model/answers.ts';
import { externalIdOf } from '../../shared/exports/model/s3-destination.ts';
import { exportsHarness, bodyOf, segment, type ExportsHarness } from './harness.ts';
import { exportToBucket, refuse, s3_destination, onlyObject, ranToBucket } from './bucket.ts';
import { fileOf, path, ref, runAll, bytesOf } from './steps.ts';

const PART = 8_388_608;
const large = { count: 9, textBytes: 1_000_000 };

const deliveryOf = async (made: ExportsHarness) => {
  const { deliveries } = v.parse(deliveriesAnswer, bodyOf(await made.listDeliveries(path)));
  return deliveries.find(({ kind }) => kind === 's3');
};

describe('an export to a bucket', () => {
  it('shows the external id and both policies, and can be sent back', async () => {
    const { made, body } = await exportToBucket({ directory: '/in/{date}' });
    const external_id = externalIdOf(7, made.keys.externalIds);
    const shown = {
      ...s3_destination,
      external_id,
      trust_policy: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Principal: { AWS: made.accountArn },
            Action: 'sts:AssumeRole',
            Condition: { StringEquals: { 'sts:ExternalId': external_id } },
          },
        ],
      },
      permission_policy: {
        Version: '2012-10-17',
        Statement: [
          {
            Effect: 'Allow',
            Action: ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts'],
            Resource: 'arn:aws:s3:::crm-inbox/in/*',
          },
          {
            Effect: 'Allow',
            Action: 's3:DeleteObject',
            Resource: 'arn:aws:s3:::crm-inbox/in/.tidemark-test-*',
          },
        ],
      },
    };
    expect(body['s3_destination']).toEqual(shown);
    const read = bodyOf(await made.read(path));
    expect(v.is(exportAnswer, read)).toBe(true);
    expect(read['s3_destination']).toEqual(shown);
  });

  it('has its key below the directory of its permission policy, in whatever form the client wrote that', async () => {
    const decomposed = { directory: 'Ga\u0308ste', file_name: 'Mu\u0308nchen.csv' };
    const { made, bucket, put } = await exportToBucket(decomposed);
    const body = v.parse(exportAnswer, bodyOf(await made.read(path)));
    expect(body).toMatchObject({ directory: 'G\u00e4ste', file_name: 'M\u00fcnchen.csv' });
    const [write] = body.s3_destination?.permission_policy.Statement ?? [];
    expect(write).toMatchObject({ Resource: 'arn:aws:s3:::crm-inbox/G\u00e4ste/*' });
    await runAll(made);
    await put(ref);
    expect(await bucket.objects.list('')).toEqual(['G\u00e4ste/M\u00fcnchen.csv']);
  });

  it('gets an external id of its property, which no body can choose and no other property has', async () => {
    const { made } = await exportToBucket();
    const { keys } = made;
    expect(externalIdOf(7, keys.externalIds)).not.toBe(externalIdOf(7, exportsHarness().keys.externalIds));
    expect(externalIdOf(7, keys.externalIds)).not.toBe(externalIdOf(8, keys.externalIds));
    const chosen = { ...s3_destination, external_id: 'chosen' };
    expect(await made.create({ segment: [segment(2)], s3_destination: chosen })).toMatchObject({
      ok: false,
      error: { errors: [{ pointer: '/s3_destination/external_id', code: 'unknown_field' }] },
    });
  });

  it('names every fault of the bucket, its region and its role', async () => {
    const made = exportsHarness();
    const wrong = { bucket: '169.254.169.254', region: 'evil.example', role_arn: 'arn:aws:iam::1:role/x' };
    expect(await made.create({ segment: [segment(2)], s3_destination: wrong })).toMatchObject({
      ok: false,
      error: {
        errors: [
          { pointer: '/s3_destination/bucket', code: 'not_a_bucket' },
          { pointer: '/s3_destination/region', code: 'not_a_region' },
          { pointer: '/s3_destination/role_arn', code: 'not_a_role' },
        ],
      },
    });
  });

  it.each([
    [null, ''],
    ['/', ''],
    ['/in/{counter}/', 'in/1/'],
    ['in', 'in/'],
  ])('of directory %j has the key %jlist.csv', async (directory, folder) => {
    const { made, bucket, put } = await ranToBucket({ directory, file_name: 'list.csv' });
    expect(await put(ref)).toMatchObject({ delivered: true });
    const stored = await bucket.objects.get(`${folder}list.csv`);
    expect(Buffer.from(stored ?? []).equals((await fileOf(made)).bytes)).toBe(true);
    expect(await bucket.objects.list('')).toHaveLength(1);
    expect(bucket.opened).toMatchObject([
      { ref: { bucket: 'crm-inbox' }, session: `tidemark-export-${ref.export}` },
    ]);
    expect(await made.exports.upload(ref)).toBeUndefined();
  });

  it('names its object in the webhook and in the mail', async () => {
    const { made } = await ranToBucket({
      file_name: 'list.csv',
      notification_email: 'Ada@example.test',
      webhook_url: 'https://hooks.example.com/x',
    });
    await made.sendEmail(ref);
    await made.deliver(ref);
    expect(made.mails[0]?.text).toContain('In your bucket: s3://crm-inbox/list.csv');
    expect(JSON.parse(made.sent[0]?.body ?? '')).toMatchObject({ s3_object: 's3://crm-inbox/list.csv' });
  });
});

describe('a file of several parts', () => {
  it('arrives whole, and the bucket shows it only then', async () => {
    const { made, bucket, put } = await ranToBucket({}, large);
    const seen: number[] = [];
    bucket.before = () => void bucket.objects.list('').then((keys) => seen.push(keys.length));
    expect(await put(ref)).toMatchObject({ delivered: true });
    const bytes = await bytesOf(made);
    expect(bytes.length).toBeGreaterThan(PART);
    expect((await onlyObject(bucket)).equals(bytes)).toBe(true);
    expect(new Set(seen)).toEqual(new Set([0]));
    expect(await made.exports.upload(ref)).toBeUndefined();
  });

  it.each(['list', 'part 1', 'part 2', 'complete'])(
    'goes on after a kill before %s, with the parts that it has',
    async (where) => {
      const { made, bucket, put } = await ranToBucket({}, large);
      bucket.before = (operation) => {
        if (operation === where) throw new Error('killed');
      };
      await expect(put(ref)).rejects.toThrow('killed');
      expect(await bucket.objects.list('')).toEqual([]);
      const calls: string[] = [];
      bucket.before = (operation) => void calls.push(operation);
      made.fakes.now += 900_000;
      expect(await put(ref)).toMatchObject({ delivered: true });
      expect(calls).not.toContain('begin');
      if (where === 'part 2') expect(calls).not.toContain('part 1');
      expect((await onlyObject(bucket)).equals(await bytesOf(made))).toBe(true);
      expect(await made.exports.upload(ref)).toBeUndefined();
    },
  );

  it('arrives once more when the attempt that completed it died before it could tell', async () => {
    const { made, bucket, put } = await ranToBucket({}, large);
    bucket.after = (operation) => {
      if (operation === 'complete') throw new Error('killed');
    };
    await expect(put(ref)).rejects.toThrow('killed');
    bucket.after = () => undefined;
    made.fakes.now += 900_000;
    expect(await put(ref)).toMatchObject({ delivered: true });
    expect(await bucket.objects.list('')).toHaveLength(1);
    expect(await made.exports.upload(ref)).toBeUndefined();
  });

  it('of an attempt that froze for an hour is not completed by it when it thaws', async () => {
    const { made, bucket, put } = await ranToBucket({}, large);
    bucket.before = (operation) => {
      if (operation === 'complete') made.fakes.now += 3_600_000;
    };
    await put(ref);
    expect(await bucket.objects.list('')).toEqual([]);
    bucket.before = () => undefined;
    made.fakes.now += 60_000;
    expect(await put(ref)).toMatchObject({ delivered: true });
  });

  it('that takes longer than an attempt goes on in the next attempt', async () => {
    const { made, bucket, put } = await ranToBucket({}, large);
    bucket.before = (operation) => {
      if (operation === 'list') made.fakes.now += 780_000;
    };
    expect(await put(ref)).toEqual({ delivered: false, exhausted: false, wait_seconds: 1 });
    expect(await deliveryOf(made)).toMatchObject({ state: 'retrying', attempts: 0, last_error: null });
    expect(await bucket.objects.list('')).toEqual([]);
    bucket.before = () => undefined;
    expect(await put(ref)).toMatchObject({ delivered: true });
  });

  it('is discarded after a refusal, so that its parts cost the client nothing', async () => {
    const { made, bucket, put } = await ranToBucket({}, large);
    const calls: string[] = [];
    refuse(bucket, 'access_denied', /part 2/);
    const refusing = bucket.before;
    bucket.before = (operation) => {
      calls.push(operation);
      refusing(operation);
    };
    expect(await put(ref)).toMatchObject({ delivered: false });
    expect(calls.at(-1)).toBe('abort');
    expect(await made.exports.upload(ref)).toBeUndefined();
  });

  it('keeps its parts while AWS does not answer', async () => {
    const { made, bucket, put } = await ranToBucket({}, large);
    refuse(bucket, 'unavailable', /complete/);
    await put(ref);
    expect(await deliveryOf(made)).toMatchObject({ state: 'retrying', attempts: 1 });
    const calls: string[] = [];
    bucket.before = (operation) => void calls.push(operation);
    made.fakes.now += 60_000;
    expect(await put(ref)).toMatchObject({ delivered: true });
    expect(calls).toEqual(['open', 'list', 'complete']);
  });

  it('whose upload was discarded in the bucket begins anew', async () => {
    const { made, bucket, put } = await ranToBucket({}, large);
    bucket.before = (operation) => {
      if (operation === 'complete') bucket.parts.discard('upload-1');
    };
    await put(ref);
    expect(await deliveryOf(made)).toMatchObject({
      last_error: 'the upload no longer exists in the bucket; it begins anew',
    });
    made.fakes.now += 60_000;
    expect(await put(ref)).toMatchObject({ delivered: true });
  });
});

it('an empty file arrives', async () => {
  const { made, bucket, put } = await exportToBucket({ data_format: 'jsonl' }, { count: 0 });
  await runAll(made);
  expect(await put(ref)).toMatchObject({ delivered: true });
  const [key = ''] = await bucket.objects.list('');
  expect(await bucket.objects.get(key)).toHaveLength(0);
});

describe('a bucket that refuses', () => {
  it.each([
    [
      'role_refused',
      'open',
      /^the role does not let the service assume it; give \S+:role\/tidemark-destination-crm the trust_policy of the export: principal arn:aws:iam::000000000000:root, external id tidemark-7-[\da-f]{32}$/,
    ],
    [
      'role_unguarded',
      'open',
      /^the role lets the service assume it under any external id; let the trust policy of/,
    ],
    [
      'access_denied',
      'part 1',
      /^the bucket refused the service; give \S+ the permission_policy of the export/,
    ],
    [
      'refused',
      'complete',
      /^AWS refused the request, and not for a missing permission; check that the default KMS key of the bucket crm-inbox exists and is enabled/,
    ],
    ['no_bucket', 'begin', /^there is no such bucket; create the bucket crm-inbox in eu-central-1/],
    ['other_region', 'begin', /^the bucket is not in eu-central-1; correct s3_destination.region$/],
    ['unavailable', 'begin', /^AWS did not answer in time; the service tries again$/],
  ] as const)('with %s at %s is tried again, and the log says what to do', async (fault, at, error) => {
    const { made, bucket, put } = await ranToBucket();
    refuse(bucket, fault, new RegExp(`^${at}$`));
    const { wait_seconds } = await put(ref);
    const refused = await deliveryOf(made);
    expect(refused).toMatchObject({ state: 'retrying', attempts: 1 });
    expect(refused?.last_error).toMatch(error);
    bucket.before = () => undefined;
    made.fakes.now += wait_seconds * 1000;
    expect(await put(ref)).toMatchObject({ delivered: true });
  });
});
