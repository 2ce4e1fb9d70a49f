/** Wiring checks: find missing parts of the API, the workflows, the rules and the log groups. */
import { compilePattern } from '../../services/events/pattern.ts';
import { compileExpression } from '../../services/scheduler/expression.ts';
import { readDefinition } from '../../services/states/definition.ts';
import { actionOfTarget } from '../../services/events/targets.ts';
import { policiesAllow, policiesOfResource } from '../resource-policies.ts';
import type { Deployment, DeployedOf } from '../deployment.ts';
import { keyGuardOf } from '../key-policies.ts';

/** Problems of the API, workflows, rules and log groups. */
export const wiringProblems = (deployment: Deployment): readonly string[] => [
  ...apiProblems(deployment),
  ...deployment.machines.flatMap(({ name, properties }) =>
    problemOf(name, () => readDefinition(properties.DefinitionString)),
  ),
  ...deployment.schedules.flatMap(({ name, properties }) =>
    problemOf(name, () =>
      compileExpression(properties.ScheduleExpression, properties.ScheduleExpressionTimezone, 0),
    ),
  ),
  ...deployment.rules.flatMap((rule) => ruleProblems(deployment, rule)),
  ...keyProblems(deployment),
  ...logGroupProblems(deployment),
];

const problemOf = (name: string, act: () => void): readonly string[] => {
  try {
    act();
    return [];
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`];
  }
};

const apiProblems = ({ apis, stages }: Deployment): readonly string[] => {
  const [api, ...others] = apis;
  if (others.length > 0) return [`the templates may have one HTTP API, not ${apis.length}`];
  return api && !stages.some(({ properties }) => properties.ApiId === api.ref)
    ? ['the API has no $default stage']
    : [];
};

const ruleProblems = (deployment: Deployment, rule: DeployedOf<'rules'>): readonly string[] => {
  const { EventPattern, ScheduleExpression, Targets } = rule.properties;
  const sourceArn = rule.attributes['Arn'] ?? '';
  const unreachable = Targets.filter(({ RoleArn, Arn }) => {
    if (RoleArn !== undefined) return false;
    const action = actionOfTarget(Arn) ?? '';
    const act = { principal: 'events.amazonaws.com', action, resource: Arn, sourceArn };
    return !policiesAllow(policiesOfResource(deployment, Arn), act);
  });
  return [
    ...(Targets.length === 0 ? [`${rule.name}: the rule has no target`] : []),
    ...unreachable.map(({ Arn }) => `${rule.name}: ${Arn} does not let the rule send to it`),
    ...(EventPattern === undefined ? [] : problemOf(rule.name, () => compilePattern(EventPattern))),
    ...(ScheduleExpression === undefined
      ? []
      : problemOf(rule.name, () => compileExpression(ScheduleExpression, 'UTC', 0))),
  ];
};

/**
 * EventBridge and CloudWatch lose what they may not encrypt without a trace, so their keys are checked before the start:
 * those of the targets of rules with their dead letters, and those of the topics of alarms.
 */
const keyProblems = (deployment: Deployment): readonly string[] => {
  const keys = keyGuardOf(deployment);
  const acts = [
    ...deployment.rules.flatMap(({ name, properties }) =>
      properties.Targets.filter(({ RoleArn }) => RoleArn === undefined).flatMap(({ Arn, DeadLetterConfig }) =>
        [Arn, ...(DeadLetterConfig ? [DeadLetterConfig.Arn] : [])].map((resource) => ({
          name,
          principal: 'events.amazonaws.com',
          needed: { action: actionOfTarget(resource) ?? '', resource },
        })),
      ),
    ),
    ...deployment.topics.map(({ name, ref }) => ({
      name,
      principal: 'cloudwatch.amazonaws.com',
      needed: { action: 'sns:Publish', resource: ref },
    })),
  ];
  return acts.flatMap(({ name, principal, needed }) => {
    const use = keys.refusedToService(principal, needed);
    return use === undefined
      ? []
      : [
          `${name}: the policy of the key ${use.resource} does not let ${principal} send to ${needed.resource}`,
        ];
  });
};

/** The log groups of the API's stage and of the workflows must exist. */
const logGroupProblems = ({ stages, machines, logGroups }: Deployment): readonly string[] => {
  const known = logGroups.map(({ attributes }) => attributes['Arn'] ?? '');
  const stageProblems = stages.flatMap(({ properties }) => {
    const wanted = properties.AccessLogSettings?.DestinationArn;
    return wanted === undefined || known.some((arn) => arn.startsWith(wanted.replace(/:\*$/, '')))
      ? []
      : [`the API's stage writes to ${wanted}, which is missing`];
  });
  const machineProblems = machines.flatMap(({ name, properties }) => {
    if (properties.LoggingConfiguration === undefined) return [];
    const wanted = JSON.stringify(properties.LoggingConfiguration);
    return known.some((arn) => wanted.includes(arn)) ? [] : [`${name}: the workflow's log group is missing`];
  });
  return [...stageProblems, ...machineProblems];
};
