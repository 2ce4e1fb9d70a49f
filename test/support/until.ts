import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const POLL_MS = { least: 25, most: 100 };

/** The interval grows by this fraction of the time waited so far: polling takes processor time from the awaited work. */
const SHARE = 1 / 10;

/** Waits for a fact: asks until the answer is not `undefined`. Fails, naming the fact, when it does not come in time. */
export const until = async <T>(
  fact: string,
  ask: () => Promise<T | undefined> | T | undefined,
  patienceMs = PATIENCE_MS,
): Promise<T> => {
  const begun = Date.now();
  while (Date.now() < begun + patienceMs) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    const pause = Math.max(POLL_MS.least, (Date.now() - begun) * SHARE);
    await sleep(Math.min(POLL_MS.most, pause));
  }
  throw new Error(`waited ${patienceMs / 1000} s in vain for ${fact}`);
};
