import { setTimeout as delay } from 'node:timers/promises';

const ASK_EVERY_MS = 100;

/** A service that is not healthy after this time has failed. */
const PATIENCE_MS = 60_000;

/** Resolves once `/healthz` answers 200. Throws with the last answer after a minute. */
export const untilHealthy = async (baseUrl: string): Promise<void> => {
  const deadline = Date.now() + PATIENCE_MS;
  let last = 'nothing';
  while (Date.now() < deadline) {
    const answer = await fetch(`${baseUrl}/healthz`);
    if (answer.ok) return;
    last = `${answer.status} ${(await answer.text()).slice(0, 500)}`;
    await delay(ASK_EVERY_MS);
  }
  throw new Error(`${baseUrl}/healthz did not become healthy; its last answer was ${last}`);
};
