import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { JobRef } from '../../shared/exports/model/items.ts';
import { loggedDeliveryAnswer } from '../../shared/exports/model/answers.ts';
import { exportToBucket, refuse, s3_destination, ranToBucket } from './bucket.ts';
import { bodyOf, exportsHarness, segment, type ExportsHarness } from './harness.ts';
import { bytesOf, path, ran, ref, runAll, jobRef, runNext } from './steps.ts';

const words = 'A newer run has the same file name; this older file was not sent.';
const large = { count: 9, textBytes: 1_000_000 };
const destination_credentials = { domain: 'files.example.com', client_id: 'receiver' };

/** A second run of the export, complete, whose file has other people. */
const runLater = async (made: ExportsHarness): Promise<JobRef> => {
  made.fakes.members.set(segment(2), [1]);
  made.fakes.now += 3_600_000;
  await runNext(made, 2);
  return jobRef(2);
};

const pathOf = (job: JobRef, kind: string) => ({
  ...path,
  job_id: String(job.job),
  delivery: `${job.job}-${kind}`,
});
const deliveryOf = async (made: ExportsHarness, job: JobRef, kind: string) =>
  v.parse(loggedDeliveryAnswer, bodyOf(await made.readDelivery(pathOf(job, kind))));

describe('an older file of a bucket', () => {
  it('does not replace the file of a newer run, neither by a retry nor by a replay', async () => {
    const { made, bucket, put } = await ranToBucket({ file_name: 'list.csv' });
    refuse(bucket, 'unavailable', /begin/);
    const { wait_seconds } = await put(ref);
    bucket.before = () => undefined;
    const later = await runLater(made);
    expect(await put(later)).toMatchObject({ delivered: true });
    const newer = await bytesOf(made, later);

    made.fakes.now += wait_seconds * 1000;
    const opened = bucket.opened.length;
    expect(await put(ref)).toMatchObject({ delivered: false, exhausted: true });
    expect(bucket.opened).toHaveLength(opened);
    expect(await deliveryOf(made, ref, 's3')).toMatchObject({ state: 'exhausted', last_error: words });
    expect(await made.replay(pathOf(ref, 's3'))).toMatchObject({
      error: { status: 409, code: 'superseded', detail: words },
    });
    expect(await made.replay(pathOf(later, 's3'))).toMatchObject({ ok: true });
    expect(await put(later)).toMatchObject({ delivered: true });
    expect(Buffer.from((await bucket.objects.get('list.csv')) ?? []).equals(newer)).toBe(true);
  });

  it.each([
    ['complete', large],
    ['put', { count: 0 }],
  ])('does not replace a newer file that arrives before its %s', async (last, size) => {
    const { made, bucket, put } = await exportToBucket(
      { file_name: 'list.jsonl', data_format: 'jsonl' },
      size,
    );
    await runAll(made);
    const later = await runLater(made);
    const { exports } = made;
    const claim = exports.claimPath.bind(exports);
    let asked = 0;
    exports.claimPath = async (job, ...rest) => {
      asked += job.run === 1 ? 1 : 0;
      // The newer run delivers between the two questions of the older run.
      if (job.run === 1 && asked === 2) expect(await put(later)).toMatchObject({ delivered: true });
      return claim(job, ...rest);
    };
    expect(await put(ref)).toMatchObject({ exhausted: true });
    const newer = await bytesOf(made, later);
    expect(Buffer.from((await bucket.objects.get('list.jsonl')) ?? []).equals(newer)).toBe(true);
    expect(await exports.upload(ref), `discarded, not sent by ${last}`).toBeUndefined();
  });

  it.each(['takes', 'refuses'])('has its parts discarded, if the bucket %s that', async (how) => {
    const { made, bucket, put } = await ranToBucket({ file_name: 'list.csv' }, large);
    refuse(bucket, 'unavailable', /complete/);
    const { wait_seconds } = await put(ref);
    expect(await made.exports.upload(ref)).toBeDefined();
    bucket.before = () => undefined;
    await put(await runLater(made));
    made.fakes.now += wait_seconds * 1000;
    if (how === 'refuses') refuse(bucket, 'role_refused', /open/);
    expect(await put(ref)).toMatchObject({ exhausted: true });
    expect(await deliveryOf(made, ref, 's3')).toMatchObject({ last_error: words });
    expect((await made.exports.upload(ref)) === undefined).toBe(how === 'takes');
  });
});

