import { describe, expect, it } from 'vitest';
import { newDelivery } from '../../shared/deliveries/delivery-state.ts';
import type { ExportDelivery, ExportPlan, JobStatus, RunQueue } from '../../shared/exports/model/items.ts';
import {
  enqueue,
  isQueued,
  newQueue,
  tellingOf,
  withoutEndedJobs,
  acquireSlot,
} from '../../shared/exports/runs/run-queue.ts';
import { runOf } from '../../shared/exports/runs/launch-job.ts';

const queue = (more: Partial<RunQueue> = {}): RunQueue => ({
  ...newQueue(0),
  ...more,
});

/** Jobs by their ids; a job that is not named here is not stored yet. */
const jobs = (statuses: Readonly<Record<number, JobStatus>>) => (job: number) => {
  const status = statuses[job];
  return status && { status };
};

const plan: ExportPlan = {
  ...{ members_key: 'm', members: 0, base: null, silent: false, omitted_key: null },
  ...{ candidates: 0, shards: 0, sizes_key: 's' },
  ...{ data_key: new Uint8Array(), watermark: 0, revision: 3 },
};

describe('the changes of a job', () => {
  const now = 1_000;
  const tell = (state: ExportDelivery['state'], next_attempt: number | null = null, feed_revision = 3) =>
    tellingOf(
      { feed_revision },
      { status: 'complete', plan },
      { delivery: { ...newDelivery('changes'), state, next_attempt }, now },
    );

  it.each([
    ['waiting', 'telling'],
    ['sending', 'telling'],
    ['retrying', 'telling'],
    ['delivered', 'told'],
    ['exhausted', 'untold'],
  ] as const)('are, while their delivery is %s, %s', (state, told) => {
    expect(tell(state, now - 1)).toBe(told);
  });

  it.each([
    ['sending', now + 1, 'telling'],
    ['sending', now, 'nothing'],
    ['retrying', now + 1, 'nothing'],
    ['waiting', null, 'nothing'],
    ['exhausted', null, 'nothing'],
    ['delivered', null, 'nothing'],
  ] as const)('tell nothing to another receiver, but for an attempt under way (%s)', (state, next, told) => {
    expect(tell(state, next, 4)).toBe(told);
  });

  it('are none of a job without a file to come, and of a job of release 0.2.0', () => {
    const delivery = newDelivery('changes');
    const queued = { feed_revision: 3 };
    expect(tellingOf(queued, { status: 'failed', plan }, { delivery, now })).toBe('nothing');
    expect(tellingOf(queued, { status: 'running', plan }, { delivery, now })).toBe('nothing');
    expect(tellingOf(queued, { status: 'complete', plan }, { delivery: undefined, now })).toBe('nothing');
  });
});

describe('a queue', () => {
  const busy = queue({ latest_job: 2, current_job: 1, waiting_job: 2, complete_job: 9 });

  it.each([
    ['keeps jobs that are to end', { 1: 'running', 2: 'pending' }, busy],
    ['keeps jobs that are still to be stored', {}, busy],
    ['remembers a job that completed', { 1: 'complete' }, { ...busy, current_job: null, complete_job: 1 }],
    ['forgets a job that failed', { 1: 'failed' }, { ...busy, current_job: null }],
    ['forgets a job that was cancelled', { 1: 'cancelled' }, { ...busy, current_job: null }],
    ['forgets a waiting job that was cancelled', { 2: 'cancelled' }, { ...busy, waiting_job: null }],
  ] as const)('%s', (_, statuses, settled) => {
    expect(withoutEndedJobs(busy, jobs(statuses))).toEqual(settled);
  });

  it.each([
    ['keeps the slot while its changes are told', 'telling', {}],
    ['is told', 'told', { current_job: null, complete_job: 1, told_job: 1, untold_job: null }],
    ['is given up', 'untold', { current_job: null, complete_job: 1, told_job: 6, untold_job: 1 }],
    ['tells nothing', 'nothing', { current_job: null, complete_job: 1, told_job: 6, untold_job: 7 }],
  ] as const)('with changes knows what the receiver knows: its job %s', (_, telling, change) => {
    const feed = { ...busy, told_job: 6, untold_job: 7 };
    const findJob = (job: number) => (job === 1 ? ({ status: 'complete', telling } as const) : undefined);
    expect(withoutEndedJobs(feed, findJob)).toEqual({ ...feed, ...change });
    expect(acquireSlot(withoutEndedJobs(feed, findJob), 2) === undefined).toBe(telling === 'telling');
  });

  it('with changes leaves a job told whose replay is given up', () => {
    const replayed = { ...busy, told_job: 1 };
    const findJob = () => ({ status: 'complete', telling: 'untold' }) as const;
    expect(withoutEndedJobs(replayed, findJob)).toMatchObject({ told_job: 1, untold_job: null });
  });

  it('without jobs stays as it is', () => {
    const idle = queue({ latest_job: 3, complete_job: 3 });
    expect(withoutEndedJobs(idle, jobs({ 3: 'complete' }))).toEqual(idle);
  });

  it('runs the first job, lets the second wait, and serves every further run by the second', () => {
    const first = {
      kind: 'enqueued',
      queue: queue({ latest_job: 1, current_job: 1, runs: 1, current_run: 1 }),
    } as const;
    expect(enqueue(queue(), 1)).toEqual(first);
    const second = {
      kind: 'enqueued',
      queue: queue({ latest_job: 2, current_job: 1, waiting_job: 2, runs: 2, current_run: 1 }),
    } as const;
    expect(enqueue(first.queue, 2)).toEqual(second);
    expect(enqueue(second.queue, 3)).toEqual({ kind: 'coalesced', job: 2 });
    expect(enqueue(queue({ waiting_job: 2 }), 3)).toEqual({ kind: 'coalesced', job: 2 });
  });

  it('gives the turn to the waiting job once no other job runs', () => {
    expect(acquireSlot(busy, 1)).toBe(busy);
    expect(acquireSlot(busy, 2)).toBeUndefined();
    const free = { ...busy, current_job: null, runs: 5, current_run: 4 };
    expect(acquireSlot(free, 2)).toEqual({ ...free, current_job: 2, current_run: 5, waiting_job: null });
    expect(acquireSlot(free, 1)).toBeUndefined();
    expect(acquireSlot(queue(), 1)).toBeUndefined();
  });

  it('knows the number of the run of each job that it names, and of no other job', () => {
    const named = queue({ latest_job: 2, current_job: 1, waiting_job: 2, runs: 7, current_run: 5 });
    expect([runOf(named, 1), runOf(named, 2)]).toEqual([5, 7]);
    expect(() => runOf(named, 3)).toThrow('does not name');
    expect(() => runOf(queue(), 1)).toThrow('does not name');
  });

  it('holds its current and its waiting job only', () => {
    expect([1, 2, 9].map((job) => isQueued(busy, job))).toEqual([true, true, false]);
  });
});
