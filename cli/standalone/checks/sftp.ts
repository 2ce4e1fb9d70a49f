import type { LogTrigger } from '../../../functions/entry.ts';
import type { Deployment, DeployedOf } from '../../../local/assembly/deployment.ts';
import { policiesAllow, policiesOfFunction } from '../../../local/assembly/resource-policies.ts';
import { compileLinePattern } from '../../../local/services/logs/line-pattern.ts';

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
    ...destinationProblems(deployment, properties.StructuredLogDestinations),
    ...eventProblems(deployment, attributes['ServerId'] ?? ''),
  ]);
};

const destinationProblems = ({ logGroups }: Deployment, wanted: readonly string[]): readonly string[] => {
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

/** Missing links between the log of the SFTP server and a function that is told of its lines. */
export const logProblems = (
  deployment: Deployment,
  fn: DeployedOf<'functions'>,
  { where: { field, value } }: LogTrigger,
): readonly string[] => {
  const resource = fn.attributes['Arn'] ?? '';
  const filters = deployment.subscriptionFilters.filter(
    ({ properties }) => properties.DestinationArn === resource,
  );
  if (filters.length === 0) return ['no log group tells it of lines'];
  const policies = policiesOfFunction(deployment, resource);
  return filters.flatMap(({ name, properties }) => {
    const group = deployment.logGroups.find((one) => one.name === properties.LogGroupName);
    const sourceArn = group?.attributes['Arn'] ?? '';
    const act = { principal: 'logs.amazonaws.com', action: 'lambda:InvokeFunction', resource, sourceArn };
    const isWritten = deployment.servers.some((server) =>
      server.properties.StructuredLogDestinations.includes(sourceArn),
    );
    return [
      ...(isWritten ? [] : [`no SFTP server writes to the log group of ${name}`]),
      ...(policiesAllow(policies, act) ? [] : [`it does not let the log group of ${name} call it`]),
      ...(compileLinePattern(properties.FilterPattern)?.(JSON.stringify({ [field]: value })) === true
        ? []
        : [`${name} does not let through the lines that it waits for`]),
    ];
  });
};
