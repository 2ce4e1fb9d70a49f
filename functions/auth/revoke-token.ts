import { writeOAuthProblem } from '../../shared/auth/oauth-answer.ts';
import { revokeToken } from '../../shared/auth/revoke-token.ts';
import { auditTrailFromEnv } from '../../shared/audit/audit-trail.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { systemClock } from '../../shared/runtime/clock.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './entries.ts';

export const handler = publicHandler(
  entries.revokeToken,
  revokeToken,
  (env) => ({
    clock: systemClock,
    credentials: credentialsFromEnv(env),
    audit: auditTrailFromEnv(env),
  }),
  { failure: writeOAuthProblem },
);
