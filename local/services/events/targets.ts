/** Delivery: sends the events of rules and schedules to their targets, and failed events to dead-letter queues. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import type { Authority } from '../../core/authority.ts';
import { ServiceError } from '../../core/service-error.ts';

/** A target of EventBridge or Scheduler. */
export interface Target {
  readonly arn: string;
  /** Role for the call. Queues and functions that a rule calls have resource policies instead. */
  readonly roleArn?: string | undefined;
  /** Message group of a FIFO queue. */
  readonly groupId?: string | undefined;
  /** Makes the text that the target gets from the event. */
  readonly transformer?: Transformer | undefined;
  /** ARN of the dead-letter queue. */
  readonly deadLetters?: string | undefined;
}

/** An input transformer: the paths of its variables in the event, and the text with `<variable>`. */
export interface Transformer {
  readonly paths: Readonly<Record<string, string>>;
  readonly template: string;
}

/** The service and resource on whose behalf an event is sent. */
export interface Sender {
  /** `events.amazonaws.com` or `scheduler.amazonaws.com`. */
  readonly principal: string;
  /** ARN of the rule or schedule. */
  readonly sourceArn: string;
}

/** Ways into the services that can be targets. */
export interface TargetPorts {
  readonly authority: Authority;
  sendMessage(queueArn: string, body: string, groupId: string | undefined): void;
  invokeFunction(functionArn: string, event: string): Promise<void>;
  startExecution(machineArn: string, name: string, input: string): void;
  publish(topicArn: string, message: string): void;
}

/**
 * Sends one event. An event that cannot be delivered goes to the dead-letter queue of the target, if it has one. An
 * event that this queue does not take either is lost, as in AWS.
 */
export type Deliver = (target: Target, sender: Sender, event: string) => Promise<void>;

/** An event that did not reach its target. */
export interface Loss {
  readonly sender: Sender;
  readonly hasDeadLetters: boolean;
  /** Whether the dead letters of the target have it. */
  readonly isKept: boolean;
}

/** Builds the delivery of rules and schedules. `report` receives a sentence about each failed delivery, and `onLoss` its facts. */
export const createDelivery = (
  ports: TargetPorts,
  report: (problem: string) => void,
  onLoss: (loss: Loss) => void = () => undefined,
): Deliver => {
  const reaches = async (target: Target, sender: Sender, event: string): Promise<boolean> => {
    try {
      await send(ports, target, sender, event);
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      report(`${sender.sourceArn} could not reach ${target.arn}: ${error.message}`);
      return false;
    }
  };
  return async (target, sender, event) => {
    if (await reaches(target, sender, event)) return;
    const { deadLetters } = target;
    const isKept =
      deadLetters !== undefined && (await reaches({ ...target, arn: deadLetters }, sender, event));
    onLoss({ sender, hasDeadLetters: deadLetters !== undefined, isKept });
  };
};

const send = async (ports: TargetPorts, target: Target, sender: Sender, event: string): Promise<void> => {
  const service = serviceOf(target.arn);
  const action = actionOfTarget(target.arn);
  if (action === undefined) throw new ServiceError('ValidationException', `${target.arn} cannot be a target`);
  permit(ports, target, sender, action);
  if (service === 'sqs') ports.sendMessage(target.arn, event, target.groupId);
  else if (service === 'sns') ports.publish(target.arn, transformed(target.transformer, event));
  else if (service === 'states') ports.startExecution(target.arn, randomUUID(), event);
  else await ports.invokeFunction(target.arn, event);
};

const serviceOf = (arn: string): string => arn.split(':')[2] ?? '';

/** The action with which a target of this ARN is reached; undefined for a service that cannot be a target. */
export const actionOfTarget = (arn: string): string | undefined => ACTIONS[serviceOf(arn)];

const ACTIONS: Readonly<Record<string, string>> = {
  sns: 'sns:Publish',
  sqs: 'sqs:SendMessage',
  lambda: 'lambda:InvokeFunction',
  states: 'states:StartExecution',
};

const permit = ({ authority }: TargetPorts, target: Target, sender: Sender, action: string): void => {
  const needed = { action, resource: target.arn };
  if (target.roleArn === undefined) authority.requireService(sender.principal, sender.sourceArn, needed);
  else authority.requireRole(target.roleArn, needed);
};

/** The text that a target gets: a template in quotes is a text, as in EventBridge. A path without a value gives nothing. */
const transformed = (transformer: Transformer | undefined, event: string): string => {
  if (transformer === undefined) return event;
  const parsed: unknown = JSON.parse(event);
  const text = transformer.template.replaceAll(/<([\w-]+)>/g, (_, name: string) =>
    valueAt(parsed, transformer.paths[name] ?? ''),
  );
  return text.replace(/^"(.*)"$/s, '$1');
};

const Branch = v.union([v.record(v.string(), v.unknown()), v.array(v.unknown())]);

/** The text at a path such as `$.detail.resources[0].ARN`. */
const valueAt = (event: unknown, path: string): string => {
  const [, ...steps] = path.split(/[.[\]]+/).filter((step) => step !== '');
  let value = event;
  for (const step of steps) {
    const branch = v.safeParse(Branch, value);
    value = branch.success ? Object.entries(branch.output).find(([name]) => name === step)?.[1] : undefined;
  }
  return typeof value === 'string' ? value : '';
};
