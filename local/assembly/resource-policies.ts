import { compilePolicy } from '../core/iam.ts';
import type { Deployment } from './deployment.ts';
import { ACCOUNT } from '../core/arn.ts';
import type { ResourcePolicy, ResourceStatement } from '../core/policy-documents.ts';

/** A call that an AWS service makes on its own behalf to a resource. */
export interface ServiceAct {
  /** `events.amazonaws.com`. */
  readonly principal: string;
  readonly action: string;
  readonly resource: string;
  /** ARN of the rule, route or schedule for which the service acts. */
  readonly sourceArn: string;
}

const names = ({ Principal }: ResourceStatement, service: string): boolean => {
  if (Principal === '*') return true;
  return Principal['Service']?.includes(service) === true || Principal['AWS']?.includes('*') === true;
};

/** Whether resource policies allow the call of a service: at least one Allow matches, and no Deny matches. */
export const policiesAllow = (policies: readonly ResourcePolicy[], act: ServiceAct): boolean => {
  const statements = policies
    .flatMap(({ Statement }) => Statement)
    .filter((statement) => names(statement, act.principal))
    .map(({ Effect, Action, Resource, Condition }) => ({
      effect: Effect,
      actions: Action,
      resources: Resource,
      conditions: Condition,
    }));
  const context = { 'aws:SourceArn': [act.sourceArn], 'aws:SourceAccount': [ACCOUNT] };
  return compilePolicy(statements)({ action: act.action, resource: act.resource, context }) === 'allowed';
};

/** The policies of a queue. */
export const policiesOfQueue = (deployment: Deployment, queueUrl: string): readonly ResourcePolicy[] =>
  deployment.queuePolicies.flatMap(({ properties }) =>
    properties.Queues.includes(queueUrl) ? [properties.PolicyDocument] : [],
  );

/** The policies of a queue, a topic or a function, by its ARN. */
export const policiesOfResource = (
  deployment: Deployment,
  resourceArn: string,
): readonly ResourcePolicy[] => {
  const queue = deployment.queues.find(({ attributes }) => attributes['Arn'] === resourceArn);
  if (queue) return policiesOfQueue(deployment, queue.ref);
  const ofTopic = deployment.topicPolicies.filter(({ properties }) =>
    properties.Topics.includes(resourceArn),
  );
  if (ofTopic.length > 0) return ofTopic.map(({ properties }) => properties.PolicyDocument);
  return policiesOfFunction(deployment, resourceArn);
};

/** The policy of a function, built from its permissions. */
export const policiesOfFunction = (deployment: Deployment, functionArn: string): readonly ResourcePolicy[] =>
  deployment.permissions.flatMap(({ properties }): ResourcePolicy[] => {
    const { FunctionName, Principal, SourceArn, SourceAccount, Action } = properties;
    const target = deployment.functions.find(({ attributes }) => attributes['Arn'] === functionArn);
    if (FunctionName !== functionArn && FunctionName !== target?.name) return [];
    const Condition = {
      ...(SourceArn === undefined ? {} : { ArnLike: { 'aws:SourceArn': [SourceArn] } }),
      ...(SourceAccount === undefined ? {} : { StringEquals: { 'aws:SourceAccount': [SourceAccount] } }),
    };
    const statement: ResourceStatement = {
      Effect: 'Allow',
      Principal: { Service: [Principal] },
      Action: [Action],
      Resource: [functionArn],
      Condition,
    };
    return [{ Statement: [statement] }];
  });
