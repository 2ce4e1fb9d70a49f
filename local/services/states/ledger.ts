/** Execution ledger: records workflow executions, in memory and in a file. */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const ExecutionShape = v.object({
  arn: v.string(),
  machineArn: v.string(),
  name: v.string(),
  input: v.string(),
  status: v.picklist(['RUNNING', 'SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']),
  /** Milliseconds since the epoch. */
  started: v.number(),
  stopped: v.optional(v.number()),
  output: v.optional(v.string()),
  error: v.optional(v.string()),
  cause: v.optional(v.string()),
  /** The steps under way, by the names of their states. */
  steps: v.optional(v.array(v.string()), []),
  /** How often the process ended in a step, by the name of its state. */
  crashes: v.optional(v.record(v.string(), v.number()), {}),
});

/** A line that changes the steps of an execution only. */
const StepsShape = v.strictObject({ arn: v.string(), steps: v.array(v.string()) });

/** One execution of a workflow, as the service returns it. */
export type Execution = v.InferOutput<typeof ExecutionShape>;

/** A closed execution keeps its name for this time (Step Functions: 90 days). */
const KEPT_MS = 90 * 86_400_000;

/**
 * Opens the ledger and drops executions whose names have expired. Steps that were under way when the process ended count
 * as crashed.
 */
export const openLedger = (directory: string | undefined, now: number) => {
  const file = directory === undefined ? undefined : join(directory, 'executions.jsonl');
  const executions = new Map<string, Execution>();
  if (file !== undefined) {
    for (const line of readLines(file)) {
      const known = executions.get(line.arn);
      if ('machineArn' in line) executions.set(line.arn, line);
      else if (known) executions.set(line.arn, { ...known, ...line });
    }
    for (const execution of executions.values()) executions.set(execution.arn, afterCrash(execution));
    for (const { arn, stopped } of [...executions.values()])
      if (stopped !== undefined && stopped < now - KEPT_MS) executions.delete(arn);

    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, [...executions.values()].map(lineOf).join(''));
  }
  return {
    get: (arn: string): Execution | undefined => executions.get(arn),
    /** Newest first. */
    list: (machineArn: string): readonly Execution[] =>
      [...executions.values()].filter((one) => one.machineArn === machineArn).toReversed(),
    all: (): readonly Execution[] => [...executions.values()],
    put: (execution: Execution) => {
      executions.set(execution.arn, execution);
      if (file !== undefined) appendFileSync(file, lineOf(execution));
    },
    /** Records the steps of an execution that are under way, before they begin and after they end. */
    mark: (arn: string, steps: readonly string[]) => {
      const known = executions.get(arn);
      if (!known) return;
      executions.set(arn, { ...known, steps: [...steps] });
      if (file !== undefined) appendFileSync(file, lineOf({ arn, steps: [...steps] }));
    },
  };
};

/** Records executions in memory, and in a file of JSON lines when there is a directory. */
export type Ledger = ReturnType<typeof openLedger>;

const afterCrash = (execution: Execution): Execution => {
  const { steps, crashes } = execution;
  const counted = [...new Set(steps)].map((name) => [name, (crashes[name] ?? 0) + 1] as const);
  return { ...execution, steps: [], crashes: { ...crashes, ...Object.fromEntries(counted) } };
};

const lineOf = (execution: Execution | v.InferOutput<typeof StepsShape>): string =>
  `${JSON.stringify(execution)}\n`;

/** Drops an incomplete last line after a crash, because the write of that line was never acknowledged. */
const readLines = (file: string): readonly v.InferOutput<typeof Line>[] => {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => v.parse(Line, JSON.parse(line)));
};

const Line = v.union([StepsShape, ExecutionShape]);
