import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { jobStatuses, type JobRef, type JobStatus } from '../../shared/exports/model/items.ts';
import { nextStatuses } from '../../shared/exports/model/transitions.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { locationParts, path, people, ref, runJob } from './steps.ts';
import { type Before, bodyOf, exportsWorld, type ExportsWorld, PROPERTY, segment } from './world.ts';

const idsOf = v.object({ id: v.string(), status: v.string() });
const jobsIn = v.looseObject({ jobs: v.array(idsOf) });
const one = { segment: [segment(2)], field_set: 'email' };

const jobRef = (n: number): JobRef => ({ ...ref, job: scopedId(PROPERTY, n) });
const jobPath = (n: number) => ({ ...path, job_id: String(jobRef(n).job) });

/** A world with an export whose first job is done. */
const finished = async (options: { before?: Before } = {}): Promise<ExportsWorld> => {
  const world = await created(options);
  await runJob(world, ref);
  return world;
};

const created = async (options: { before?: Before } = {}): Promise<ExportsWorld> => {
  const world = exportsWorld(options);
  people(world, 10);
  world.world.members.set(segment(2), [1, 2]);
  bodyOf(await world.create(one));
  return world;
};

const again = async (world: ExportsWorld): Promise<string> =>
  v.parse(idsOf, bodyOf(await world.runAgain(path))).id;
const statuses = async (world: ExportsWorld): Promise<readonly string[]> =>
  v
    .parse(jobsIn, bodyOf(await world.listJobs(path)))
    .jobs.map(({ id, status }) => `${Number(id) % 1e9} ${status}`);

describe('POST exports/{id}/jobs', () => {
  it('runs the definition again, with its members of now', async () => {
    const world = await finished();
    const first = bodyOf(await world.read(path))['location'];
    const answer = await world.runAgain(path);
    expect(answer).toMatchObject({ ok: true, value: { status: 202 } });
    expect(bodyOf(answer)).toMatchObject({ id: String(jobRef(2).job), status: 'pending', location: null });
    expect(bodyOf(await world.read(path))).toMatchObject({ status: 'pending', location: first });
    world.world.members.set(segment(2), [2, 4, 5]);
    await runJob(world, jobRef(2));
    expect(bodyOf(await world.readJob(jobPath(2)))).toMatchObject({ status: 'complete', rows: 3 });
    expect(bodyOf(await world.readJob(path))).toMatchObject({ status: 'complete', rows: 2 });
    const read = bodyOf(await world.read(path));
    expect(read).toMatchObject({ status: 'complete' });
    expect(read['location']).toContain(`${ref.export}-${jobRef(2).job}.csv`);
  });

  it('lets one run and one wait; a third request is served by the one that waits', async () => {
    const world = await created();
    const second = await again(world);
    const third = await again(world);
    expect([second, third]).toEqual([String(jobRef(2).job), String(jobRef(2).job)]);
    expect(await statuses(world)).toEqual(['2 pending', '1 pending']);
    expect(await world.plan(jobRef(2))).toMatchObject({ status: 'waiting', wait_seconds: 1 });
    await world.plan(ref);
    expect(await world.plan(jobRef(2))).toMatchObject({ status: 'waiting' });
    world.world.now += 600_000;
    expect(await world.plan(jobRef(2))).toMatchObject({ status: 'waiting', wait_seconds: 30 });
    await runJob(world, ref);
    expect(await world.plan(jobRef(2))).toMatchObject({ status: 'planned' });
    expect(await statuses(world)).toEqual(['2 running', '1 complete']);
    expect(await again(world)).not.toBe(second);
    expect(await statuses(world)).toHaveLength(3);
  });

  it('makes one job of one request key, and one job runs of many requests at once', async () => {
    const world = await finished();
    const same = await Promise.all([1, 2, 3].map(() => world.runAgain(path, 'the-request-key')));
    expect(new Set(same.map((answer) => bodyOf(answer)['id'])).size).toBe(1);
    const many = await Promise.all(Array.from({ length: 20 }, () => world.runAgain(path)));
    expect(new Set(many.map((answer) => bodyOf(answer)['id'])).size).toBe(1);
    expect(await statuses(world)).toHaveLength(3);
    const plans = await Promise.all([2, 3, 4, 5].map((n) => plannedOf(world, n)));
    expect(plans.filter((status) => status === 'planned')).toHaveLength(1);
  });

  const plannedOf = async (world: ExportsWorld, n: number): Promise<string | undefined> =>
    (await world.exports.job(jobRef(n))) && (await world.plan(jobRef(n))).status;

  it('goes on after a job that failed, and never waits for one that was cancelled', async () => {
    const world = await created();
    await world.fail(ref, 'States.Timeout');
    await again(world);
    expect(await world.plan(jobRef(2))).toMatchObject({ status: 'planned' });
    await again(world);
    bodyOf(await world.cancel(jobPath(2)));
    expect(await world.plan(jobRef(3))).toMatchObject({ status: 'planned' });
  });

  it('is refused once a target of the definition was deleted', async () => {
    const world = await finished();
    world.world.members.delete(segment(2));
    expect(await world.runAgain(path)).toMatchObject({
      ok: false,
      error: { status: 409, code: 'targets_gone' },
    });
    expect(await statuses(world)).toEqual(['1 complete']);
  });

  it('of an unknown or foreign export is 404', async () => {
    const world = await finished();
    for (const export_id of [String(scopedId(PROPERTY, 9)), String(scopedId(8, 1)), 'x'])
      expect(await world.runAgain({ export_id })).toMatchObject({ ok: false, error: { status: 404 } });
  });

  /** Requests runs until one is answered, killed at the `at`-th call of a port; then everything runs to its end. */
  const requestKilled = async (at: number): Promise<{ world: ExportsWorld; calls: number }> => {
    class Killed extends Error {}
    let [calls, armed] = [0, false];
    const world = await finished({
      before: () => {
        if (armed && (calls += 1) === at) throw new Killed();
      },
    });
    armed = true;
    const answer = await world.runAgain(path, 'killed').catch((error: unknown) => {
      if (!(error instanceof Killed)) throw error;
    });
    armed = false;
    if (!answer) {
      // No client repeats the request: the reconciliation either drops or finishes its work.
      world.world.now += 300_000;
      await world.repair();
    }
    return { world, calls };
  };

  it('killed at any step leaves a job that runs, or none', async () => {
    const { calls } = await requestKilled(-1);
    expect(calls).toBeGreaterThan(8);
    const outcomes = new Set<string>();
    for (let at = 1; at <= calls; at += 1) {
      const { world } = await requestKilled(at);
      const open = (await statuses(world)).filter((status) => status.endsWith('pending'));
      const started = world.started
        .slice(1)
        .map(({ input }) => v.parse(v.looseObject({ job: v.number() }), input).job);
      expect(started.length).toBe(open.length);
      for (const job of started) await runJob(world, { ...ref, job });
      expect((await statuses(world)).filter((status) => !status.endsWith('complete'))).toEqual([]);
      outcomes.add(open.length === 0 ? 'none' : 'runs');
      // Nothing stands in the way of the next request.
      const next = await again(world);
      expect(await world.plan({ ...ref, job: Number(next) })).toMatchObject({ status: 'planned' });
    }
    expect(outcomes).toEqual(new Set(['none', 'runs']));
  });
});

