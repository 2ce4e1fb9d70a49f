import { splitOperator } from '../../shared/operator/audit-command.ts';
import { replayForgettings, type ReplayProgress } from '../../shared/ingest/forgetting-log.ts';
import { forgottenPeople } from '../../shared/profiles/forgotten-people.ts';
import { auditLogFromEnv } from '../../shared/table/dynamo-client.ts';
import { systemIds } from '../../shared/runtime/ids.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { momentMembers } from '../../shared/membership/moments.ts';
import { profileWriterDeps } from './deps.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.replayForgettings> = processEnv;

type ReplayAnswer =
  | ({ readonly ok: true } & ReplayProgress)
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** Replays one page of the forgetting log after a restore, for the operator's command line. */
export const handler = withinInvocation(async (payload: unknown): Promise<ReplayAnswer> => {
  const deps = profileWriterDeps(env);
  const more = {
    moments: momentMembers(deps),
    forgettings: auditLogFromEnv(env),
    forgotten: forgottenPeople(deps.table),
    attemptId: () => systemIds.uuid(),
  };
  const { operator, command } = splitOperator(payload);
  const replayed = await replayForgettings({ ...deps, ...more }, command);
  systemLog(replayed.ok ? 'operator.done' : 'operator.refused', {
    command: 'forgettings.replay',
    operator,
    outcome: replayed.ok ? 'ok' : replayed.error.code,
    ...(replayed.ok && { count: replayed.value.forgotten }),
  });
  return replayed.ok ? { ok: true, ...replayed.value } : { ok: false, error: replayed.error };
});
