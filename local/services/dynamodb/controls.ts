/** Controls: what the control plane of DynamoDB knows about a table besides its keys. */
import type { Level } from 'dynalite/db/index.js';
import * as v from 'valibot';
import { inBatches } from './ranges.ts';
import type { Storage } from './storage.ts';

const Controls = v.object({
  table: v.string(),
  /** A restore makes a table, which nobody may use before it has ended. */
  isCreating: v.optional(v.boolean(), false),
  timeToLive: v.optional(v.string()),
  /** Point-in-time recovery: the time since which the history of the table is whole, and its days. */
  recovery: v.optional(v.object({ since: v.number(), days: v.number() })),
  deletionProtection: v.optional(v.boolean(), false),
  warmThroughput: v.optional(v.object({ reads: v.number(), writes: v.number() })),
  keyArn: v.optional(v.string()),
  restored: v.optional(v.object({ from: v.string(), at: v.number() })),
});
export type Controls = v.InferOutput<typeof Controls>;

const Kept = v.object({ json: v.object({ S: v.pipe(v.string(), v.parseJson(), Controls) }) });

const keyOf = (table: string): string => `control~${table}`;

/** The controls of all tables. They are in the storage, with the items. */
export class TableControls {
  readonly #storage: Storage;
  readonly #byTable: Map<string, Controls>;

  private constructor(storage: Storage, known: readonly Controls[]) {
    this.#storage = storage;
    this.#byTable = new Map(known.map((one) => [one.table, one]));
  }

  /** Reads the controls that earlier runs have kept. */
  static async open(db: Level, storage: Storage): Promise<TableControls> {
    const known: Controls[] = [];
    for await (const batch of inBatches(db.values({ gte: keyOf(''), lt: keyOf('\xff') }), 100))
      known.push(...batch.map((one) => v.parse(Kept, one).json.S));
    return new TableControls(storage, known);
  }

  of(table: string): Controls | undefined {
    return this.#byTable.get(table);
  }

  all(): readonly Controls[] {
    return [...this.#byTable.values()];
  }

  /** Keeps controls. Others see them at once. */
  async set(controls: Controls): Promise<void> {
    const { table } = controls;
    this.#byTable.set(table, controls);
    const value = { json: { S: JSON.stringify(controls) } };
    await this.#storage.write([{ type: 'put', key: keyOf(table), value }]);
  }

  /** Keeps controls without some, or with others. */
  async change(table: string, changed: Partial<Controls>): Promise<void> {
    await this.set({
      ...(this.of(table) ?? { table, isCreating: false, deletionProtection: false }),
      ...changed,
    });
  }

  async remove(table: string): Promise<void> {
    this.#byTable.delete(table);
    await this.#storage.write([{ type: 'del', key: keyOf(table) }]);
  }
}
