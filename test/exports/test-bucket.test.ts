import { describe, expect, it } from 'vitest';
import { exportToBucket, refuse } from './bucket.ts';
import { tested } from './tested.ts';

describe('POST exports/{export_id}/test of an export to a bucket', () => {
  it('assumes the role, puts a small object below the directory, and removes it', async () => {
    const { made, bucket } = await exportToBucket({ directory: '/in/{date}/', start: false });
    const calls: string[] = [];
    let key: string | undefined;
    bucket.before = (operation) => {
      calls.push(operation);
      if (operation === 'remove') void bucket.objects.list('').then(([first]) => (key = first));
    };
    expect(await tested(made, bucket.open)).toEqual({
      ok: true,
      steps: ['assume_role', 'put_object', 'delete_object'].map((step) => ({
        step,
        result: 'ok',
        message: null,
      })),
      host_key: null,
    });
    expect(calls).toEqual(['open', 'put', 'remove']);
    expect(key).toMatch(/^in\/\.tidemark-test-[\da-f]{16}$/);
    expect(await bucket.objects.list('')).toEqual([]);
  });

  it.each([
    [
      'role_refused',
      'open',
      'assume_role',
      /^The role does not let the service assume it\. Give \S+ the trust_policy/,
    ],
    [
      'role_unguarded',
      'open',
      'assume_role',
      /^The role lets the service assume it under any external id\. Let /,
    ],
    [
      'no_bucket',
      'put',
      'put_object',
      /^There is no such bucket\. Create the bucket crm-inbox in eu-central-1/,
    ],
    [
      'other_region',
      'put',
      'put_object',
      /^The bucket is not in eu-central-1\. Correct s3_destination\.region\.$/,
    ],
    ['access_denied', 'remove', 'delete_object', /^The bucket refused the service\. Give /],
    [
      'refused',
      'put',
      'put_object',
      /^AWS refused the request, and not for a missing permission\. Check that the default KMS key/,
    ],
    ['unavailable', 'put', 'put_object', /^AWS did not answer in time\. /],
  ] as const)('says with %s at %s what failed and what to do', async (fault, operation, step, message) => {
    const { made, bucket } = await exportToBucket({ start: false });
    refuse(bucket, fault, new RegExp(`^${operation}$`));
    const { ok, steps } = await tested(made, bucket.open);
    expect(ok).toBe(false);
    const at = steps.findIndex((one) => one.step === step);
    expect(steps.slice(0, at).every(({ result }) => result === 'ok')).toBe(true);
    expect(steps[at]).toMatchObject({ result: 'failed' });
    expect(steps[at]?.message).toMatch(message);
    expect(steps.slice(at + 1).every(({ result }) => result === 'skipped')).toBe(true);
  });
});
