import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { secondsToNextPoll } from '../../shared/runtime/poll-interval.ts';

/** Step Functions ends a Standard execution at this number of events. */
const MOST_EVENTS = 25_000;

/** A wait (2), a task that is entered, scheduled, started, done and left (5), and a choice (2). */
const EVENTS_PER_LOOK = 9;

/** An iteration of a map around a task that succeeds at once. */
const EVENTS_PER_SHARD = 7;

/** A task that is entered, scheduled, started, done and left (5), and a choice (2). */
const EVENTS_PER_CALL = 7;

/** A failed try: scheduled, started, failed. */
const EVENTS_PER_TRY = 3;

const { busyRetrySeconds, pollSecondsMax, timeoutSeconds } = limits.workflows;

/** Failed tries of one step that fill a whole life. */
const MOST_TRIES = Math.ceil(timeoutSeconds / (pollSecondsMax / 2));

/**
 * Seconds that a number of tries of a step takes on average: the jitter is between zero and the whole pause.
 */
const patienceOf = (tries: number): number =>
  Array.from({ length: tries }, (_, n) => Math.min(pollSecondsMax, busyRetrySeconds * 2 ** n) / 2).reduce(
    (sum, seconds) => sum + seconds,
    0,
  );

/** The events of an execution that makes calls for its whole life, where each call first fails a number of times. */
const eventsOf = (
  tries: number,
  { perCall, secondsOf }: { perCall: number; secondsOf: (spent: number) => number },
): number => {
  let [spent, events] = [0, 0];
  while (spent < timeoutSeconds) {
    spent += secondsOf(spent) + patienceOf(tries);
    events += perCall + tries * EVENTS_PER_TRY;
  }
  return events;
};

/** The events of such an execution at the number of failed tries that causes most events. */
const mostEventsOf = (work: Parameters<typeof eventsOf>[1]): number =>
  Math.max(...Array.from({ length: MOST_TRIES }, (_, tries) => eventsOf(tries, work)));

it('an execution that waits for its whole life and then exports the most shards stays below 25,000 events', () => {
  let looks = 0;
  for (let waited = 0; waited < limits.workflows.timeoutSeconds; looks += 1)
    waited += secondsToNextPoll(waited * 1000);
  const events = looks * EVENTS_PER_LOOK + limits.exports.shards * EVENTS_PER_SHARD;
  // The remaining events allow for the tries of a day with many failures.
  expect(events).toBeLessThan(MOST_EVENTS * 0.75);
});

it('each wait lasts at most a twentieth of the time already waited', () => {
  expect([0, 10_000, 60_000, 3_600_000].map(secondsToNextPoll)).toEqual([1, 1, 3, 180]);
  expect(secondsToNextPoll(86_400_000)).toBe(limits.workflows.pollSecondsMax);
});

it('a plan that is throttled at each look of its whole life leaves events for the most shards', () => {
  const looks = { perCall: EVENTS_PER_LOOK, secondsOf: (spent: number) => secondsToNextPoll(spent * 1000) };
  const shards = limits.exports.shards * EVENTS_PER_SHARD;
  expect(mostEventsOf(looks)).toBeLessThan(MOST_EVENTS - shards);
});

it('a file that is split for days, and throttled at each call, stays below 25,000 events', () => {
  const calls = { perCall: EVENTS_PER_CALL, secondsOf: () => limits.imports.splitSeconds };
  expect(mostEventsOf(calls)).toBeLessThan(MOST_EVENTS);
});
