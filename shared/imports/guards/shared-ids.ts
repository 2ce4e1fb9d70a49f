/** Shared ids: counts with how many different e-mail addresses each id of a file or a batch comes, in bounded memory. */
import { limits } from '../../config/limits.ts';
import { isObject } from '../../http/json.ts';
import type { ProfilePatch } from '../../profiles/profile-patch.ts';
import { visibleText } from '../../runtime/visible-text.ts';
import { compileRowMap } from '../mapping/row-map.ts';
import type { GuardFailure } from '../items/guard-items.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import { compileNotIdentities } from '../rows/check-records.ts';
import { type Guards, type SharedId, sharedIdFault } from './guard-rules.ts';

const idKinds = ['unique_id', 'social_id'] as const;

/** One id with its rows and the hashes of its addresses. Most ids come with one address, which needs no set. */
interface CountedId {
  rows: number;
  addresses: number | Set<number>;
}

/** Longer texts are no placeholders, and no addresses. */
const LONGEST = 320;

/** Shared ids that are counted to the end of a file, for the message of the failure. */
const MOST_SHARED = 10;

/**
 * Counts the different addresses of ids. It remembers a limited number of ids: of two generations the older one goes, so
 * an id that many rows share stays. It holds no text of a row but the ids, and no more addresses than the guard allows.
 */
export class SharedIds {
  readonly #most: number;
  #young = new Map<string, CountedId>();
  #old = new Map<string, CountedId>();
  readonly #shared = new Map<CountedId, Pick<SharedId, 'kind' | 'value'>>();

  constructor(most: number) {
    this.#most = most;
  }

  note(kind: SharedId['kind'], value: string, address: string): void {
    if (value.length > LONGEST || address.length > LONGEST) return;
    const hash = hashOf(address);
    const id = this.#counted(kind === 'unique_id' ? `u${value}` : `s${value}`, hash);
    id.rows += 1;
    if (id.addresses === hash || !this.#exceeds(id, hash)) return;
    if (this.#shared.size < MOST_SHARED) this.#shared.set(id, { kind, value });
  }

  /** The ids that come with too many addresses. */
  get shared(): readonly SharedId[] {
    return [...this.#shared].map(([{ rows }, id]) => ({ ...id, rows }));
  }

  #counted(key: string, hash: number): CountedId {
    const young = this.#young.get(key);
    if (young) return young;
    const id = this.#old.get(key) ?? { rows: 0, addresses: hash };
    if (this.#young.size >= limits.imports.guardedIds / 2) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, id);
    return id;
  }

  /** Adds an address to an id; whether the id has too many now. */
  #exceeds(id: CountedId, hash: number): boolean {
    if (typeof id.addresses === 'number') id.addresses = new Set([id.addresses]);
    if (id.addresses.size <= this.#most) id.addresses.add(hash);
    return id.addresses.size > this.#most;
  }
}

/**
 * A hash of a text (30 bits). Two addresses with the same hash count as one, which only makes the guard a little milder. A
 * part of a row would keep the whole row in memory.
 */
const hashOf = (text: string): number => {
  let hash = 0;
  for (let at = 0; at < text.length; at += 1) hash = (hash * 31 + text.charCodeAt(at)) & 0x3fffffff;
  return hash;
};

/** The failure of a batch with ids that come with too many addresses. */
export const sharedIdsFault = (
  definition: Guards,
  patches: Iterable<Pick<ProfilePatch, 'identities'>>,
): GuardFailure | undefined => {
  const { max_addresses_per_id: most } = definition;
  if (most === null) return undefined;
  const ids = new SharedIds(most);
  for (const { identities } of patches) {
    const address = identities.find(({ kind }) => kind === 'email')?.value;
    if (address === undefined) continue;
    for (const { kind, value } of identities) if (kind !== 'email') ids.note(kind, value, address);
  }
  return sharedIdFault(definition, ids.shared);
};

type Definition = Pick<ImportDefinition, 'mapping_fields' | 'not_identities'> & Guards;

/** Whether the files of a definition have ids and addresses, and a guard of them. */
export const guardsIds = ({
  mapping_fields: { field_maps },
  max_addresses_per_id: most,
}: Definition): boolean => {
  const targets = new Set(field_maps.map(({ target_field }) => target_field));
  return most !== null && targets.has('email') && idKinds.some((kind) => targets.has(kind));
};

/** The guard of the ids of a file. */
interface IdGuard {
  /** Counts the ids of a row. */
  readonly note: (cells: readonly string[]) => void;
  /** The failure of the rows so far. */
  readonly fault: () => GuardFailure | undefined;
}

/**
 * Compiles the guard of the ids of a file, if there is one. It maps the columns of identities alone, because it sees every
 * row. `picks` are the columns of each field map.
 */
export const idGuard = async (
  definition: Definition,
  picks: readonly (readonly number[])[],
): Promise<IdGuard | undefined> => {
  const { mapping_fields, max_addresses_per_id: most, not_identities } = definition;
  if (most === null || !guardsIds(definition)) return undefined;
  const kinds: ReadonlySet<string> = new Set([...idKinds, 'email']);
  const own = mapping_fields.field_maps.flatMap((map, index) =>
    kinds.has(map.target_field) ? [{ map, pick: picks[index] ?? [] }] : [],
  );
  const read = await compileRowMap(
    { mapping_fields: { field_maps: own.map(({ map }) => map), required_fields: [] }, tags_mode: 'add' },
    own.map(({ pick }) => pick),
    '',
  );
  const isListed = compileNotIdentities(not_identities);
  const ids = new SharedIds(most);
  return {
    note: (cells) => {
      const { record } = read(cells);
      if (!isObject(record)) return;
      const address = record['email'];
      if (typeof address !== 'string' || !address.includes('@') || isListed?.(address) === true) return;
      for (const kind of idKinds) {
        const value = record[kind];
        if (typeof value === 'string' && isListed?.(value) !== true)
          ids.note(kind, visibleText(value), visibleText(address).toLowerCase());
      }
    },
    fault: () => sharedIdFault(definition, ids.shared),
  };
};
