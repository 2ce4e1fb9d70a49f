/**
 * Definition store: keeps export definitions and the keys of their SFTP servers in the table, and allocates the ids of
 * exports and their jobs.
 */
import * as v from 'valibot';
import type { Page } from '../../http/listing.ts';
import { deleteWrite, isLive, purgeWrite } from '../../references/lifecycle.ts';
import { sha256 } from '../../runtime/hash.ts';
import type { Listed } from '../../runtime/pages.ts';
import { allocateIdOnce, type RequestIdentity } from '../../table/idempotent-ids.ts';
import { keys } from '../../table/keys.ts';
import { scopedId } from '../../table/scoped-ids.ts';
import type { Table, Write, WriteOutcome } from '../../table/table.ts';
import { versioned, type Versioned } from '../../table/versioned.ts';
import { exportDefinition, hostKeyItem, type ExportDefinition, type HostKey } from './items.ts';

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

/** The definition that pushes to a server. */
type Pusher = Pick<ExportDefinition, 'property' | 'export'>;

/** Pinned keys of SFTP servers. */
export interface HostKeyStore {
  /** The key that a server must have; `undefined` until the first connection, or until a client names a key. */
  hostKey(definition: Pusher, host: string): Promise<HostKey | undefined>;
  /**
   * Replaces the key that a server must have. The write names the version that was read, so a late retry of the SDK
   * cannot undo a later request. `refused` when another writer came in between.
   */
  replaceHostKey(definition: Pusher, host: string, named: HostKey): Promise<WriteOutcome>;
  /**
   * Trust on first use: pins the key that a server shows if no key is pinned yet, and adds the type to a pinned
   * fingerprint that a client named. Returns the pinned key.
   */
  pinHostKey(definition: Pusher, host: string, shown: Omit<HostKey, 'pinned_by'>): Promise<HostKey>;
  /** Removes all keys of a deleted definition. */
  removeHostKeys(property: number, id: number): Promise<void>;
}

/** The key has a hash of the host, because the host is the client's own text. */
const hostKeyKey = ({ property, export: id }: Pusher, host: string) =>
  keys.exportHostKey(property, id, sha256(host));

/** Host keys in the table. */
export const hostKeyStore = (table: Table): HostKeyStore => ({
  hostKey: async (definition, host) => {
    const item = await table.get(hostKeyKey(definition, host));
    return item && v.parse(hostKeyItem, item);
  },
  replaceHostKey: async (definition, host, named) => {
    const key = hostKeyKey(definition, host);
    const before = await table.get(key);
    return table.write(
      before
        ? { kind: 'update', key, set: { ...named }, expect: { w: before.w } }
        : { kind: 'insert', key, set: { ...named } },
    );
  },
  pinHostKey: async (definition, host, { fingerprint, type, pinned }) => {
    const key = hostKeyKey(definition, host);
    const set: HostKey = { fingerprint, type, pinned, pinned_by: 'first_use' };
    if ((await table.write({ kind: 'insert', key, set: { ...set } })) === 'refused')
      await table.write({ kind: 'update', key, set: { type }, expect: { fingerprint } });
    return v.parse(hostKeyItem, await table.get(key));
  },
  removeHostKeys: async (property, id) => {
    const { pk } = keys.exportJob(property, id, 0);
    for (const { sk, w } of (await table.query(pk, { prefix: keys.exportHostKeys })).items)
      await table.write({ kind: 'delete', key: { pk, sk }, expect: { w } });
  },
});
