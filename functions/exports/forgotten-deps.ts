import { forgottenMembers, type HasForgotten } from '../../shared/exports/parts/forgotten-members.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import type { Env } from '../../shared/runtime/env.ts';
import { objectStore } from '../../shared/runtime/s3-object-store.ts';
import { tableFromEnv } from '../../shared/table/dynamo-client.ts';

/** The look for forgotten people in the files of the environment. */
export const forgottenFromEnv = (env: Env<'TABLE_NAME' | 'EXPORTS_BUCKET'>): HasForgotten =>
  forgottenMembers(forgottenPeople(tableFromEnv(env)), objectStore(env('EXPORTS_BUCKET')));
