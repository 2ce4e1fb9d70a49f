import { auditTrailFromEnv } from '../../shared/audit/audit-trail.ts';
import { recordKeyLogins } from '../../shared/auth/key-login.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { systemLog } from '../../shared/runtime/log.ts';
import { subscribedLines } from '../../shared/runtime/subscribed-lines.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
import type * as entries from './entries.ts';

const env: EnvOf<typeof entries.recordSftpLogin> = processEnv;

/** Records logins by key. Lambda calls it twice more after an exception, with the same lines. */
export const handler = withinInvocation((call: unknown): Promise<void> =>
  recordKeyLogins(
    { credentials: credentialsFromEnv(env), audit: auditTrailFromEnv(env), log: systemLog },
    subscribedLines(call),
  ),
);
