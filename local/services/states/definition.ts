/** Workflow definitions: validates Amazon States Language documents and prepares them for the interpreter. */
import type { StateMachineDefinition } from 'aws-local-stepfunctions';
import * as v from 'valibot';

/** Longest timer of Node (24 days). A definition may ask for a longer wait. */
const MOST_SECONDS = 2_000_000;

/** A supported task resource. */
export type TaskKind = 'lambda:invoke' | 'lambda' | 'sqs:sendMessage';

/** A definition for the interpreter, and the targets of its tasks. */
export interface Workflow {
  readonly definition: StateMachineDefinition;
  readonly tasks: ReadonlyMap<string, Task>;
  /** States that run only after a failure. */
  readonly rescues: ReadonlySet<string>;
}

/** The service of a task, and its function when the name is constant. */
interface Task {
  readonly kind: TaskKind;
  readonly resource: string;
  readonly functionName?: string;
}

const StateShape = v.looseObject({ Type: v.string() });
type State = v.InferOutput<typeof StateShape>;
const MachineShape = v.looseObject({ StartAt: v.string(), States: v.record(v.string(), StateShape) });
type Machine = v.InferOutput<typeof MachineShape>;
const isDefinition = v.custom<StateMachineDefinition>((value) => v.is(MachineShape, value));

/**
 * Reads a definition (JSON). The interpreter differs from Step Functions in a few defaults, which this function sets
 * explicitly. Throws for unsupported features: JSONata, distributed maps, callbacks, and tasks other than functions and
 * queues.
 */
export const readDefinition = (text: string): Workflow => {
  const found: Found = { tasks: new Map(), rescues: new Set() };
  const machine = prepareMachine(v.parse(MachineShape, JSON.parse(text)), found);
  return { definition: v.parse(isDefinition, machine), ...found };
};

/** The tasks and failure states found so far. */
interface Found {
  readonly tasks: Map<string, Task>;
  readonly rescues: Set<string>;
}

const Catchers = v.optional(v.array(v.looseObject({ Next: v.string() })), []);
const FixedFunction = v.object({ FunctionName: v.string() });

const prepareMachine = (machine: Machine, found: Found): Machine => {
  if ((machine['QueryLanguage'] ?? 'JSONPath') !== 'JSONPath')
    throw new Error('JSONata workflows cannot be run');
  const states = Object.entries(machine.States).map(([name, state]): [string, State] => [
    name,
    prepareState(name, state, found),
  ]);
  return { ...machine, ...clampTimeout(machine['TimeoutSeconds']), States: Object.fromEntries(states) };
};

const clampTimeout = (seconds: unknown): { TimeoutSeconds?: number } =>
  typeof seconds === 'number' ? { TimeoutSeconds: Math.min(seconds, MOST_SECONDS) } : {};

const prepareState = (name: string, state: State, found: Found): State => {
  for (const { Next } of v.parse(Catchers, state['Catch'])) found.rescues.add(Next);
  const { ResultPath, ...rest } = state;
  // The interpreter takes `$` for a field of that name. It is the default and can be omitted.
  const plain: State = ResultPath === undefined || ResultPath === '$' ? rest : state;
  if (state.Type === 'Task') return prepareTask(name, plain, found);
  if (state.Type === 'Map') return prepareMap(plain, found);
  if (state.Type === 'Parallel') {
    const branches = v.parse(v.array(MachineShape), state['Branches']);
    return { ...plain, Branches: branches.map((branch) => prepareMachine(branch, found)) };
  }
  return plain;
};

const prepareTask = (name: string, state: State, found: Found): State => {
  const resource = v.parse(v.string(), state['Resource']);
  if (found.tasks.has(name)) throw new Error(`two tasks of one workflow are called ${name}`);
  const fixed = v.safeParse(FixedFunction, state['Parameters']);
  const kind = kindOf(resource);
  found.tasks.set(name, {
    kind,
    resource,
    ...(fixed.success && { functionName: fixed.output.FunctionName }),
  });
  // Step Functions has no default task timeout; the interpreter would time out after a minute.
  const timeout = state['TimeoutSecondsPath'] === undefined ? { TimeoutSeconds: MOST_SECONDS } : {};
  return { ...state, ...timeout, ...clampTimeout(state['TimeoutSeconds']) };
};

const kindOf = (resource: string): TaskKind => {
  const [, kind] = /^arn:aws:states:::(lambda:invoke|sqs:sendMessage)$/.exec(resource) ?? [];
  if (kind === 'lambda:invoke' || kind === 'sqs:sendMessage') return kind;
  if (resource.startsWith('arn:aws:lambda:')) return 'lambda';
  throw new Error(`the task resource ${resource} cannot be run`);
};

const prepareMap = (state: State, found: Found): State => {
  const field = state['ItemProcessor'] === undefined ? 'Iterator' : 'ItemProcessor';
  const processor = v.parse(MachineShape, state[field]);
  const mode = v.safeParse(
    v.object({ Mode: v.optional(v.literal('INLINE')) }),
    processor['ProcessorConfig'] ?? {},
  );
  if (!mode.success || state['ItemReader'] !== undefined) throw new Error('distributed maps cannot be run');
  return { ...state, [field]: prepareMachine(processor, found) };
};
