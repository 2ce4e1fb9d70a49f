/** Tasks: invokes functions and sends messages for workflows. */
import * as v from 'valibot';
import type { Authority } from '../../core/authority.ts';
import type { Outcome } from '../lambda/outcome.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { TaskKind } from './definition.ts';

/** Largest input or output of a state, in bytes (Step Functions quota: 256 KiB). */
export const STATE_BYTES = 262_144;

/** Connections of a workflow to other services. */
export interface TaskPorts {
  readonly authority: Authority;
  invokeFunction(nameOrArn: string, payload: string): Promise<Outcome>;
  /** Warms up a function that a workflow will invoke soon. */
  warmFunction(nameOrArn: string): void;
  /** ARN of a function, from its name or ARN in a task. */
  functionArn(nameOrArn: string): string;
  queueArn(url: string): string;
  sendMessage(url: string, body: string, options: { groupId?: string; deduplicationId?: string }): void;
}

/** A failure that Retry and Catch match by name. */
export class TaskFailure extends Error {
  constructor(name: string, cause: string) {
    super(cause);
    this.name = name;
  }
}

const Invoke = v.object({ FunctionName: v.string(), Payload: v.optional(v.unknown(), {}) });
const Send = v.object({
  QueueUrl: v.string(),
  MessageBody: v.unknown(),
  MessageGroupId: v.optional(v.string()),
  MessageDeduplicationId: v.optional(v.string()),
});

/** Runs one task of a workflow with the role `roleArn`. `input` is the result of the state's Parameters. */
export const runTask = async (
  ports: TaskPorts,
  roleArn: string,
  task: { readonly kind: TaskKind; readonly resource: string },
  input: unknown,
): Promise<unknown> => {
  if (task.kind === 'sqs:sendMessage') return sendMessage(ports, roleArn, v.parse(Send, input));
  if (task.kind === 'lambda') return withinLimit(await invoke(ports, roleArn, task.resource, input));
  const { FunctionName, Payload } = v.parse(Invoke, input);
  const answer = await invoke(ports, roleArn, FunctionName, Payload);
  return withinLimit({ ExecutedVersion: '$LATEST', Payload: answer, StatusCode: 200 });
};

const invoke = async (
  ports: TaskPorts,
  roleArn: string,
  name: string,
  payload: unknown,
): Promise<unknown> => {
  const resource = ports.functionArn(name);
  const outcome = await asTask('Lambda', async () => {
    ports.authority.requireRole(roleArn, { action: 'lambda:InvokeFunction', resource });
    return ports.invokeFunction(name, JSON.stringify(payload));
  });
  if (outcome.ok) return JSON.parse(outcome.payload);
  throw new TaskFailure(outcome.failure.errorType, JSON.stringify(outcome.failure));
};

const sendMessage = (
  ports: TaskPorts,
  roleArn: string,
  { QueueUrl, MessageBody, MessageGroupId, MessageDeduplicationId }: v.InferOutput<typeof Send>,
): Promise<unknown> =>
  asTask('SQS', () => {
    ports.authority.requireRole(roleArn, { action: 'sqs:SendMessage', resource: ports.queueArn(QueueUrl) });
    const body = typeof MessageBody === 'string' ? MessageBody : JSON.stringify(MessageBody);
    ports.sendMessage(QueueUrl, body, {
      ...(MessageGroupId === undefined ? {} : { groupId: MessageGroupId }),
      ...(MessageDeduplicationId === undefined ? {} : { deduplicationId: MessageDeduplicationId }),
    });
    return Promise.resolve({});
  });

/** Converts a service error into a task error, for example `Lambda.AccessDeniedException`. */
const asTask = async <T>(service: string, act: () => Promise<T>): Promise<T> => {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const code = error.code === 'AccessDenied' ? 'AccessDeniedException' : error.code;
    throw new TaskFailure(`${service}.${code}`, error.message);
  }
};

const withinLimit = (result: unknown): unknown => {
  if (Buffer.byteLength(JSON.stringify(result)) <= STATE_BYTES) return result;
  const message =
    'The state/task returned a result with a size exceeding the maximum number of bytes service limit.';
  throw new TaskFailure('States.DataLimitExceeded', message);
};
