import { expect, test } from 'vitest';
import { limits } from '../../lib/config/limits.ts';
import { secondsToNextLook } from '../../shared/runtime/next-look.ts';

/** Step Functions ends a Standard execution at this number of events. */
const MOST_EVENTS = 25_000;
/** A wait (2), a task that is entered, scheduled, started, done and left (5), and a choice (2). */
const EVENTS_PER_LOOK = 9;
/** An iteration of a map around a task that succeeds at once. */
const EVENTS_PER_SHARD = 7;

test('an execution that waits for its whole life, and then exports the most shards, stays below 25,000 events', () => {
  let looks = 0;
  for (let waited = 0; waited < limits.workflows.timeoutSeconds; looks += 1)
    waited += secondsToNextLook(waited * 1000);
  const events = looks * EVENTS_PER_LOOK + limits.exports.shards * EVENTS_PER_SHARD;
  // What is left is for the tries that a disturbed day adds.
  expect(events).toBeLessThan(MOST_EVENTS * 0.75);
});

test('a wait costs at most a twentieth of the time that was waited already', () => {
  expect([0, 10_000, 60_000, 3_600_000].map(secondsToNextLook)).toEqual([1, 1, 3, 180]);
  expect(secondsToNextLook(86_400_000)).toBe(limits.workflows.lookSecondsMax);
});
