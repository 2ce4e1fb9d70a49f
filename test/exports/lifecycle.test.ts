import { markDefinition } from '../../shared/exports/model/repository.ts';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { jobStatuses, type JobStatus } from '../../shared/exports/model/items.ts';
import { nextStatuses } from '../../shared/exports/model/transitions.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { begun, bytesOf, jobPath, jobRef, locationParts, path, ran, ref, runJob } from './steps.ts';
import { dyingAnywhere } from '../support/death.ts';
import { type Before, bodyOf, type ExportsHarness, PROPERTY, segment } from './harness.ts';
import { tasksIn } from '../support/look-at-tasks.ts';

const idsOf = v.object({ id: v.string(), status: v.string() });
const jobsIn = v.looseObject({ jobs: v.array(idsOf) });
const one = { segment: [segment(2)], field_set: 'email' };

/** A harness with an export, and with one whose first job is done. */
const created = (options: { before?: Before } = {}) => begun(one, { count: 10, ...options });
const finished = (options: { before?: Before } = {}) => ran(one, { count: 10, ...options });

const again = async (harness: ExportsHarness): Promise<string> =>
  v.parse(idsOf, bodyOf(await harness.runAgain(path))).id;
const statuses = async (harness: ExportsHarness): Promise<readonly string[]> =>
  v
    .parse(jobsIn, bodyOf(await harness.listJobs(path)))
    .jobs.map(({ id, status }) => `${Number(id) % 1e9} ${status}`);

describe('POST exports/{id}/jobs', () => {
  it('runs the definition again, with its members of now', async () => {
    const harness = await finished();
    const first = bodyOf(await harness.read(path))['location'];
    const answer = await harness.runAgain(path);
    expect(answer).toMatchObject({ ok: true, value: { status: 202 } });
    expect(bodyOf(answer)).toMatchObject({ id: String(jobRef(2).job), status: 'pending', location: null });
    expect(bodyOf(await harness.read(path))).toMatchObject({ status: 'pending', location: first });
    harness.fakes.members.set(segment(2), [2, 4, 5]);
    await runJob(harness, jobRef(2));
    expect(bodyOf(await harness.readJob(jobPath(2)))).toMatchObject({ status: 'complete', rows: 3 });
    expect(bodyOf(await harness.readJob(path))).toMatchObject({ status: 'complete', rows: 2 });
    const read = bodyOf(await harness.read(path));
    expect(read).toMatchObject({ status: 'complete' });
    expect(read['location']).toContain(`${ref.export}-${jobRef(2).job}.csv`);
  });

  it('lets one run and one wait; a third request is served by the one that waits', async () => {
    const harness = await created();
    const second = await again(harness);
    const third = await again(harness);
    expect([second, third]).toEqual([String(jobRef(2).job), String(jobRef(2).job)]);
    expect(await statuses(harness)).toEqual(['2 pending', '1 pending']);
    expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'waiting', wait_seconds: 1 });
    await harness.plan(ref);
    expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'waiting' });
    harness.fakes.now += 600_000;
    expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'waiting', wait_seconds: 30 });
    await runJob(harness, ref);
    expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'planned' });
    expect(await statuses(harness)).toEqual(['2 running', '1 complete']);
    expect(await again(harness)).not.toBe(second);
    expect(await statuses(harness)).toHaveLength(3);
  });

  it('makes one job of one request key, and one job runs of many requests at once', async () => {
    const harness = await finished();
    const same = await Promise.all([1, 2, 3].map(() => harness.runAgain(path, 'the-request-key')));
    expect(new Set(same.map((answer) => bodyOf(answer)['id'])).size).toBe(1);
    const many = await Promise.all(Array.from({ length: 20 }, () => harness.runAgain(path)));
    expect(new Set(many.map((answer) => bodyOf(answer)['id'])).size).toBe(1);
    expect(await statuses(harness)).toHaveLength(3);
    const plans = await Promise.all([2, 3, 4, 5].map((n) => plannedOf(harness, n)));
    expect(plans.filter((status) => status === 'planned')).toHaveLength(1);
  });

  const plannedOf = async (harness: ExportsHarness, n: number): Promise<string | undefined> =>
    (await harness.exports.job(jobRef(n))) && (await harness.plan(jobRef(n))).status;

  it('goes on after a job that failed, and never waits for one that was cancelled', async () => {
    const harness = await created();
    await harness.fail(ref, 'States.Timeout');
    await again(harness);
    expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'planned' });
    await again(harness);
    bodyOf(await harness.cancel(jobPath(2)));
    expect(await harness.plan(jobRef(3))).toMatchObject({ status: 'planned' });
  });

  it('is refused once a target of the definition was deleted', async () => {
    const harness = await finished();
    harness.fakes.members.delete(segment(2));
    expect(await harness.runAgain(path)).toMatchObject({
      ok: false,
      error: { status: 409, code: 'targets_gone' },
    });
    expect(await statuses(harness)).toEqual(['1 complete']);
  });

  it('of an unknown or foreign export is 404', async () => {
    const harness = await finished();
    for (const export_id of [String(scopedId(PROPERTY, 9)), String(scopedId(8, 1)), 'x'])
      expect(await harness.runAgain({ export_id })).toMatchObject({ ok: false, error: { status: 404 } });
  });

  it('killed at any step leaves a job that runs, or none', async () => {
    const outcomes = new Set<string>();
    const calls = await dyingAnywhere({
      begin: (before) => finished({ before }),
      run: ({ runAgain }) => runAgain(path, 'killed'),
      check: async (harness, _, died) => {
        if (died) {
          // No client repeats the request: the reconciliation either drops or finishes its work.
          harness.fakes.now += 300_000;
          await harness.repair();
        }
        const open = (await statuses(harness)).filter((status) => status.endsWith('pending'));
        const started = harness.started
          .slice(1)
          .map(({ input }) => v.parse(v.looseObject({ job: v.number() }), input).job);
        expect(started.length).toBe(open.length);
        for (const job of started) await runJob(harness, { ...ref, job });
        expect((await statuses(harness)).filter((status) => !status.endsWith('complete'))).toEqual([]);
        outcomes.add(open.length === 0 ? 'none' : 'runs');
        // Nothing stands in the way of the next request.
        const next = await again(harness);
        expect(await harness.plan({ ...ref, job: Number(next) })).toMatchObject({ status: 'planned' });
      },
    });
    expect(calls).toBeGreaterThan(8);
    expect(outcomes).toEqual(new Set(['none', 'runs']));
  });
});

