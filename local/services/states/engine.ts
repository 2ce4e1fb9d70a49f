/** Workflow engine: runs state machines and records their executions. */
import { arn } from '../../core/arn.ts';
import { ServiceError } from '../../core/service-error.ts';
import { readDefinition, type Workflow } from './definition.ts';
import type { Execution, Ledger } from './ledger.ts';
import { startRun, type Run } from './run.ts';
import { createSteps, type Steps } from './steps.ts';
import { STATE_BYTES, runTask, type TaskPorts } from './tasks.ts';

/** A state machine to run. `definition` is its Amazon States Language document; `name` appears in error messages. */
export interface MachineDefinition {
  readonly arn: string;
  readonly name: string;
  readonly definition: string;
  readonly roleArn: string;
}

/** Options of the engine. It records executions in the ledger. After a restart it runs the unfinished ones again. */
export interface EngineOptions {
  readonly machines: readonly MachineDefinition[];
  readonly ports: TaskPorts;
  readonly ledger: Ledger;
  readonly now: () => number;
}

interface Machine {
  readonly workflow: Workflow;
  readonly roleArn: string;
}

/** The state of a running engine. `stopped` is true once no run may change the ledger. */
interface EngineState {
  readonly options: EngineOptions;
  readonly machines: ReadonlyMap<string, Machine>;
  readonly ledger: Ledger;
  readonly steps: Steps;
  readonly runs: Map<string, Run>;
  stopped: boolean;
}

/** Builds the engine. Throws when the interpreter cannot run a definition. */
export const createEngine = (options: EngineOptions) => {
  const { ledger } = options;
  const engine: EngineState = {
    options,
    machines: new Map(options.machines.map((machine) => [machine.arn, readMachine(machine)])),
    ledger,
    steps: createSteps(ledger),
    runs: new Map(),
    stopped: false,
  };
  return {
    ledger,
    /**
     * Starts an execution, or returns the same execution if it is running. Throws ServiceError as StartExecution does.
     */
    start: (machineArn: string, name: string, input: string): Execution =>
      start(engine, machineArn, name, input),
    /** Ends an execution as ABORTED. Throws ServiceError when it does not exist. */
    abort: (given: string, error: string | undefined, cause: string | undefined): Execution =>
      abort(engine, given, error, cause),
    /** Number of running executions. */
    running: (): number => engine.runs.size,
    /** Runs again the executions that a restart interrupted. A step that ended the process three times fails. */
    resume: () => resume(engine),
    /** Stops all runs without closing their executions. */
    stop: (): Promise<void> => stop(engine),
  };
};

/** Runs workflows. */
export type Engine = ReturnType<typeof createEngine>;

const start = (engine: EngineState, machineArn: string, name: string, input: string): Execution => {
  const { machines, ledger, options } = engine;
  if (!machines.has(machineArn))
    throw new ServiceError('StateMachineDoesNotExist', `State Machine Does Not Exist: '${machineArn}'`);

  checkStart(name, input);
  const known = ledger.get(executionArn(machineArn, name));
  if (known) return sameExecution(known, input);
  const execution: Execution = {
    arn: executionArn(machineArn, name),
    machineArn,
    name,
    input,
    status: 'RUNNING',
    started: options.now(),
    steps: [],
    crashes: {},
  };
  ledger.put(execution);
  launch(engine, execution);
  return execution;
};

/** Runs an execution, and records its end. */
const launch = (engine: EngineState, execution: Execution): void => {
  const { machines, ledger, runs, options } = engine;
  const machine = machines.get(execution.machineArn);
  if (!machine) return;
  warmFunctions(options.ports, machine);
  const run = startRun({ ...machine, execution, task: taskRunner(engine, machine, execution) });
  runs.set(execution.arn, run);
  void run.ending.then((ending) => {
    runs.delete(execution.arn);
    const current = ledger.get(execution.arn);
    if (engine.stopped || current?.status !== 'RUNNING') return;
    ledger.put({ ...execution, ...ending, stopped: options.now() });
  });
};

/** Starts workers for the functions of a workflow, except for functions that run only after a failure. */
const warmFunctions = (ports: TaskPorts, { workflow: { tasks, rescues } }: Machine): void => {
  for (const [name, { functionName }] of tasks)
    if (functionName !== undefined && !rescues.has(name)) ports.warmFunction(functionName);
};

const abort = (
  { ledger, runs, options }: EngineState,
  given: string,
  error: string | undefined,
  cause: string | undefined,
): Execution => {
  const known = ledger.get(given);
  if (!known) throw new ServiceError('ExecutionDoesNotExist', `Execution Does Not Exist: '${given}'`);
  if (known.status !== 'RUNNING') return known;
  const ended: Execution = { ...known, status: 'ABORTED', stopped: options.now(), error, cause };
  ledger.put(ended);
  runs.get(given)?.abort();
  return ended;
};

const resume = (engine: EngineState): void => {
  for (const execution of engine.ledger.all())
    if (execution.status === 'RUNNING' && !engine.runs.has(execution.arn)) launch(engine, execution);
};

const stop = async (engine: EngineState): Promise<void> => {
  engine.stopped = true;
  engine.steps.stop();
  const endings = [...engine.runs.values()].map((run) => {
    run.abort();
    return run.ending;
  });
  await Promise.all(endings);
};

const readMachine = ({ name, definition, roleArn }: MachineDefinition): Machine => {
  try {
    return { workflow: readDefinition(definition), roleArn };
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
};

const taskRunner =
  ({ steps, options }: EngineState, { workflow, roleArn }: Machine, { arn: own }: Execution) =>
  (name: string, input: unknown): Promise<unknown> => {
    const task = workflow.tasks.get(name);
    if (!task) throw new Error(`the workflow has no task ${name}`);
    return steps.run(own, name, () => runTask(options.ports, roleArn, task, input));
  };

const executionArn = (machineArn: string, name: string): string =>
  arn('states', `execution:${machineArn.split(':').at(-1) ?? ''}:${name}`);

const checkStart = (name: string, input: string): void => {
  if (!/^[^\s<>{}[\]?*"#%\\^|~`$&,;:/\p{Cc}]{1,80}$/u.test(name))
    throw new ServiceError('InvalidName', `Invalid Name: '${name}'`);

  if (Buffer.byteLength(input) > STATE_BYTES) {
    throw new ServiceError(
      'ValidationException',
      `Value at 'input' failed to satisfy constraint: at most ${STATE_BYTES} bytes`,
    );
  }
  try {
    JSON.parse(input);
  } catch {
    throw new ServiceError('InvalidExecutionInput', 'Invalid State Machine Execution Input');
  }
};

/** A repeated name means the same execution only while it runs with the same input. */
const sameExecution = (known: Execution, input: string): Execution => {
  if (known.status === 'RUNNING' && known.input === input) return known;
  throw new ServiceError('ExecutionAlreadyExists', `Execution Already Exists: '${known.arn}'`);
};
