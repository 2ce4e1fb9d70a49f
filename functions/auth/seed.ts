import * as v from 'valibot';
import { seedAccount, seedPayload, type Seeded } from '../../shared/operator/seed-account.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { accountDeps } from './deps.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.seed> = processEnv;

/** Creates an account whose names and password the caller knows, or finds it again. Throws the reason of a refusal. */
export const handler = withinInvocation(async (payload: unknown): Promise<Seeded> => {
  const seeded = await seedAccount(accountDeps(env), v.parse(seedPayload, payload));
  if (!seeded.ok) throw new Error(seeded.error.message);
  return seeded.value;
});
