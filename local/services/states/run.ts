/** Run: interprets one execution of a workflow. */
import {
  ExecutionAbortedError,
  ExecutionError,
  ExecutionTimeoutError,
  StateMachine,
} from 'aws-local-stepfunctions';
import type { Workflow } from './definition.ts';
import type { Execution } from './ledger.ts';
import { STATE_BYTES } from './tasks.ts';

/** How a run ended. */
type Ending = Pick<Execution, 'status' | 'output' | 'error' | 'cause'>;

/** Input of the interpreter for one run. */
export interface RunInput {
  readonly workflow: Workflow;
  readonly execution: Execution;
  readonly roleArn: string;
  /** Runs one task by the name of its state. */
  readonly task: (name: string, input: unknown) => Promise<unknown>;
}

type JsonValue = Parameters<StateMachine['run']>[0];

/** Interprets a workflow from its start. */
export const startRun = ({ workflow, execution, roleArn, task }: RunInput) => {
  const machine = new StateMachine(workflow.definition, { validationOptions: { noValidate: true } });
  let aborted = false;
  type Handler = (input: JsonValue) => Promise<JsonValue>;
  const handlers = [...workflow.tasks.keys()].map((name): [string, Handler] => [
    name,
    async (input) => {
      // An aborted run would otherwise go through its retries without a pause.
      if (aborted) throw new Error('the execution was aborted');
      return toJson(await task(name, input));
    },
  ]);
  const running = machine.run(toJson(JSON.parse(execution.input)), {
    overrides: { taskResourceLocalHandlers: Object.fromEntries(handlers) },
    context: {
      Execution: { Id: execution.arn, Name: execution.name, RoleArn: roleArn },
      StateMachine: { Id: execution.machineArn, Name: execution.machineArn.split(':').at(-1) },
    },
  });
  const abort = (): void => {
    aborted = true;
    running.abort();
  };
  const ended = running.result.then(succeeded, failed);
  const oversized = watchSizes(running.eventLogs, abort);
  return { ending: ended.then(async (ending) => (await oversized) ?? ending), abort };
};

/** A run in progress. */
export type Run = ReturnType<typeof startRun>;

const succeeded = (output: unknown): Ending => ({ status: 'SUCCEEDED', output: JSON.stringify(output) });

const failed = (error: unknown): Ending => {
  if (error instanceof ExecutionTimeoutError) return { status: 'TIMED_OUT', error: 'States.Timeout' };
  if (error instanceof ExecutionAbortedError) return { status: 'ABORTED' };
  const inner = error instanceof ExecutionError ? error.cause : error;
  if (inner instanceof Error) return { status: 'FAILED', error: inner.name, cause: inner.message };
  return { status: 'FAILED', error: 'States.Runtime', cause: String(inner) };
};

/** Ends the run when the output of a state exceeds Step Functions' limit. Resolves when the run has ended. */
const watchSizes = async (
  events: AsyncGenerator<{ readonly type: string }>,
  abort: () => void,
): Promise<Ending | undefined> => {
  for await (const event of events) {
    if (event.type !== 'StateExited' || Buffer.byteLength(JSON.stringify(event)) <= STATE_BYTES) continue;
    if (outputBytes(event) <= STATE_BYTES) continue;
    abort();
    const cause =
      'A state returned a result with a size exceeding the maximum number of bytes service limit.';
    return { status: 'FAILED', error: 'States.DataLimitExceeded', cause };
  }
  return undefined;
};

const outputBytes = (event: object): number => {
  if (!('state' in event) || typeof event.state !== 'object' || event.state === null) return 0;
  return 'output' in event.state ? Buffer.byteLength(JSON.stringify(event.state.output ?? null)) : 0;
};

/** Values from `JSON.parse` are JSON. This function tells the interpreter's type so. */
const isJson = (value: unknown): value is JsonValue => value !== undefined;

const toJson = (value: unknown): JsonValue => (isJson(value) ? value : null);
