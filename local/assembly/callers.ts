import { hash, randomBytes } from 'node:crypto';
import type { RegisteredCaller } from '../gateway/callers.ts';
import type { PolicyStatement } from '../core/types.ts';
import type { Deployment, DeployedOf } from './deployment.ts';
import { ACCOUNT } from '../core/arn.ts';
import { statementsOf } from '../core/policy-documents.ts';

/** A role as a caller of the gateway, named after the function, workflow or schedule that assumes the role. */
export interface RoleCaller extends RegisteredCaller {
  readonly roleArn: string;
}

/** All statements of a role: its inline policies and the policies attached to it. */
export const policyOfRole = (
  deployment: Deployment,
  role: DeployedOf<'roles'>,
): readonly PolicyStatement[] => [
  ...role.properties.Policies.flatMap(({ PolicyDocument }) => statementsOf(PolicyDocument)),
  ...deployment.policies.flatMap(({ properties }) =>
    properties.Roles.includes(role.name) ? statementsOf(properties.PolicyDocument) : [],
  ),
];

/**
 * One caller per role, named after the function, workflow or schedule that assumes the role. The secrets are new at each
 * call and never leave this process, except into the functions.
 */
export const callersOf = (deployment: Deployment): readonly RoleCaller[] =>
  deployment.roles.map((role) => {
    const roleArn = role.attributes['Arn'] ?? '';
    const worker = workerOf(deployment, roleArn) ?? role.name;
    return {
      accessKeyId: `ASIA${hash('sha256', roleArn).slice(0, 16).toUpperCase()}`,
      secretAccessKey: randomBytes(32).toString('hex'),
      name: deployment.shortName(worker),
      principal: `arn:aws:sts::${ACCOUNT}:assumed-role/${role.name}/${worker}`,
      policy: policyOfRole(deployment, role),
      roleArn,
    };
  });

const workerOf = (deployment: Deployment, roleArn: string): string | undefined =>
  deployment.functions.find(({ properties }) => properties.Role === roleArn)?.name ??
  deployment.machines.find(({ properties }) => properties.RoleArn === roleArn)?.name ??
  deployment.schedules.find(({ properties }) => properties.Target.RoleArn === roleArn)?.name ??
  deployment.rules.find(({ properties }) => properties.Targets.some(({ RoleArn }) => RoleArn === roleArn))
    ?.name;
