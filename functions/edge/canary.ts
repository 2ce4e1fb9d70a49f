import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';
import type * as entries from './task-entries.ts';

const env: EnvOf<typeof entries.canary> = processEnv;

/** An answer that takes longer is none: at this time clients have given up. */
const PATIENCE_MS = 20_000;

/**
 * Calls the service by its name, through its certificate, the gateway and the tables. Throws when it does not answer, so
 * that the alarm of the function rings: the alarms of the gateway know only requests that arrive.
 */
export const handler = withinInvocation(async (): Promise<void> => {
  const url = `${env('BASE_URL')}/healthz`;
  const { status } = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) });
  if (status !== 200) throw new Error(`canary: ${url} answered ${status}`);
});
