import { describe, expect, test } from 'vitest';
import type { JobStatus, Lane } from '../../shared/exports/model/items.ts';
import { admit, holds, settleLane, takeTurn } from '../../shared/exports/runs/lane.ts';

const lane = (more: Partial<Lane> = {}): Lane => ({
  latest_job: null,
  current_job: null,
  waiting_job: null,
  complete_job: null,
  ...more,
});
/** Jobs by their ids; a job that is not named here is not stored yet. */
const jobs = (statuses: Readonly<Record<number, JobStatus>>) => (job: number) => {
  const status = statuses[job];
  return status && { status };
};

describe('a lane', () => {
  const busy = lane({ latest_job: 2, current_job: 1, waiting_job: 2, complete_job: 9 });

  test.each([
    ['keeps jobs that are to end', { 1: 'running', 2: 'pending' }, busy],
    ['keeps jobs that are still to be stored', {}, busy],
    ['remembers a job that completed', { 1: 'complete' }, { ...busy, current_job: null, complete_job: 1 }],
    ['forgets a job that failed', { 1: 'failed' }, { ...busy, current_job: null }],
    ['forgets a job that was cancelled', { 1: 'cancelled' }, { ...busy, current_job: null }],
    ['forgets a waiting job that was cancelled', { 2: 'cancelled' }, { ...busy, waiting_job: null }],
  ] as const)('%s', (_, statuses, settled) => {
    expect(settleLane(busy, jobs(statuses))).toEqual(settled);
  });

  test('without jobs stays as it is', () => {
    const idle = lane({ latest_job: 3, complete_job: 3 });
    expect(settleLane(idle, jobs({ 3: 'complete' }))).toEqual(idle);
  });

  test('runs the first job, lets the second wait, and serves every further run by the second', () => {
    const first = { kind: 'placed', lane: lane({ latest_job: 1, current_job: 1 }) } as const;
    expect(admit(lane(), 1)).toEqual(first);
    const second = { kind: 'placed', lane: lane({ latest_job: 2, current_job: 1, waiting_job: 2 }) } as const;
    expect(admit(first.lane, 2)).toEqual(second);
    expect(admit(second.lane, 3)).toEqual({ kind: 'joins', job: 2 });
    expect(admit(lane({ waiting_job: 2 }), 3)).toEqual({ kind: 'joins', job: 2 });
  });

  test('gives the turn to the waiting job once no other job runs', () => {
    expect(takeTurn(busy, 1)).toBe(busy);
    expect(takeTurn(busy, 2)).toBeUndefined();
    const free = { ...busy, current_job: null };
    expect(takeTurn(free, 2)).toEqual({ ...free, current_job: 2, waiting_job: null });
    expect(takeTurn(free, 1)).toBeUndefined();
    expect(takeTurn(lane(), 1)).toBeUndefined();
  });

  test('holds its current and its waiting job only', () => {
    expect([1, 2, 9].map((job) => holds(busy, job))).toEqual([true, true, false]);
  });
});
