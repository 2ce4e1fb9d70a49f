import * as v from 'valibot';
import { seedAccounts, seedPayload, type Seeded } from '../../shared/operator/seed-accounts.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { accountDeps } from './deps.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.seed> = processEnv;

/** Creates accounts whose names and passwords the caller knows, or finds them again. Throws the reason of a refusal. */
export const handler = withinInvocation(async (payload: unknown): Promise<readonly Seeded[]> => {
  const seeded = await seedAccounts(accountDeps(env), v.parse(seedPayload, payload).accounts);
  if (!seeded.ok) throw new Error(seeded.error.message);
  return seeded.value;
});
