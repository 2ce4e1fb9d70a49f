/** Restore: makes a table with the items that another table had at a point in time. */
import * as v from 'valibot';
import { inputAs } from '../../core/json-protocol.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { Engine } from './engine.ts';
import type { History } from './history.ts';
import { makeTable } from './tables.ts';
import type { KeySchemaTable } from './types.ts';

const Input = v.object({
  SourceTableName: v.optional(v.string()),
  SourceTableArn: v.optional(v.string()),
  TargetTableName: v.string(),
  UseLatestRestorableTime: v.optional(v.boolean(), false),
  /** Seconds since the epoch. */
  RestoreDateTime: v.optional(v.number()),
});
type Input = v.InferOutput<typeof Input>;

/**
 * Starts a restore, and returns the name of the new table. The table is there at once, and may be used when it is
 * active. It has the keys, the indexes and the encryption of its source, and no expiry, recovery or protection. Throws
 * ServiceError where the real service refuses.
 */
export const restoreTable = async (engine: Engine, body: unknown): Promise<string> => {
  const input = inputAs(Input, body);
  const { TargetTableName: name } = input;
  const from = input.SourceTableName ?? input.SourceTableArn?.split('/').at(-1) ?? '';
  const source = engine.controls.of(from);
  if (!source || source.isCreating)
    throw new ServiceError('TableNotFoundException', `Table not found: ${from}`);
  if (engine.controls.of(name))
    throw new ServiceError('TableAlreadyExistsException', `Table already exists: ${name}`);
  const history = engine.histories.of(from);
  if (!history) {
    const message = `Point in time recovery is not enabled for table '${from}'`;
    throw new ServiceError('PointInTimeRecoveryUnavailableException', message);
  }
  const at = timeOf(engine, history, input);
  const release = history.hold();
  const { keyArn } = source;
  await engine.controls.change(name, { isCreating: true, keyArn, restored: { from, at } });
  const { KeySchema, AttributeDefinitions, GlobalSecondaryIndexes } = engine.table(from);
  const target = await makeTable(engine, {
    ...{ TableName: name, KeySchema, AttributeDefinitions, BillingMode: 'PAY_PER_REQUEST' },
    ...(GlobalSecondaryIndexes ? { GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(indexInput) } : {}),
  });
  engine.background.add(fill(engine, { from, target, at, history }).finally(release));
  return name;
};

const Index = v.object({ IndexName: v.string(), KeySchema: v.unknown(), Projection: v.unknown() });

/** An index as CreateTable takes it, from its description. */
const indexInput = (described: unknown): object => v.parse(Index, described);

const timeOf = (engine: Engine, history: History, input: Input): number => {
  const { RestoreDateTime: seconds, UseLatestRestorableTime: latest } = input;
  if (latest === (seconds !== undefined)) {
    const message = 'Exactly one of RestoreDateTime and UseLatestRestorableTime is required';
    throw new ServiceError('ValidationException', message);
  }
  const at = seconds === undefined ? engine.now() : Math.round(seconds * 1000);
  if (at < history.earliest || at > engine.now()) {
    const message = `An invalid restore time was specified: ${new Date(at).toISOString()}`;
    throw new ServiceError('InvalidRestoreTimeException', message);
  }
  return at;
};

interface Restore {
  readonly from: string;
  readonly target: KeySchemaTable;
  readonly at: number;
  readonly history: History;
}

/**
 * Copies all items, then takes back each change since the time, from the last to the first. An item that changes during
 * the copy has its change in the history, which is read afterwards.
 */
const fill = async (engine: Engine, { from, target, at, history }: Restore): Promise<void> => {
  const source = engine.table(from);
  for await (const items of engine.items(from)) {
    if (engine.background.isClosing) return;
    await engine.load(
      target,
      items.map((item) => ({ key: engine.keyOf(source, item), after: item })),
    );
  }
  for await (const changes of history.changesSince(at)) {
    if (engine.background.isClosing) return;
    const oldest = new Map(changes.map(({ key, before }) => [key, before]));
    await engine.load(
      target,
      [...oldest].map(([key, after]) => ({ key, after })),
    );
  }
  engine.addTable(target);
  await engine.controls.change(target.TableName, { isCreating: false });
};
