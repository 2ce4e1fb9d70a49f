import { issueToken } from '../../shared/auth/issue-token.ts';
import { writeOAuthProblem } from '../../shared/auth/oauth-answer.ts';
import { scryptKdf } from '../../shared/auth/passwords.ts';
import { systemRuntime } from '../../shared/edge/http-handler.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { auditTrailFromEnv } from '../../shared/audit/audit-trail.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
import * as entries from './entries.ts';

export const handler = publicHandler(
  entries.issueToken,
  issueToken,
  (env) => ({
    ...systemRuntime,
    credentials: credentialsFromEnv(env),
    audit: auditTrailFromEnv(env),
    kdf: scryptKdf,
  }),
  { failure: writeOAuthProblem },
);