describe('POST exports/{id}/jobs/{job}/cancel', () => {
  it('ends a job at once: its steps stop, it has no file, and no delivery starts', async () => {
    const world = exportsWorld();
    people(world, 10);
    world.world.members.set(segment(2), [1]);
    bodyOf(await world.create({ ...one, webhook_url: 'https://hooks.example.com/x' }));
    const { shards } = await world.plan(ref);
    const answer = await world.cancel(path);
    expect(answer).toMatchObject({ ok: true, value: { status: 200 } });
    for (const { shard } of shards) await world.part(ref, shard);
    expect(await world.exports.parts(ref)).toEqual([]);
    expect(await world.assemble(ref)).toEqual({ status: 'failed' });
    expect(await world.deliver(ref)).toMatchObject({ delivered: true });
    const job = bodyOf(await world.readJob(path));
    expect(job).toMatchObject({ status: 'cancelled', location: null, manifest: null, rows: null });
    expect(bodyOf(await world.cancel(path))).toMatchObject({
      status: 'cancelled',
      finished: job['finished'],
    });
  });

  it('between the last part and the end of the job leaves a file that no location opens', async () => {
    const world = exportsWorld();
    people(world, 10);
    world.world.members.set(segment(2), [1]);
    bodyOf(await world.create(one));
    const { shards } = await world.plan(ref);
    for (const { shard } of shards) await world.part(ref, shard);
    const put = world.files.put.bind(world.files);
    let cancelled = false;
    world.files.put = async (...object) => {
      if (!cancelled) bodyOf(await world.cancel(path));
      cancelled = true;
      return put(...object);
    };
    const assembled = await world.assemble(ref);
    expect([cancelled, assembled]).toEqual([true, { status: 'failed' }]);
    expect(bodyOf(await world.readJob(path))).toMatchObject({ status: 'cancelled', location: null });
    const item = world.table.items().find(({ pk }) => pk.startsWith('DOWNLOAD#'));
    expect(item).toBeDefined();
  });

  it('is refused for a job that is complete or failed, and 404 for an unknown one', async () => {
    const world = await finished();
    const ended = { ok: false, error: { status: 409, code: 'job_ended' } };
    expect(await world.cancel(path)).toMatchObject(ended);
    await again(world);
    await world.fail(jobRef(2), 'x');
    expect(await world.cancel(jobPath(2))).toMatchObject(ended);
    expect(await world.cancel(jobPath(9))).toMatchObject({ ok: false, error: { status: 404 } });
    expect(await world.cancel({ ...path, export_id: String(scopedId(PROPERTY, 9)) })).toMatchObject({
      error: { status: 404 },
    });
  });
});

