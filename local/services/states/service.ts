/** Step Functions service: answers the calls of the AWS API, for the embedded cloud. */
import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { arn } from '../../core/arn.ts';
import type { AwsRequest, AwsResponse, AwsService, NeededPermission } from '../../core/types.ts';
import { inputAs, jsonBody, jsonResponse, targetOperation } from '../../core/json-protocol.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { Engine } from './engine.ts';
import type { Execution } from './ledger.ts';

const Start = v.object({
  stateMachineArn: v.string(),
  name: v.optional(v.string()),
  input: v.optional(v.string(), '{}'),
  traceHeader: v.optional(v.string()),
});
const Describe = v.object({ executionArn: v.string() });
const Stop = v.object({
  executionArn: v.string(),
  error: v.optional(v.string()),
  cause: v.optional(v.string()),
});
const List = v.object({
  stateMachineArn: v.string(),
  statusFilter: v.optional(v.string()),
  maxResults: v.optional(v.number(), 100),
  nextToken: v.optional(v.string(), '0'),
});
const Machine = v.object({ stateMachineArn: v.string() });

type Operation = (engine: Engine, body: unknown) => object;

const operations: Readonly<Record<string, Operation>> = {
  StartExecution: (engine, body) => {
    const { stateMachineArn, name = randomUUID(), input } = inputAs(Start, body);
    const execution = engine.start(stateMachineArn, name, input);
    return { executionArn: execution.arn, startDate: execution.started / 1000 };
  },
  DescribeExecution: (engine, body) => describe(find(engine, inputAs(Describe, body).executionArn)),
  StopExecution: (engine, body) => {
    const { executionArn, error, cause } = inputAs(Stop, body);
    return { stopDate: (engine.abort(executionArn, error, cause).stopped ?? 0) / 1000 };
  },
  ListExecutions: (engine, body) => {
    const { stateMachineArn, statusFilter, maxResults, nextToken } = inputAs(List, body);
    const all = engine.ledger
      .list(stateMachineArn)
      .filter(({ status }) => statusFilter === undefined || status === statusFilter);
    const from = Number(nextToken);
    const page = all.slice(from, from + maxResults).map(summary);
    return {
      executions: page,
      ...(from + maxResults < all.length ? { nextToken: String(from + maxResults) } : {}),
    };
  },
};

const find = (engine: Engine, given: string): Execution => {
  const execution = engine.ledger.get(given);
  if (!execution) throw new ServiceError('ExecutionDoesNotExist', `Execution Does Not Exist: '${given}'`);
  return execution;
};

const summary = (execution: Execution): object => ({
  executionArn: execution.arn,
  stateMachineArn: execution.machineArn,
  name: execution.name,
  status: execution.status,
  startDate: execution.started / 1000,
  ...(execution.stopped === undefined ? {} : { stopDate: execution.stopped / 1000 }),
});

const describe = (execution: Execution): object => ({
  ...summary(execution),
  input: execution.input,
  inputDetails: { included: true },
  ...(execution.output === undefined ? {} : { output: execution.output, outputDetails: { included: true } }),
  ...(execution.error === undefined ? {} : { error: execution.error }),
  ...(execution.cause === undefined ? {} : { cause: execution.cause }),
});

/** Step Functions behind the gateway: StartExecution, DescribeExecution, StopExecution, ListExecutions. */
export const statesService = (engine: Engine): AwsService => ({
  name: 'states',
  permissions: (request) => permissionsOf(request),
  handle: (request) => Promise.resolve(handle(engine, request)),
});

const permissionsOf = (request: AwsRequest): readonly NeededPermission[] => {
  const action = `states:${targetOperation(request)}`;
  const body = jsonBody(request);
  const machine = v.safeParse(Machine, body);
  if (machine.success) return [{ action, resource: machine.output.stateMachineArn }];
  const execution = v.safeParse(Describe, body);
  return [{ action, resource: execution.success ? execution.output.executionArn : arn('states', '*') }];
};

const handle = (engine: Engine, request: AwsRequest): AwsResponse => {
  const operation = operations[targetOperation(request)];
  if (!operation)
    throw new ServiceError('UnknownOperationException', `${targetOperation(request)} is not supported`);
  return jsonResponse(operation(engine, jsonBody(request)));
};
