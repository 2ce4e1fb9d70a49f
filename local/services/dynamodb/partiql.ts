/** PartiQL: runs batches of statements under the locks of their keys. */
import type { Usage } from '../../core/types.ts';
import { ServiceError } from '../../core/service-error.ts';
import { oneCall, oneThrottle } from '../../core/usage.ts';
import type { Capacity } from './capacity.ts';
import type { Change, Engine } from './engine.ts';
import {
  bindOrRefuse,
  checkParameters,
  type Bound,
  type StatementInput,
  type StatementOutcome,
} from './partiql-bind.ts';
import type { Statement } from './partiql-parser.ts';
import { itemBytes, MAX_ITEM_BYTES, writeUnits } from './sizes.ts';
import { THROTTLED } from './throughput.ts';
import type { Item, KeySchemaTable } from './types.ts';
import { keyText, sameValue } from './values.ts';

/** Maximum number of statements in one BatchExecuteStatement (service quota). */
const MAX_STATEMENTS = 25;

/** The results of statements and the cost of its statements. */
export interface BatchResult {
  readonly outcomes: readonly StatementOutcome[];
  readonly usage: readonly Usage[];
  /** The units of each statement that reached its table, in the order of the statements. */
  readonly consumed: readonly Capacity[];
}

const ACTIONS = {
  insert: 'dynamodb:PartiQLInsert',
  update: 'dynamodb:PartiQLUpdate',
  delete: 'dynamodb:PartiQLDelete',
} as const;

/** IAM action of a statement. */
export const actionOf = (statement: Statement): string => ACTIONS[statement.kind];

/**
 * Runs statements of the three shapes; each has its own result. Throws ValidationException for the whole request when it
 * has too many statements, two statements for one item, or an invalid value.
 */
export const executeBatch = async (
  engine: Engine,
  statements: readonly StatementInput[],
  kindOf: (pk: string, sk: string) => string,
): Promise<BatchResult> => {
  if (statements.length === 0 || statements.length > MAX_STATEMENTS)
    throw new ServiceError('ValidationException', `Member must have length between 1 and ${MAX_STATEMENTS}`);

  const bound = checkParameters(statements).map((statement) => bindOrRefuse(engine, statement));
  refuseRepeatedKeys(bound);
  const run: Run = { engine, outcomes: bound.map((one) => ('Error' in one ? one : {})), usages: [], kindOf };
  for (const [table, indices] of byTable(bound)) await runTable(run, table, bound, indices);
  const consumed = bound.flatMap((one, index) =>
    'kind' in one
      ? [{ TableName: one.table.TableName, CapacityUnits: run.usages[index]?.writeUnits ?? 0 }]
      : [],
  );
  return { outcomes: run.outcomes, usage: run.usages.filter((usage) => usage !== undefined), consumed };
};

/** What an admission of a statement needs. */
interface Admission {
  readonly engine: Engine;
  readonly kindOf: (pk: string, sk: string) => string;
  /** Write units of a transaction are twice those of a single write. */
  readonly factor?: 1 | 2;
}

interface Run extends Admission {
  readonly outcomes: StatementOutcome[];
  /** The cost of each statement. */
  readonly usages: (Usage | undefined)[];
}

const runTable = async (
  run: Run,
  table: KeySchemaTable,
  bound: readonly (Bound | StatementOutcome)[],
  indices: readonly number[],
): Promise<void> => {
  const mine = indices.flatMap((index) => {
    const one = bound[index];
    return one && 'kind' in one ? [{ index, one }] : [];
  });
  await run.engine.write(
    table,
    mine.map(({ one }) => one.key),
    () =>
      mine.flatMap(({ index, one }) => {
        const before = run.engine.read(table, one.key);
        const { decision, usage } = admit(run, one, decide(one, before), before);
        run.outcomes[index] = decision.outcome;
        run.usages[index] = usage;
        return decision.change ? [decision.change] : [];
      }),
  );
};

const refuseRepeatedKeys = (bound: readonly (Bound | StatementOutcome)[]): void => {
  const seen = new Set<string>();
  for (const one of bound) {
    if (!('kind' in one)) continue;
    const key = `${one.table.TableName}~${one.key}`;
    if (seen.has(key))
      throw new ServiceError('ValidationException', 'Provided list of item keys contains duplicates');

    seen.add(key);
  }
};

