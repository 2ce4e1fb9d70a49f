import { hash, randomBytes } from 'node:crypto';
import type { RegisteredCaller } from '../gateway/callers.ts';
import type { PolicyStatement } from '../core/types.ts';
import type { Deployment, DeployedOf } from './deployment.ts';
import { ACCOUNT } from '../core/arn.ts';
import { statementsOf } from '../core/policy-documents.ts';

/** A role with the name of whoever works under it, ready for the gateway. */
export interface RoleCaller extends RegisteredCaller {
  readonly roleArn: string;
}

/** `tidemark-local-importBatch` is the manifest's `importBatch`; other names stay as they are. */
export const shortName = (physicalName: string): string => physicalName.replace(/^tidemark-[a-z]+-/, '');

/** All that a role may do: its inline policies and the policies attached to it. */
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
 * One caller for each role: named by the function, workflow or schedule that works under it. Nobody outside this process can
 * know the secrets: they are new at each call.
 */
export const callersOf = (deployment: Deployment): readonly RoleCaller[] =>
  deployment.roles.map((role) => {
    const roleArn = role.attributes['Arn'] ?? '';
    const worker = workerOf(deployment, roleArn) ?? role.name;
    return {
      accessKeyId: `ASIA${hash('sha256', roleArn).slice(0, 16).toUpperCase()}`,
      secretAccessKey: randomBytes(32).toString('hex'),
      name: shortName(worker),
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