describe('POST exports/{id}/jobs/{job}/cancel', () => {
  it('ends a job at once: its steps stop, it has no file, and no delivery starts', async () => {
    const harness = await begun({ webhook_url: 'https://hooks.example.com/x' });
    const { shards } = await harness.plan(ref);
    const answer = await harness.cancel(path);
    expect(answer).toMatchObject({ ok: true, value: { status: 200 } });
    for (const { shard } of shards) await harness.part(ref, shard);
    expect(await harness.exports.parts(ref)).toEqual([]);
    expect(await harness.assemble(ref)).toEqual({ status: 'failed' });
    expect(await harness.deliver(ref)).toMatchObject({ delivered: true });
    const job = bodyOf(await harness.readJob(path));
    expect(job).toMatchObject({ status: 'cancelled', location: null, manifest: null, rows: null });
    expect(bodyOf(await harness.cancel(path))).toMatchObject({
      status: 'cancelled',
      finished: job['finished'],
    });
  });

  it('is refused for a job that is complete or failed, and 404 for an unknown one', async () => {
    const harness = await finished();
    const ended = { ok: false, error: { status: 409, code: 'job_ended' } };
    expect(await harness.cancel(path)).toMatchObject(ended);
    await again(harness);
    await harness.fail(jobRef(2), 'x');
    expect(await harness.cancel(jobPath(2))).toMatchObject(ended);
    expect(await harness.cancel(jobPath(9))).toMatchObject({ ok: false, error: { status: 404 } });
    expect(await harness.cancel({ ...path, export_id: String(scopedId(PROPERTY, 9)) })).toMatchObject({
      error: { status: 404 },
    });
  });
});

