import { scryptKdf } from '../../shared/auth/passwords.ts';
import { systemRuntime } from '../../shared/edge/http-handler.ts';
import { auditTrailFromEnv } from '../../shared/audit/audit-trail.ts';
import { credentialsFromEnv } from '../../shared/table/dynamo-client.ts';
import { withinInvocation } from '../../shared/runtime/deadline.ts';
import { sftpLogin, type SftpAnswer } from '../../shared/auth/sftp-login.ts';
import type * as entries from './entries.ts';
import { processEnv, type EnvOf } from '../../shared/runtime/env.ts';

const env: EnvOf<typeof entries.authorizeSftp> = processEnv;

/** Authenticates SFTP users for Transfer Family. An exception refuses the login. */
export const handler = withinInvocation((asked: unknown): Promise<SftpAnswer> =>
  sftpLogin({
    ...systemRuntime,
    credentials: credentialsFromEnv(env),
    audit: auditTrailFromEnv(env),
    kdf: scryptKdf,
    place: { bucket: env('UPLOADS_BUCKET'), roleArn: env('SFTP_ROLE_ARN') },
  })(asked),
);
