import { issueToken as issueTokenUseCase, writeOAuthProblem } from '../../shared/auth/issue-token.ts';
import { scryptKdf } from '../../shared/auth/passwords.ts';
import { systemSurroundings } from '../../shared/http/lambda.ts';
import { publicHandler } from '../../shared/http/public-handler.ts';
import { auditTrailFromEnv } from '../../shared/audit/trail-from-env.ts';
import { credentialsFromEnv } from '../../shared/runtime/dynamo-client.ts';
import { issueToken } from './entries.ts';

export const handler = publicHandler(
  issueToken,
  () =>
    issueTokenUseCase({
      ...systemSurroundings,
      credentials: credentialsFromEnv(),
      audit: auditTrailFromEnv(),
      kdf: scryptKdf,
    }),
  systemSurroundings,
  writeOAuthProblem,
);
