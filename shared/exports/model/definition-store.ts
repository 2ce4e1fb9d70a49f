/** Definition store: keeps export definitions in the table, and allocates the ids of exports and their jobs. */
import * as v from 'valibot';
import type { Page } from '../../http/listing.ts';
import type { Listed } from '../../runtime/pages.ts';
import { deleteWrite, isLive, purgeWrite } from '../../references/lifecycle.ts';
import { allocateIdOnce, type RequestIdentity } from '../../table/idempotent-ids.ts';
import { keys } from '../../table/keys.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Table, Write, WriteOutcome } from '../../table/table.ts';
import { versioned, type Versioned } from '../../table/versioned.ts';
import { exportDefinition, type ExportDefinition } from './items.ts';

/** Definitions of exports and their ids. */
export interface DefinitionStore {
  /** An id for a new export or job. */
  newId(property: number, name: 'export' | 'export-job'): Promise<number>;
  /** The id of the job that a request for a run makes: the same for each repetition of the request. */
  jobIdOf(requestIdentity: RequestIdentity): Promise<number>;
  /** `undefined` for a definition that does not exist or was deleted. */
  definition(property: number, id: number): Promise<Versioned<ExportDefinition> | undefined>;
  definitions(property: number, page: Page): Promise<Listed<ExportDefinition>>;
  /** Changes a definition; refused when another writer changed it since it was read. */
  updateDefinition(seen: Versioned<ExportDefinition>, set: Partial<ExportDefinition>): Promise<WriteOutcome>;
  /** Purges the item of a definition that is marked as deleted. */
  removeDefinition(property: number, id: number): Promise<void>;
}

const parseDefinition = versioned(exportDefinition);

const newId = async (table: Table, property: number, name: 'export' | 'export-job'): Promise<number> =>
  scopedId(property, await table.increment(keys.counter(property, name), 1));

const keyOf = ({ property, export: id }: ExportDefinition) => keys.exportDefinition(property, id);

/** The write that stores a new definition. */
export const insertDefinition = (definition: ExportDefinition): Write => ({
  kind: 'insert',
  key: keyOf(definition),
  set: { ...definition },
});

/** The write that changes a definition; refused when another writer changed it since it was read. */
export const updateDefinition = (
  { value, w }: Versioned<ExportDefinition>,
  set: Partial<ExportDefinition>,
): Write => ({ kind: 'update', key: keyOf(value), set: { ...set }, expect: { w } });

/** The soft delete of a definition; refused when another writer changed it since it was read. */
export const markDefinition = ({ value, w }: Versioned<ExportDefinition>): Write =>
  deleteWrite(keyOf(value), w);

/** Definitions in the table. */
export const definitionStore = (table: Table): DefinitionStore => ({
  newId: (property, name) => newId(table, property, name),
  // Release 0.2.0 has the name with the number.
  jobIdOf: (requestIdentity) =>
    allocateIdOnce(table, requestIdentity, 'export-job#0', () =>
      newId(table, requestIdentity.property, 'export-job'),
    ),
  definition: async (property, id) => {
    const item = await table.get(keys.exportDefinition(property, id));
    return isLive(item) ? parseDefinition(item) : undefined;
  },
  definitions: async (property, page) => {
    const { items, ...rest } = await table.query(keys.exportDefinition(property, 0).pk, page);
    return { ...rest, items: items.filter(isLive).map((item) => v.parse(exportDefinition, item)) };
  },
  updateDefinition: (seen, set) => table.write(updateDefinition(seen, set)),
  removeDefinition: async (property, id) => {
    await table.write(purgeWrite(keys.exportDefinition(property, id)));
  },
});
