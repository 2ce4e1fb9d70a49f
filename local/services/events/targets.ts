/** Delivery: sends the events of rules and schedules to their targets, and failed events to dead-letter queues. */
import { randomUUID } from 'node:crypto';
import type { Authority } from '../../core/authority.ts';
import { ServiceError } from '../../core/service-error.ts';

/** A target of EventBridge or Scheduler. */
export interface Target {
  readonly arn: string;
  /** Role for the call. Queues and functions that a rule calls have resource policies instead. */
  readonly roleArn?: string | undefined;
  /** Message group of a FIFO queue. */
  readonly groupId?: string | undefined;
  /** ARN of the dead-letter queue. */
  readonly deadLetters?: string | undefined;
}

/** The service and resource on whose behalf an event is sent. */
interface Sender {
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
}

/**
 * Sends one event. An event that cannot be delivered goes to the dead-letter queue of the target, if it has one. An
 * event that this queue does not take either is lost, as in AWS.
 */
export type Deliver = (target: Target, sender: Sender, event: string) => Promise<void>;

/** Builds the delivery of rules and schedules. `report` receives a sentence about each failed delivery. */
export const createDelivery = (ports: TargetPorts, report: (problem: string) => void): Deliver => {
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
    if (target.deadLetters !== undefined)
      await reaches({ ...target, arn: target.deadLetters }, sender, event);
  };
};

const send = async (ports: TargetPorts, target: Target, sender: Sender, event: string): Promise<void> => {
  const service = target.arn.split(':')[2] ?? '';
  const action = ACTIONS[service];
  if (action === undefined) throw new ServiceError('ValidationException', `${target.arn} cannot be a target`);
  permit(ports, target, sender, action);
  if (service === 'sqs') ports.sendMessage(target.arn, event, target.groupId);
  else if (service === 'states') ports.startExecution(target.arn, randomUUID(), event);
  else await ports.invokeFunction(target.arn, event);
};

const ACTIONS: Readonly<Record<string, string>> = {
  sqs: 'sqs:SendMessage',
  lambda: 'lambda:InvokeFunction',
  states: 'states:StartExecution',
};

const permit = ({ authority }: TargetPorts, target: Target, sender: Sender, action: string): void => {
  const needed = { action, resource: target.arn };
  if (target.roleArn === undefined) authority.requireService(sender.principal, sender.sourceArn, needed);
  else authority.requireRole(target.roleArn, needed);
};
