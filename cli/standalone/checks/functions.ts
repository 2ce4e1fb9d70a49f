import type { FunctionEntry } from '../../../functions/entry.ts';
import { policyOfRole } from '../../../local/assembly/callers.ts';
import type { Deployment, DeployedOf } from '../../../local/assembly/deployment.ts';
import { compilePolicy } from '../../../local/core/iam.ts';
import { shortName } from '../names.ts';
import { triggerProblems } from './triggers.ts';

type Fn = DeployedOf<'functions'>;

/** Problems that keep a function from running as the manifest says, one sentence each. */
export const functionProblems = (
  deployment: Deployment,
  manifest: Readonly<Record<string, FunctionEntry>>,
): readonly string[] => [
  ...Object.entries(manifest).flatMap(([name, entry]) => {
    const fn = deployment.functions.find((one) => shortName(one.name) === name);
    if (!fn) return [`${name}: the manifest's function is in no template`];
    return [...partProblems(deployment, fn, entry), ...triggerProblems(deployment, fn, entry)].map(
      (problem) => `${name}: ${problem}`,
    );
  }),
  ...deployment.functions
    .filter(({ name }) => !(shortName(name) in manifest))
    .map(({ name }) => `${name}: the template's function is not in the manifest`),
];

const partProblems = (deployment: Deployment, fn: Fn, { alarm }: FunctionEntry): readonly string[] => [
  ...(deployment.assets[fn.properties.Code.S3Key] === undefined ? ['its bundle is not in the assembly'] : []),
  ...logProblems(deployment, fn),
  ...tableProblems(deployment, fn),
  ...(alarm === undefined || watched(deployment, fn) ? [] : ['no alarm watches it']),
];

/** Tables stand in the environment by name, so the loader sees no reference to them. */
const tableProblems = ({ tables }: Deployment, { properties }: Fn): readonly string[] =>
  Object.entries(properties.Environment.Variables)
    .filter(
      ([variable, name]) => variable.endsWith('TABLE_NAME') && !tables.some((table) => table.name === name),
    )
    .map(([variable, name]) => `no template makes the table ${name} of ${variable}`);

const logProblems = (deployment: Deployment, fn: Fn): readonly string[] => {
  const role = deployment.roles.find(({ attributes }) => attributes['Arn'] === fn.properties.Role);
  if (!role) return ['it has no role'];
  const group = deployment.logGroups.find(({ name }) => name === fn.properties.LoggingConfig?.LogGroup);
  if (!group) return ['it has no log group'];
  const resource = (group.attributes['Arn'] ?? '').replace(/:\*$/, ':log-stream:any');
  const verdict = compilePolicy(policyOfRole(deployment, role))({ action: 'logs:PutLogEvents', resource });
  return verdict === 'allowed' ? [] : ['its role has no policy that lets it write its log'];
};

const watched = (deployment: Deployment, { name }: Fn): boolean =>
  deployment.alarms.some(({ properties }) =>
    [
      properties.Dimensions,
      ...properties.Metrics.map(({ MetricStat }) => MetricStat?.Metric.Dimensions ?? []),
    ].some((dimensions) => dimensions.some((one) => one.Name === 'FunctionName' && one.Value === name)),
  );
