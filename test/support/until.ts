import { setTimeout as sleep } from 'node:timers/promises';

const PATIENCE_MS = 60_000;
const POLL_MS = 25;

/** Waits for a fact: asks until the answer is not `undefined`. Fails, naming the fact, when it does not come in time. */
export const until = async <T>(
  fact: string,
  ask: () => Promise<T | undefined> | T | undefined,
  patienceMs = PATIENCE_MS,
): Promise<T> => {
  const deadline = Date.now() + patienceMs;
  while (Date.now() < deadline) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await sleep(POLL_MS);
  }
  throw new Error(`waited ${patienceMs / 1000} s in vain for ${fact}`);
};
