/** Host key store: keeps the keys that the SFTP servers of exports must have, by definition and host. */
import * as v from 'valibot';
import { keys } from '../../table/keys.ts';
import type { Table, WriteOutcome } from '../../table/table.ts';
import { hostKeyItem, type ExportDefinition, type HostKey } from './items.ts';
import { sha256 } from '../../runtime/hash.ts';

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