const byTable = (bound: readonly (Bound | StatementOutcome)[]): Map<KeySchemaTable, number[]> => {
  const tables = new Map<KeySchemaTable, number[]>();
  bound.forEach((one, index) => {
    if ('kind' in one) tables.set(one.table, [...(tables.get(one.table) ?? []), index]);
  });
  return tables;
};

/** What a statement does to an item. */
export interface Decision {
  readonly outcome: StatementOutcome;
  readonly change?: Change;
  /** Size of the stored item after the statement; 0 without an item or without a change. */
  readonly bytes: number;
}

/** Decides a statement about an item. */
const decide = (bound: Bound, before: Item | undefined): Decision => {
  if (bound.kind === 'insert')
    return before ? refused(bound, 'DuplicateItem', before) : applied(bound, undefined, bound.set);

  if (!holds(bound, before)) return refused(bound, 'ConditionalCheckFailed', before);
  return applied(bound, before, bound.kind === 'delete' ? undefined : { ...before, ...bound.set });
};

/**
 * Decides a statement of a transaction. A conditional delete of a missing item is refused, as DynamoDB Local refuses it:
 * AWS has no document about it, and the caller must be ready for both.
 */
export const decideTogether = (bound: Bound, before: Item | undefined): Decision => {
  const isConditional = Object.keys(bound.where).length > Object.keys(bound.keyItem).length;
  if (bound.kind === 'delete' && !before && isConditional)
    return refused(bound, 'ConditionalCheckFailed', before);
  return decide(bound, before);
};

/**
 * A delete of a missing item succeeds, whatever its condition:
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.delete.html
 */
const holds = (bound: Bound, before: Item | undefined): boolean => {
  if (!before) return bound.kind === 'delete';
  return Object.entries(bound.where).every(
    ([name, value]) => name in bound.keyItem || sameValue(before[name], value),
  );
};

const MESSAGES = {
  DuplicateItem: 'Duplicate primary key exists in table',
  ConditionalCheckFailed: 'The conditional request failed',
} as const;

const refused = (bound: Bound, code: keyof typeof MESSAGES, before: Item | undefined): Decision => ({
  bytes: 0,
  outcome: {
    TableName: bound.table.TableName,
    Error: { Code: code, Message: MESSAGES[code], ...(bound.returnItem && before ? { Item: before } : {}) },
  },
});

const applied = (bound: Bound, before: Item | undefined, after: Item | undefined): Decision => {
  const TableName = bound.table.TableName;
  const bytes = after ? itemBytes(after) : 0;
  if (bytes > MAX_ITEM_BYTES) {
    const Message = 'Item size has exceeded the maximum allowed size';
    return { outcome: { TableName, Error: { Code: 'ValidationError', Message } }, bytes: 0 };
  }
  return { outcome: { TableName }, change: { key: bound.key, before, after }, bytes };
};

/**
 * Takes the units of a decided statement, and meters it. A refused write costs the size of the stored item. A successful
 * write costs the larger of both versions. Without units, the statement changes nothing and is throttled.
 */
export const admit = (
  { engine, kindOf, factor = 1 }: Admission,
  bound: Bound,
  decision: Decision,
  before: Item | undefined,
): { readonly decision: Decision; readonly usage: Usage } => {
  const { throughput } = engine;
  const { TableName: table, KeySchema } = bound.table;
  const [pk = '', sk = ''] = KeySchema.map(({ AttributeName }) => keyText(bound.keyItem[AttributeName]));
  const line = { action: ACTIONS[bound.kind], kind: kindOf(pk, sk) };
  const bytes = Math.max(before ? itemBytes(before) : 0, decision.bytes);
  const units = factor * writeUnits(bytes);
  if (!throughput.admit({ access: 'write', table, partition: pk, units })) {
    const outcome = { TableName: table, Error: { Code: 'ThrottlingError', Message: THROTTLED } };
    return { decision: { outcome, bytes: 0 }, usage: { ...line, ...oneThrottle } };
  }
  const refusedUnits = decision.outcome.Error ? units : 0;
  throughput.noteRefused(table, refusedUnits);
  return { decision, usage: { ...line, ...oneCall, writeUnits: units, refusedUnits, bytes } };
};
