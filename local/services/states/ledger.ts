/** Execution ledger: records workflow executions, in memory and in a file. */
import { join } from 'node:path';
import * as v from 'valibot';
import { noJournal, openJournal } from '../../core/journal.ts';

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

const Line = v.union([StepsShape, ExecutionShape]);
type Line = v.InferOutput<typeof Line>;

/** One execution of a workflow, as the service returns it. */
export type Execution = v.InferOutput<typeof ExecutionShape>;

/** A closed execution keeps its name for this time (Step Functions: 90 days). */
const KEPT_MS = 90 * 86_400_000;

/**
 * Opens the ledger without the executions whose names have expired. Steps that were under way when the process ended
 * count as crashed.
 */
export const openLedger = (directory: string | undefined, now: number) => {
  const executions = new Map<string, Execution>();
  const apply = (line: Line): void => {
    const known = executions.get(line.arn);
    const execution = 'machineArn' in line ? line : known && { ...known, ...line };
    if (!execution) return;
    if ((execution.stopped ?? now) < now - KEPT_MS) executions.delete(line.arn);
    else executions.set(line.arn, execution);
  };
  const all = (): readonly Execution[] => [...executions.values()];
  const journal =
    directory === undefined
      ? noJournal
      : openJournal(join(directory, 'executions.jsonl'), {
          replay: (entry) => apply(v.parse(Line, entry)),
          snapshot: all,
        });
  const record = (line: Line): void => {
    apply(line);
    journal.append(line);
  };
  for (const execution of all()) if (execution.steps.length > 0) record(afterCrash(execution));
  return {
    get: (arn: string): Execution | undefined => executions.get(arn),
    /** Newest first. */
    list: (machineArn: string): readonly Execution[] =>
      all()
        .filter((one) => one.machineArn === machineArn)
        .toReversed(),
    all,
    put: (execution: Execution) => record(execution),
    /** Records the steps of an execution that are under way, before they begin and after they end. */
    mark: (arn: string, steps: readonly string[]) => record({ arn, steps: [...steps] }),
    close: () => journal.close(),
  };
};

/** Records executions in memory, and in a file of JSON lines when there is a directory. */
export type Ledger = ReturnType<typeof openLedger>;

const afterCrash = (execution: Execution): Execution => {
  const { steps, crashes } = execution;
  const counted = [...new Set(steps)].map((name) => [name, (crashes[name] ?? 0) + 1] as const);
  return { ...execution, steps: [], crashes: { ...crashes, ...Object.fromEntries(counted) } };
};
