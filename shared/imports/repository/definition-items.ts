/** Definition items: import definitions and their revisions in the table, for the import repository. */
import * as v from 'valibot';
import type { Page } from '../../http/listing.ts';
import type { Listed } from '../../runtime/pages.ts';
import type { GrantedTier } from '../../profiles/types.ts';
import { deleteWrite, isLive, purgeWrite } from '../../references/lifecycle.ts';
import { keys } from '../../table/keys.ts';
import { belongsTo } from '../../table/scoped-ids.ts';
import type { Table } from '../../table/table.ts';
import { type Versioned, versioned } from '../../table/versioned.ts';
import { definitionItem, type ImportDefinition } from '../items/import-definition.ts';
import type { ImportJob } from '../items/import-job.ts';
import type { ReadDefinitions } from '../../deliveries/list-addresses.ts';

/** The revision of a definition that a job uses; `deleted` means that the definition accepts nothing new. */
export interface DefinitionRevision extends ImportDefinition {
  readonly deleted: boolean;
}

/** Reads and writes of definitions. */
export interface DefinitionItems {
  /** Adds a definition, and returns the stored one: for two requests with one idempotency key, the first. */
  addDefinition(definition: ImportDefinition): Promise<ImportDefinition>;
  /** `undefined` for a deleted definition, and, without a read, for an id of another property. */
  definition(property: number, id: number): Promise<ImportDefinition | undefined>;
  /** Like `definition`, with the version for a conditional write. */
  versionedDefinition(property: number, id: number): Promise<Versioned<ImportDefinition> | undefined>;
  /** The definition as it was at the creation of a job, with the present grant. */
  definitionOfJob(
    job: Pick<ImportJob, 'property' | 'import' | 'revision'>,
  ): Promise<DefinitionRevision | undefined>;
  definitions(property: number, page: Page): Promise<Listed<ImportDefinition>>;
  /** Replaces a definition; `false` when it has changed since it was read. */
  replaceDefinition(seen: Versioned<ImportDefinition>, after: ImportDefinition): Promise<boolean>;
  /** Marks a definition as deleted (soft delete); `false` when it has changed since it was read. */
  markDeleted(seen: Versioned<ImportDefinition>): Promise<boolean>;
  /** Whether a definition is marked as deleted and its item still exists. */
  isMarked(property: number, id: number): Promise<boolean>;
  /** Whether a definition was ever replaced or deleted. `true` for every definition that existed and is removed now. */
  hasHistory(property: number, id: number): Promise<boolean>;
  /** Removes the item of a definition that is marked as deleted. */
  removeMarked(property: number, id: number): Promise<void>;
  /** Sets or removes the granted tier of a definition; `false` when there is no such definition. */
  grantTier(property: number, id: number, tier: GrantedTier | null): Promise<boolean>;
}

const parseDefinition = versioned(definitionItem);

/** Definitions in a table. */
export const definitionItems = (table: Table): DefinitionItems => ({
  ...revisions(table),
  addDefinition: async (definition) => {
    const key = keys.importDefinition(definition.property, definition.id);
    if ((await table.write({ kind: 'insert', key, set: definition })) === 'applied') return definition;
    return (await versionedDefinition(table, definition.property, definition.id))?.value ?? definition;
  },
  definition: async (property, id) => (await versionedDefinition(table, property, id))?.value,
  versionedDefinition: (property, id) => versionedDefinition(table, property, id),
  definitions: async (property, page) => {
    const { items, next } = await table.query(keys.importDefinition(property, 0).pk, page);
    return {
      items: items.filter(isLive).map((item) => v.parse(definitionItem, item)),
      ...(next === undefined ? {} : { next }),
    };
  },
  grantTier: async (property, id, tier) => {
    if (!belongsTo(property, id)) return false;
    const key = keys.importDefinition(property, id);
    // The write sets this attribute alone. Of two concurrent grants either may be the last.
    const outcome = await table.write({ kind: 'update', key, set: { granted_tier: tier }, expect: { id } });
    return outcome === 'applied';
  },
});

const versionedDefinition = async (
  table: Table,
  property: number,
  id: number,
): Promise<Versioned<ImportDefinition> | undefined> => {
  const item = belongsTo(property, id) ? await table.get(keys.importDefinition(property, id)) : undefined;
  return isLive(item) ? parseDefinition(item) : undefined;
};

/**
 * Changes of definitions. Each change first stores the present revision, so that a job always finds the revision it was
 * created with. A stored revision never changes; only the grant is read from the definition itself.
 */
const revisions = (
  table: Table,
): Pick<
  DefinitionItems,
  'definitionOfJob' | 'replaceDefinition' | 'markDeleted' | 'isMarked' | 'hasHistory' | 'removeMarked'
> => ({
  definitionOfJob: async ({ property, import: id, revision }) => {
    const item = await table.get(keys.importDefinition(property, id));
    const present = item && v.parse(definitionItem, item);
    const deleted = !isLive(item);
    if (present?.revision === revision) return { ...present, deleted };
    const kept = await table.get(keys.importRevision(property, id, revision));
    return kept && { ...v.parse(definitionItem, kept), granted_tier: present?.granted_tier ?? null, deleted };
  },
  replaceDefinition: async (seen, after) => {
    await storeRevision(table, seen);
    const { property, id } = seen.value;
    const key = keys.importDefinition(property, id);
    const outcome = await table.write({ kind: 'update', key, set: { ...after }, expect: { w: seen.w } });
    return outcome === 'applied';
  },
  markDeleted: async (seen) => {
    await storeRevision(table, seen);
    const { property, id } = seen.value;
    return (await table.write(deleteWrite(keys.importDefinition(property, id), seen.w))) === 'applied';
  },
  isMarked: async (property, id) => {
    const item = belongsTo(property, id) ? await table.get(keys.importDefinition(property, id)) : undefined;
    return item !== undefined && !isLive(item);
  },
  hasHistory: async (property, id) => (await table.get(keys.importRevision(property, id, 0))) !== undefined,
  removeMarked: async (property, id) => {
    await table.write(purgeWrite(keys.importDefinition(property, id)));
  },
});

const storeRevision = async (
  table: Table,
  { value: definition }: Versioned<ImportDefinition>,
): Promise<void> => {
  const { property, id, revision } = definition;
  await table.write({ kind: 'insert', key: keys.importRevision(property, id, revision), set: definition });
};

/** The imports of a property, as far as they are about notices. */
export const importNotices =
  (table: Table): ReadDefinitions =>
  async (property, page) => {
    const { items, ...rest } = await definitionItems(table).definitions(property, page);
    const notices = items.map(({ id, name, notification_email }) => {
      const position = keys.importDefinition(property, id).sk;
      return { kind: 'import', id, name, notification_email, position } as const;
    });
    return { items: notices, ...rest };
  };
