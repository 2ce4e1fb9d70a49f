/** SFTP: connects the SFTP server of the template with its identity function, S3 and the event bus. */
import { join } from 'node:path';
import * as v from 'valibot';
import type { Deployment, DeployedOf } from '../assembly/deployment.ts';
import type { KeyGuard } from '../core/key-guard.ts';
import type { Bus } from '../services/events/bus.ts';
import type { VendedLog } from '../services/logs/vended-log.ts';
import type { S3 } from '../services/s3/s3.ts';
import { hostKeyIn } from '../services/transfer/host-key.ts';
import { Answer, permitOf, type Identity, type Question } from '../services/transfer/identity.ts';
import { openTransfer, type Transfer } from '../services/transfer/transfer.ts';
import { ServiceError } from '../core/service-error.ts';
import { findFunction } from './functions.ts';
import type { PartsInput } from './options.ts';
import type { PortParts } from './ports.ts';

export interface TransferParts extends PartsInput, PortParts {
  readonly keys: KeyGuard;
  readonly s3: S3;
  readonly bus: Bus;
  /** The structured log of the server. */
  readonly transferLog: VendedLog;
}

const SERVICE = 'transfer.amazonaws.com';

/** Opens the SFTP server of the template; `undefined` when the template has none. */
export const openSftp = async (parts: TransferParts): Promise<Transfer | undefined> => {
  const [server] = parts.deployment.servers;
  if (!server) return undefined;
  const { dataDir, s3, bus, transferLog, now, faults } = parts;
  return openTransfer({
    serverId: server.attributes['ServerId'] ?? '',
    hostKey: hostKeyIn(dataDir === undefined ? undefined : join(dataDir, 'transfer')),
    s3,
    ask: (question) => ask(parts, server, question),
    permitOf: (identity) =>
      permitOf(identity, {
        requireRole: (roleArn, needed) => parts.authority.requireRole(roleArn, needed),
        keyUsesOf: (needed) => parts.keys.usesOf(needed),
      }),
    publish: (event) => void bus.put(event),
    log: (stream, line) => transferLog.write(stream, line),
    now,
    faults,
  });
};

/** Calls the identity function as Transfer Family does. A failure rejects the login and is reported. */
const ask = async (
  { deployment, authority, runner, report }: TransferParts,
  { attributes, properties }: DeployedOf<'servers'>,
  question: Question,
): Promise<Identity | undefined> => {
  const resource = properties.IdentityProviderDetails.Function;
  try {
    const needed = { action: 'lambda:InvokeFunction', resource };
    authority.requireService(SERVICE, attributes['Arn'] ?? '', needed);
    const outcome = await runner.invoke(
      findFunction(deployment, resource)?.name ?? resource,
      JSON.stringify(question),
    );
    if (!outcome.ok) throw new Error(outcome.failure.errorMessage);
    const identity = v.parse(Answer, JSON.parse(outcome.payload));
    if (identity) requireTrust(deployment, identity.Role);
    return identity;
  } catch (error) {
    report(`SFTP: the login was rejected: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
};

/** Transfer Family assumes the role, so the trust policy of the role must allow it. */
const requireTrust = (deployment: Deployment, roleArn: string): void => {
  const role = deployment.roles.find(({ attributes }) => attributes['Arn'] === roleArn);
  const trusted = role?.properties.AssumeRolePolicyDocument.Statement.some(
    ({ Effect, Principal }) =>
      Effect === 'Allow' && Principal !== '*' && Principal['Service']?.includes(SERVICE) === true,
  );
  if (trusted !== true) throw new ServiceError('AccessDenied', `${SERVICE} may not assume ${roleArn}`, 403);
};