describe('an older file of a server', () => {
  const pushing = async () => {
    const made = await ran({ file_name: 'list.csv', directory: 'in', destination_credentials });
    const pushed: string[] = [];
    const receive = () => {
      made.fakes.push = (_, file) => {
        pushed.push(file.sha256);
        return Promise.resolve({ kind: 'sent' });
      };
    };
    return { made, pushed, receive };
  };

  it('does not replace the file of a newer run, neither by a retry nor by a replay', async () => {
    const { made, pushed, receive } = await pushing();
    const { wait_seconds } = await made.pushFile(ref);
    const later = await runLater(made);
    receive();
    expect(await made.pushFile(later)).toMatchObject({ delivered: true });
    made.fakes.now += wait_seconds * 1000;
    expect(await made.pushFile(ref)).toMatchObject({ exhausted: true });
    expect(pushed).toEqual([(await made.exports.job(later))?.value.file?.sha256]);
    expect(await deliveryOf(made, ref, 'sftp')).toMatchObject({ state: 'exhausted', last_error: words });
    expect(await made.replay(pathOf(ref, 'sftp'))).toMatchObject({
      error: { status: 409, code: 'superseded', detail: words },
    });
  });

  it('does not get its name when a newer file arrives meanwhile', async () => {
    const { made, receive } = await pushing();
    const later = await runLater(made);
    made.fakes.push = async (_, file) => {
      expect(await file.isSuperseded()).toBe(false);
      receive();
      await made.pushFile(later);
      return { kind: (await file.isSuperseded()) ? 'superseded' : 'sent' };
    };
    expect(await made.pushFile(ref)).toMatchObject({ exhausted: true });
    expect(await deliveryOf(made, ref, 'sftp')).toMatchObject({ last_error: words });
  });
});

describe('an older file is sent', () => {
  it('if the newer file has another name', async () => {
    const { made, bucket, put } = await ranToBucket({ file_name: 'list-{counter}.csv' });
    await put(await runLater(made));
    expect(await put(ref)).toMatchObject({ delivered: true });
    expect(await bucket.objects.list('')).toEqual(['list-1.csv', 'list-2.csv']);
  });

  it.each([
    ['another bucket', { s3_destination: { ...s3_destination, bucket: 'crm-archive' } }],
    ['another directory', { s3_destination, directory: 'new' }],
  ])('if the newer file went to %s', async (_, more) => {
    const { made, put } = await ranToBucket({ file_name: 'list.csv' });
    bodyOf(await made.replace(path, { segment: [segment(2)], file_name: 'list.csv', ...more }));
    await put(await runLater(made));
    expect(await put(ref)).toMatchObject({ delivered: true });
  });

  it('if the newer run has no file', async () => {
    const { made, put } = await ranToBucket({ file_name: 'list.csv' });
    const later = { ...ref, job: Number(bodyOf(await made.runAgain(path))['id']) };
    await made.fail(later, 'Error');
    await put(later);
    expect(await put(ref)).toMatchObject({ delivered: true });
  });
});

describe('the claim of a path', () => {
  it('is that of the newest run, whatever the order, and costs two calls at most without a race', async () => {
    let calls = 0;
    const { exports } = exportsHarness({
      before: (operation) => {
        calls += operation.startsWith('table') ? 1 : 0;
      },
    });
    const owner = (run: number) => ({ property: ref.property, export: ref.export, run });
    await Promise.all([3, 1, 5, 2, 4].map((run) => exports.claimPath(owner(run), 'p', 0)));
    const costs: number[] = [];
    for (const [run, outcome] of [
      [4, 'superseded'],
      [5, 'claimed'],
      [900, 'claimed'],
      [5, 'superseded'],
    ] as const) {
      calls = 0;
      expect(await exports.claimPath(owner(run), 'p', 0)).toBe(outcome);
      costs.push(calls);
    }
    expect(costs).toEqual([1, 1, 2, 1]);
    expect(await exports.isSuperseded(owner(899), 'p')).toBe(true);
    expect(await exports.isSuperseded(owner(900), 'p')).toBe(false);
  });
});
