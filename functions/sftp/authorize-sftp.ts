import { scryptKdf } from '../../shared/auth/passwords.ts';
import { systemSurroundings } from '../../shared/edge/lambda.ts';
import { auditTrailFromEnv } from '../../shared/audit/trail-from-env.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
import { env } from '../../shared/runtime/env.ts';
import { withinInvocation } from '../../shared/runtime/invocation.ts';
import { sftpLogin, type SftpAnswer } from '../../shared/auth/sftp-login.ts';

/** Answers Transfer Family. What is thrown lets nobody in. */
export const handler = withinInvocation((asked: unknown): Promise<SftpAnswer> =>
  sftpLogin({
    ...systemSurroundings,
    credentials: credentialsFromEnv(),
    audit: auditTrailFromEnv(),
    kdf: scryptKdf,
    place: { bucket: env('UPLOADS_BUCKET'), roleArn: env('SFTP_ROLE_ARN') },
  })(asked),
);
