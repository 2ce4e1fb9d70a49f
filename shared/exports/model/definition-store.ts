/** Definition store: keeps export definitions in the table, and allocates the ids of exports and their jobs. */
import * as v from 'valibot';
import type { Page } from '../../http/listing.ts';
import type { Listed } from '../../runtime/pages.ts';
import { deleteWrite, isLive, purgeWrite } from '../../references/lifecycle.ts';
import { allocateIdOnce, allocatedId, type RequestIdentity } from '../../table/idempotent-ids.ts';
import { keys } from '../../table/keys.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Table, WriteOutcome } from '../../table/table.ts';
import { versioned, type Versioned } from '../../table/versioned.ts';
import { exportDefinition, type ExportDefinition } from './items.ts';
import { listedItems } from './listed-items.ts';

/** Definitions of exports and their ids. */
export interface DefinitionStore {
  /**
   * The id of the export or job that a request makes: the same for each repetition of the request, another in each
   * round.
   */
  idOf(requestIdentity: RequestIdentity, name: 'export' | 'export-job', round?: number): Promise<number>;
  /** The definition that an earlier try of the same request made, unless it was deleted since. */
  madeBy(requestIdentity: RequestIdentity): Promise<ExportDefinition | undefined>;
  /**
   * Stores a new definition and returns the stored definition, which an earlier try of the same request may have made.
   * Returns `undefined` when a tombstone holds the id. The job of the definition must be stored first, so that a reader
   * of the definition finds it.
   */
  addDefinition(definition: ExportDefinition): Promise<ExportDefinition | undefined>;
  /** `undefined` for a definition that does not exist or was deleted. */
  definition(property: number, id: number): Promise<Versioned<ExportDefinition> | undefined>;
  definitions(property: number, page: Page): Promise<Listed<ExportDefinition>>;
  /** Changes a definition; refused when another writer changed it since it was read. */
  updateDefinition(seen: Versioned<ExportDefinition>, set: Partial<ExportDefinition>): Promise<WriteOutcome>;
  /** Soft delete: marks a definition as deleted; refused when another writer changed it since it was read. */
  markDeleted(seen: Versioned<ExportDefinition>): Promise<WriteOutcome>;
  /** Purges the item of a definition that is marked as deleted. */
  removeDefinition(property: number, id: number): Promise<void>;
}

const parseDefinition = versioned(exportDefinition);

/** Definitions in the table. */
export const definitionStore = (table: Table): DefinitionStore => ({
  idOf: (requestIdentity, name, round = 0) =>
    allocateIdOnce(table, requestIdentity, `${name}#${round}`, async () =>
      scopedId(
        requestIdentity.property,
        await table.increment(keys.counter(requestIdentity.property, name), 1),
      ),
    ),
  madeBy: async (requestIdentity) => {
    for (let round = 0; ; round += 1) {
      const id = await allocatedId(table, requestIdentity, `export#${round}`);
      if (id === undefined) return undefined;
      const item = await table.get(keys.exportDefinition(requestIdentity.property, id));
      if (isLive(item)) return v.parse(exportDefinition, item);
    }
  },
  addDefinition: async (definition) => {
    const key = keys.exportDefinition(definition.property, definition.export);
    if ((await table.write({ kind: 'insert', key, set: { ...definition } })) === 'applied') return definition;
    // The item is our own, from a try whose answer was lost, or the tombstone of another writer.
    const item = await table.get(key);
    return isLive(item) ? v.parse(exportDefinition, item) : undefined;
  },
  definition: async (property, id) => {
    const item = await table.get(keys.exportDefinition(property, id));
    return isLive(item) ? parseDefinition(item) : undefined;
  },
  definitions: async (property, page) => {
    const { items, ...rest } = await table.query(keys.exportDefinition(property, 0).pk, page);
    return listedItems({ items: items.filter(isLive), ...rest }, exportDefinition);
  },
  updateDefinition: ({ value, w }, set) => {
    const key = keys.exportDefinition(value.property, value.export);
    return table.write({ kind: 'update', key, set: { ...set }, expect: { w } });
  },
  markDeleted: ({ value, w }) =>
    table.write(deleteWrite(keys.exportDefinition(value.property, value.export), w)),
  removeDefinition: async (property, id) => {
    await table.write(purgeWrite(keys.exportDefinition(property, id)));
  },
});