describe('PUT exports/{id}', () => {
  it('replaces all of a definition; a job that runs goes on with the one it began with', async () => {
    const harness = await created();
    const { shards } = await harness.plan(ref);
    await again(harness);
    const put = await harness.replace(path, { segment: [segment(2)], field_set: 'all', data_format: 'txt' });
    expect(put).toMatchObject({ ok: true, value: { status: 200 } });
    expect(bodyOf(put)).toMatchObject({ id: String(ref.export), field_set: 'all', data_format: 'txt' });
    expect(bodyOf(await harness.read(path))).toEqual(bodyOf(put));
    for (const { shard } of shards) await harness.part(ref, shard);
    await harness.assemble(ref);
    expect((await bytesOf(harness)).toString()).toMatch(/^email\r\n/);
    await runJob(harness, jobRef(2));
    expect((await harness.exports.job(jobRef(2)))?.value.file?.name).toMatch(/\.txt$/);
    expect((await bytesOf(harness, jobRef(2))).toString()).toMatch(/^last_name\t/);
  });

  it('starts no job, and keeps the secret of the webhook', async () => {
    const harness = await finished();
    const webhook_url = 'https://hooks.example.com/x';
    const given = bodyOf(await harness.replace(path, { ...one, webhook_url }));
    expect(given['webhook_secret']).toMatch(/^whsec_/);
    const secret = (await harness.exports.definition(PROPERTY, ref.export))?.value.webhook_secret;
    const kept = bodyOf(await harness.replace(path, { ...one, webhook_url: `${webhook_url}2` }));
    expect(kept).not.toHaveProperty('webhook_secret');
    expect((await harness.exports.definition(PROPERTY, ref.export))?.value.webhook_secret).toEqual(secret);
    expect(harness.started).toHaveLength(1);
    expect(bodyOf(await harness.replace(path, one))).toMatchObject({ webhook_url: null });
  });

  it('is refused like a new one, and changes nothing', async () => {
    const harness = await finished();
    const before = bodyOf(await harness.read(path));
    expect(await harness.replace(path, {})).toMatchObject({ error: { status: 422 } });
    expect(await harness.replace(path, { segment: [segment(9)] })).toMatchObject({ error: { status: 422 } });
    expect(bodyOf(await harness.read(path))).toEqual(before);
    const nowhere = { export_id: String(scopedId(PROPERTY, 9)) };
    expect(await harness.replace(nowhere, one)).toMatchObject({ error: { status: 404 } });
  });
});

describe('DELETE exports/{id}', () => {
  it('cancels open jobs, and closes the locations that clients received', async () => {
    const harness = await finished();
    const location = bodyOf(await harness.read(path))['location'];
    await again(harness);
    await again(harness);
    expect(bodyOf(await harness.remove(path))).toEqual({ id: String(ref.export) });
    for (const answer of [
      harness.read(path),
      harness.readJob(path),
      harness.listJobs(path),
      harness.remove(path),
    ])
      expect(await answer).toMatchObject({ ok: false, error: { status: 404 } });
    expect(bodyOf(await harness.list())['exports']).toEqual([]);
    expect(await harness.plan(jobRef(2))).toMatchObject({ status: 'failed' });
    expect((await harness.exports.job(jobRef(2)))?.value.status).toBe('cancelled');
    expect(await harness.open(locationParts(location))).toMatchObject({ error: { status: 403 } });
  });

  it('cut short is ended by the repair', async () => {
    const harness = await finished();
    await again(harness);
    const seen = await harness.exports.definition(PROPERTY, ref.export);
    if (seen) await harness.table.write(markDefinition(seen));
    harness.fakes.now += 300_000;
    await harness.repair();
    expect((await harness.exports.job(jobRef(2)))?.value.status).toBe('cancelled');
    harness.fakes.now += 1_200_000;
    await harness.repair();
    expect(tasksIn(harness.table)).toEqual([]);
  });
});

describe('the states of a job', () => {
  /** Steps that bring a first job into each state. */
  const into: Readonly<Record<JobStatus, (harness: ExportsHarness) => Promise<unknown>>> = {
    pending: () => Promise.resolve(),
    running: (harness) => harness.plan(ref),
    complete: (harness) => runJob(harness, ref),
    failed: (harness) => harness.fail(ref, 'x'),
    cancelled: (harness) => harness.cancel(path),
  };

  it.each(jobStatuses)('%s leads to those that are declared and to no others', async (from) => {
    const reached = new Set<string>();
    for (const act of Object.values(into)) {
      const harness = await created();
      await into[from](harness);
      await act(harness).catch(() => undefined);
      const job = await harness.exports.job(ref);
      if (job && job.value.status !== from) reached.add(job.value.status);
    }
    // To be complete, a pending job runs first.
    if (from === 'pending') reached.delete('complete');
    expect([...reached].toSorted()).toEqual([...nextStatuses(from)].toSorted());
  });
});
