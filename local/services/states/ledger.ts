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
});

/** One execution of a workflow, as the service returns it. */
export type Execution = v.InferOutput<typeof ExecutionShape>;

/** A closed execution keeps its name for this time (Step Functions: 90 days). */
const KEPT_MS = 90 * 86_400_000;

/** Records executions in memory, and in a file of JSON lines when there is a directory. */
export interface Ledger {
  get(arn: string): Execution | undefined;
  /** Newest first. */
  list(machineArn: string): readonly Execution[];
  all(): readonly Execution[];
  put(execution: Execution): void;
}

/** Opens the ledger and drops executions whose names have expired. */
export const openLedger = (directory: string | undefined, now: number): Ledger => {
  const file = directory === undefined ? undefined : join(directory, 'executions.jsonl');
  const executions = new Map<string, Execution>();
  if (file !== undefined) {
    for (const execution of readLines(file)) executions.set(execution.arn, execution);
    for (const { arn, stopped } of [...executions.values()])
      if (stopped !== undefined && stopped < now - KEPT_MS) executions.delete(arn);

    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, [...executions.values()].map(lineOf).join(''));
  }
  return {
    get: (arn) => executions.get(arn),
    list: (machineArn) =>
      [...executions.values()].filter((one) => one.machineArn === machineArn).toReversed(),
    all: () => [...executions.values()],
    put: (execution) => {
      executions.set(execution.arn, execution);
      if (file !== undefined) appendFileSync(file, lineOf(execution));
    },
  };
};

const lineOf = (execution: Execution): string => `${JSON.stringify(execution)}\n`;

/** Drops an incomplete last line after a crash, because the write of that line was never acknowledged. */
const readLines = (file: string): readonly Execution[] => {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => v.parse(ExecutionShape, JSON.parse(line)));
};