describe('PUT exports/{id}', () => {
  it('replaces all of a definition; a job that runs goes on with the one it began with', async () => {
    const world = await created();
    const { shards } = await world.plan(ref);
    await again(world);
    const put = await world.replace(path, { segment: [segment(2)], field_set: 'all', data_format: 'txt' });
    expect(put).toMatchObject({ ok: true, value: { status: 200 } });
    expect(bodyOf(put)).toMatchObject({ id: String(ref.export), field_set: 'all', data_format: 'txt' });
    expect(bodyOf(await world.read(path))).toEqual(bodyOf(put));
    for (const { shard } of shards) await world.part(ref, shard);
    await world.assemble(ref);
    const file = (await world.exports.job(ref))?.value.file;
    expect(Buffer.from((await world.files.get(file?.key ?? '')) ?? []).toString()).toMatch(/^email\r\n/);
    await runJob(world, jobRef(2));
    const second = (await world.exports.job(jobRef(2)))?.value.file;
    expect(second?.name).toMatch(/\.txt$/);
    expect(Buffer.from((await world.files.get(second?.key ?? '')) ?? []).toString()).toMatch(/^last_name\t/);
  });

  it('starts no job, and keeps the secret of the webhook', async () => {
    const world = await finished();
    const webhook_url = 'https://hooks.example.com/x';
    const given = bodyOf(await world.replace(path, { ...one, webhook_url }));
    expect(given['webhook_secret']).toMatch(/^whsec_/);
    const secret = (await world.exports.definition(PROPERTY, ref.export))?.value.webhook_secret;
    const kept = bodyOf(await world.replace(path, { ...one, webhook_url: `${webhook_url}2` }));
    expect(kept).not.toHaveProperty('webhook_secret');
    expect((await world.exports.definition(PROPERTY, ref.export))?.value.webhook_secret).toEqual(secret);
    expect(world.started).toHaveLength(1);
    expect(bodyOf(await world.replace(path, one))).toMatchObject({ webhook_url: null });
  });

  it('is refused like a new one, and changes nothing', async () => {
    const world = await finished();
    const before = bodyOf(await world.read(path));
    expect(await world.replace(path, {})).toMatchObject({ error: { status: 422 } });
    expect(await world.replace(path, { segment: [segment(9)] })).toMatchObject({ error: { status: 422 } });
    expect(bodyOf(await world.read(path))).toEqual(before);
    const nowhere = { export_id: String(scopedId(PROPERTY, 9)) };
    expect(await world.replace(nowhere, one)).toMatchObject({ error: { status: 404 } });
  });
});

describe('DELETE exports/{id}', () => {
  it('cancels open jobs, and closes the locations that clients received', async () => {
    const world = await finished();
    const location = bodyOf(await world.read(path))['location'];
    await again(world);
    await again(world);
    expect(bodyOf(await world.remove(path))).toEqual({ id: String(ref.export) });
    for (const answer of [world.read(path), world.readJob(path), world.listJobs(path), world.remove(path)])
      expect(await answer).toMatchObject({ ok: false, error: { status: 404 } });
    expect(bodyOf(await world.list())['exports']).toEqual([]);
    expect(await world.plan(jobRef(2))).toMatchObject({ status: 'failed' });
    expect((await world.exports.job(jobRef(2)))?.value.status).toBe('cancelled');
    expect(await world.open(locationParts(location))).toMatchObject({ error: { status: 403 } });
  });

  it('cut short is ended by the repair', async () => {
    const world = await finished();
    await again(world);
    const seen = await world.exports.definition(PROPERTY, ref.export);
    if (seen) await world.exports.markDeleted(seen);
    world.world.now += 300_000;
    await world.repair();
    expect((await world.exports.job(jobRef(2)))?.value.status).toBe('cancelled');
    world.world.now += 1_200_000;
    await world.repair();
    expect(world.table.items().filter(({ pk }) => pk.startsWith('EXPORT-OUTBOX'))).toEqual([]);
  });
});

describe('the states of a job', () => {
  /** Steps that bring a first job into each state. */
  const into: Readonly<Record<JobStatus, (world: ExportsWorld) => Promise<unknown>>> = {
    pending: () => Promise.resolve(),
    running: (world) => world.plan(ref),
    complete: (world) => runJob(world, ref),
    failed: (world) => world.fail(ref, 'x'),
    cancelled: (world) => world.cancel(path),
  };

  it.each(jobStatuses)('%s leads to those that are declared and to no others', async (from) => {
    const reached = new Set<string>();
    for (const act of Object.values(into)) {
      const world = await created();
      await into[from](world);
      await act(world).catch(() => undefined);
      const job = await world.exports.job(ref);
      if (job && job.value.status !== from) reached.add(job.value.status);
    }
    // To be complete, a pending job runs first.
    if (from === 'pending') reached.delete('complete');
    expect([...reached].toSorted()).toEqual([...nextStatuses(from)].toSorted());
  });
});

it('an execution that was ended from outside does not block its definition', async () => {
  const world = await created();
  await world.plan(ref);
  world.world.now += 432_000_000 + 121_000;
  await world.repair();
  expect(bodyOf(await world.readJob(path))).toMatchObject({ status: 'failed', error: { code: 'timed_out' } });
  await again(world);
  expect(await world.plan(jobRef(2))).toMatchObject({ status: 'planned' });
});
