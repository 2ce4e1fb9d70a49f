/** Trigger checks: find missing links between each function and the resource that invokes it. */
import {
  routeKeysOf,
  type FunctionEntry,
  type HttpTrigger,
  type ScheduleTrigger,
} from '../../../functions/entry.ts';
import { policyOfRole } from '../../../local/assembly/callers.ts';
import type { Deployment, DeployedOf } from '../../../local/assembly/deployment.ts';
import { integrationOf, isPermitted } from '../../../local/assembly/routes.ts';
import { compilePolicy } from '../../../local/core/iam.ts';
import { identityProblems, logProblems } from './sftp.ts';

type Fn = DeployedOf<'functions'>;

/** The actions that a role needs on the queue of its function. */
const POLLING = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

/** Missing links between a function and the resource that invokes it. */
export const triggerProblems = (deployment: Deployment, fn: Fn, entry: FunctionEntry): readonly string[] => {
  const { trigger } = entry;
  switch (trigger.kind) {
    case 'http':
      return routeProblems(deployment, fn, trigger);
    case 'queue':
      return queueProblems(deployment, fn);
    case 'workflow':
      return workflowProblems(deployment, fn);
    case 'schedule':
      return scheduleProblems(deployment, fn, trigger);
    case 'identity':
      return identityProblems(deployment, fn);
    case 'log':
      return logProblems(deployment, fn, trigger);
    case 'invoke':
      return [];
  }
};

const routeProblems = (deployment: Deployment, fn: Fn, trigger: HttpTrigger): readonly string[] => {
  const keys = routeKeysOf(trigger);
  return keys.flatMap((key) => {
    const route = deployment.routes.find(({ properties }) => properties.RouteKey === key);
    if (!route) return [`the API has no route ${key}`];
    const found = integrationOf(deployment, route);
    if (found?.target.name !== fn.name) return [`the route ${key} does not lead to it`];
    return isPermitted(deployment, fn, route) ? [] : [`it does not let the API call it for ${key}`];
  });
};

const roleAllows = (deployment: Deployment, roleArn: string, action: string, resource: string): boolean => {
  const role = deployment.roles.find(({ attributes }) => attributes['Arn'] === roleArn);
  return (
    role !== undefined && compilePolicy(policyOfRole(deployment, role))({ action, resource }) === 'allowed'
  );
};

const queueProblems = (deployment: Deployment, fn: Fn): readonly string[] => {
  const mappings = deployment.mappings.filter(({ properties }) =>
    [fn.name, fn.attributes['Arn']].includes(properties.FunctionName),
  );
  if (mappings.length === 0) return ['no queue is mapped to it'];
  return mappings.flatMap(({ properties }) =>
    POLLING.filter(
      (action) => !roleAllows(deployment, fn.properties.Role, action, properties.EventSourceArn),
    ).map((action) => `its role lacks ${action} on the queue that feeds it`),
  );
};

const workflowProblems = (deployment: Deployment, fn: Fn): readonly string[] => {
  const arn = fn.attributes['Arn'] ?? '';
  const machines = deployment.machines.filter(({ properties }) =>
    properties.DefinitionString.includes(`"${arn}"`),
  );
  if (machines.length === 0) return ['no workflow calls it'];
  return machines
    .filter(({ properties }) => !roleAllows(deployment, properties.RoleArn, 'lambda:InvokeFunction', arn))
    .map(({ name }) => `the role of ${name} may not call it`);
};

const scheduleProblems = (deployment: Deployment, fn: Fn, trigger: ScheduleTrigger): readonly string[] => {
  const arn = fn.attributes['Arn'] ?? '';
  const schedule = deployment.schedules.find(({ properties }) => properties.Target.Arn === arn);
  if (!schedule) return ['no schedule calls it'];
  const { ScheduleExpression, Target } = schedule.properties;
  return [
    ...(ScheduleExpression === trigger.expression ? [] : [`its schedule is not ${trigger.expression}`]),
    ...(roleAllows(deployment, Target.RoleArn, 'lambda:InvokeFunction', arn)
      ? []
      : ['the role of its schedule may not call it']),
  ];
};
