import { policiesAllow, policiesOfFunction } from '../resource-policies.ts';
import type { Deployment, DeployedOf } from '../deployment.ts';

/** Missing links between the SFTP server and its identity function. */
export const identityProblems = (deployment: Deployment, fn: DeployedOf<'functions'>): readonly string[] => {
  const resource = fn.attributes['Arn'] ?? '';
  const servers = deployment.servers.filter(
    ({ properties }) => properties.IdentityProviderDetails.Function === resource,
  );
  if (servers.length === 0) return ['no SFTP server asks it'];
  const policies = policiesOfFunction(deployment, resource);
  const act = { principal: 'transfer.amazonaws.com', action: 'lambda:InvokeFunction', resource };
  return servers.flatMap(({ logicalId, attributes, properties }) => [
    ...(policiesAllow(policies, { ...act, sourceArn: attributes['Arn'] ?? '' })
      ? []
      : [`it does not let the server ${logicalId} call it`]),
    ...logProblems(deployment, properties.StructuredLogDestinations),
    ...eventProblems(deployment, attributes['ServerId'] ?? ''),
  ]);
};

const logProblems = ({ logGroups }: Deployment, wanted: readonly string[]): readonly string[] => {
  const known = new Set(logGroups.map(({ attributes }) => attributes['Arn']));
  return wanted
    .filter((arn) => !known.has(arn))
    .map((arn) => `the SFTP server writes to ${arn}, which is missing`);
};

/** Without a rule for the server, no target receives the events of its files. */
const eventProblems = ({ rules }: Deployment, serverId: string): readonly string[] =>
  rules.some(({ properties }) => JSON.stringify(properties.EventPattern ?? {}).includes(`"${serverId}"`))
    ? []
    : ['no rule hears of the files of its SFTP server'];
