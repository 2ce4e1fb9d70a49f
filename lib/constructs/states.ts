/**
 * States of the Amazon States Language (JSONPath), the few shapes our workflows are made of. Plain objects: they are
 * written into the template as they are, and run unchanged on one machine.
 */
import { limits } from '../../shared/config/limits.ts';

export type State = Readonly<Record<string, unknown>>;

/** A workflow: its first state and all of them by name. */
export interface Definition {
  readonly StartAt: string;
  readonly States: Readonly<Record<string, State>>;
}

/** How a task is called. */
export interface TaskProps {
  readonly functionArn: string;
  /** Time the function has; the task waits a little longer. */
  readonly timeoutSeconds: number;
  /** Fields of the state's input that the function gets; a name that ends in `.$` takes a path. */
  readonly payload: Readonly<Record<string, string>>;
  /** Where the function's answer is put, as `<path>.answer`; without it the answer is dropped. */
  readonly resultPath?: string;
  readonly next?: string;
  /** The state that takes over when retries are used up. */
  readonly failure?: string;
  /** Whether trouble that passes by itself is waited out for hours, because a failure of the step ends the job. */
  readonly patient?: boolean;
}

const { workflows } = limits;

/** Trouble that passes by itself: of Lambda, or of what a function calls, which task handlers throw under one name. */
const passing = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.TooManyRequestsException',
  'UnavailableError',
];

/** Trouble that passes by itself is waited out. Anything else may be a bug, so it is tried only a few times. */
const retriesOf = (patient: boolean): readonly State[] => [
  {
    ErrorEquals: passing,
    IntervalSeconds: patient ? workflows.patientRetrySeconds : 1,
    BackoffRate: 2,
    MaxDelaySeconds: patient ? workflows.pollSecondsMax : workflows.maxRetryDelaySeconds,
    MaxAttempts: patient ? workflows.patientRetries : workflows.transientRetries,
    JitterStrategy: 'FULL',
  },
  {
    ErrorEquals: ['States.ALL'],
    IntervalSeconds: 2,
    BackoffRate: 2,
    MaxDelaySeconds: workflows.maxRetryDelaySeconds,
    MaxAttempts: workflows.unexpectedRetries,
    JitterStrategy: 'FULL',
  },
];

/** A call of a function. Without `next` the branch ends here. */
export const task = ({
  functionArn,
  payload,
  resultPath,
  next,
  failure,
  patient = false,
  timeoutSeconds,
}: TaskProps): State => ({
  Type: 'Task',
  Resource: 'arn:aws:states:::lambda:invoke',
  Parameters: { FunctionName: functionArn, Payload: payload },
  TimeoutSeconds: timeoutSeconds + workflows.taskMarginSeconds,
  ...(resultPath === undefined
    ? { ResultPath: null }
    : { ResultSelector: { 'answer.$': '$.Payload' }, ResultPath: resultPath }),
  Retry: retriesOf(patient),
  ...(failure !== undefined && {
    Catch: [{ ErrorEquals: ['States.ALL'], ResultPath: '$.failure', Next: failure }],
  }),
  ...(next === undefined ? { End: true } : { Next: next }),
});

/** True when `path` is there and equals the value; a path that isn't there would otherwise end the execution. */
const equals = (path: string, value: string | boolean): State => ({
  And: [
    { Variable: path, IsPresent: true },
    typeof value === 'string'
      ? { Variable: path, StringEquals: value }
      : { Variable: path, BooleanEquals: value },
  ],
});

/** Goes to the state of the first test `[path, value, state]` that is true, else to `otherwise`. */
export const choice = (
  tests: readonly (readonly [path: string, value: string | boolean, next: string])[],
  otherwise: string,
): State => ({
  Type: 'Choice',
  Choices: tests.map(([path, value, Next]) => ({ ...equals(path, value), Next })),
  Default: otherwise,
});

/** Waits as many seconds as the field says. */
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

/** Runs branches side by side and goes on when all have ended, their results dropped. */
export const parallel = (branches: readonly Definition[], next: string): State => ({
  Type: 'Parallel',
  Branches: branches,
  ResultPath: null,
  Next: next,
});

export const succeed: State = { Type: 'Succeed' };

export const fail = (error: string, cause: string): State => ({ Type: 'Fail', Error: error, Cause: cause });

/** One run of `iterator` for each item of a list, its results dropped. */
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
