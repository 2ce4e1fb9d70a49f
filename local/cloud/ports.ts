import type { Deployment } from '../assembly/deployment.ts';
import { arn } from '../core/arn.ts';
import type { Authority } from '../core/authority.ts';
import type { TargetPorts } from '../services/events/targets.ts';
import type { Runner } from '../services/lambda/runner.ts';
import type { DirectQueue, Sqs } from '../services/sqs/sqs.ts';
import type { Topics } from '../services/sns/topics.ts';
import type { Engine } from '../services/states/engine.ts';
import type { TaskPorts } from '../services/states/tasks.ts';
import { ServiceError } from '../core/service-error.ts';
import { findFunction } from './functions.ts';

export interface PortParts {
  readonly deployment: Deployment;
  readonly authority: Authority;
  readonly runner: Runner;
  readonly sqs: Sqs;
  /** Receives a sentence about each event whose function failed. */
  readonly report: (problem: string) => void;
}

const functionNamed = (deployment: Deployment, given: string): string => {
  const found = findFunction(deployment, given);
  if (!found) throw new ServiceError('ResourceNotFoundException', `Function not found: ${given}`, 404);
  return found.name;
};

const queueAt = ({ deployment, sqs }: PortParts, given: string): DirectQueue => {
  const found = deployment.queues.find(({ ref, attributes }) => ref === given || attributes['Arn'] === given);
  if (!found) throw new ServiceError('QueueDoesNotExist', `The specified queue ${given} does not exist.`);
  return sqs.queue(found.name);
};

/** Connects the tasks of workflows with functions and queues. */
export const taskPorts = (parts: PortParts): TaskPorts => ({
  authority: parts.authority,
  invokeFunction: (given, payload) => parts.runner.invoke(functionNamed(parts.deployment, given), payload),
  warmFunction: (given) => void parts.runner.warm(functionNamed(parts.deployment, given)),
  functionArn: (given) => arn('lambda', `function:${functionNamed(parts.deployment, given)}`),
  queueArn: (url) => queueAt(parts, url).arn,
  sendMessage: (url, body, options) => queueAt(parts, url).send(body, options),
});

/** Connects rules and schedules with their targets. */
export const targetPorts = (parts: PortParts, engine: Engine, topics: Topics): TargetPorts => ({
  authority: parts.authority,
  sendMessage: (queueArn, body, groupId) =>
    queueAt(parts, queueArn).send(body, groupId === undefined ? {} : { groupId }),
  // Lambda has accepted the event before the function fails, so the sender does not learn of the failure.
  invokeFunction: async (functionArn, event) => {
    const outcome = await parts.runner.enqueue(functionNamed(parts.deployment, functionArn), event);
    if (!outcome.ok) parts.report(`${functionArn} failed for an event: ${outcome.failure.errorMessage}`);
  },
  startExecution: (machineArn, name, input) => void engine.start(machineArn, name, input),
  publish: (topicArn, message) => topics.publish(topicArn, message),
});
