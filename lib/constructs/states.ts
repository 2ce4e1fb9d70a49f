/**
 * States: the shapes of the Amazon States Language (JSONPath) that the workflows use. They are plain objects, which go into the
 * template and run unchanged on one machine.
 */
import { limits } from '../../shared/config/limits.ts';

export type State = Readonly<Record<string, unknown>>;

/** A workflow: its first state, and all states by name. */
export interface Definition {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

/** Options of a task. */
export interface TaskProps {
  readonly functionArn: string;
  /** Timeout of the function. The task waits a little longer. */
  readonly timeoutSeconds: number;
  /** The function's input, as fields of the state's input. A name that ends in `.$` takes a path. */
  readonly payload: Readonly<Record<string, string>>;
  /** Path of the function's answer, as `<path>.answer`. Without it the state drops the answer. */
  readonly resultPath?: string;
  readonly next?: string;
  /** The next state after the last retry failed. */
  readonly failure?: string;
}

const { workflows } = limits;

/** Errors of Lambda that say nothing about the step. */
const refused = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.TooManyRequestsException',
];

const busyPauses = {
  IntervalSeconds: workflows.busyRetrySeconds,
  BackoffRate: 2,
  MaxDelaySeconds: workflows.pollSecondsMax,
  JitterStrategy: 'FULL',
} as const;

/**
 * The task waits for Lambda until the execution ends, and for a busy service, which task handlers throw under one name, for
 * half a day: no load calls a running job failed, but what is busy for longer does not pass by itself. Other errors may be
 * bugs, so the task retries them only a few times.
 */
const retries: readonly State[] = [
  { ErrorEquals: refused, ...busyPauses, MaxAttempts: workflows.refusedRetries },
  { ErrorEquals: ['UnavailableError'], ...busyPauses, MaxAttempts: workflows.busyRetries },
  {
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 2,
    BackoffRate: 2,
    MaxDelaySeconds: workflows.maxRetryDelaySeconds,
    MaxAttempts: workflows.unexpectedRetries,
    JitterStrategy: 'FULL',
  },
];

/** Invokes a function. Without `next` the branch ends here. */
export const task = ({
  functionArn,
  payload,
  resultPath,
  next,
  failure,
  timeoutSeconds,
}: TaskProps): State => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: functionArn, Payload: payload },
  TimeoutSeconds: timeoutSeconds + workflows.taskMarginSeconds,
  ...(resultPath === undefined
    ? { ResultPath: null }
    : { ResultSelector: { 'answer.$': '$.Payload' }, ResultPath: resultPath }),
  Retry: retries,
  ...(failure !== undefined && {
    Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: failure }],
  }),
  ...(next === undefined ? { End: true } : { Next: next }),
});

/** True when `path` exists and equals the value. A missing path would otherwise end the execution. */
const equals = (path: string, value: string | boolean): State => ({
  And: [
    { Variable: path, IsPresent: true },
    typeof value === 'string'
      ? { Variable: path, StringEquals: value }
      : { Variable: path, BooleanEquals: value },
  ],
});

/** Goes to the state of the first true test `[path, value, state]`, or to `otherwise`. */
export const choice = (
  tests: readonly (readonly [path: string, value: string | boolean, next: string])[],
  otherwise: string,
): State => ({
  Type: 'Choice',
  Choices: tests.map(([path, value, Next]) => ({ ...equals(path, value), Next })),
  Default: otherwise,
});

/** Waits for the number of seconds in a field. */
export const wait = (secondsPath: string, next: string): State => ({
  Type: 'Wait',
  SecondsPath: secondsPath,
  Next: next,
});

/** Waits for a fixed time. */
export const pause = (seconds: number, next: string): State => ({
  Type: 'Wait',
  Seconds: seconds,
  Next: next,
});

/** Runs branches in parallel, and continues after the last one. Drops their results. */
export const parallel = (branches: readonly Definition[], next: string): State => ({
  Type: 'Parallel',
  Branches: branches,
  ResultPath: null,
  Next: next,
});

export const succeed: State = { Type: 'Succeed' };

export const fail = (error: string, cause: string): State => ({ Type: 'Fail', Error: error, Cause: cause });

/** Runs `iterator` for each item of a list. Drops the results. */
export const forEach = (props: {
  readonly itemsPath: string;
  readonly item: Readonly<Record<string, string>>;
  readonly maxConcurrency: number;
  readonly iterator: Definition;
  readonly next: string;
  readonly failure: string;
}): State => ({
  Type: 'Map',
  ItemsPath: props.itemsPath,
  ItemSelector: props.item,
  MaxConcurrency: props.maxConcurrency,
  ItemProcessor: { ProcessorConfig: { Mode: 'INLINE' }, ...props.iterator },
  ResultPath: null,
  Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: props.failure }],
  Next: props.next,
});
