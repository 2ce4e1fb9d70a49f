import { issueToken as issueTokenUseCase, writeOAuthProblem } from '../../shared/auth/issue-token.ts';
import { scryptKdf } from '../../shared/auth/passwords.ts';
import { systemSurroundings } from '../../shared/edge/lambda.ts';
import { publicHandler } from '../../shared/edge/public-handler.ts';
import { auditTrailFromEnv } from '../../shared/audit/trail-from-env.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
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
