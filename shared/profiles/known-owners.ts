/**
 * Known owners: where this process found the owners of identities last. It is a hint. Whoever uses it reads the profile
 * anyway, and the profile proves it: a profile that holds an identity is the one that its claim leads to (docs/internals/claims.md).
 */
import { BoundedMap } from '../runtime/bounded-map.ts';
import type { Key } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

/** Identities that a process remembers: 1.7 MB, at 170 bytes each. */
const REMEMBERED = 10_000;

/** Ordinals by the keys of claims, which hold keyed hashes and no value of a person. */
class KnownOwners {
  readonly #ordinals = new BoundedMap<string, number>(REMEMBERED);

  /** The ordinal at which the owner of a claim was found last. */
  of({ pk }: Key): number | undefined {
    return this.#ordinals.get(pk);
  }

  /** The one ordinal at which the owner of all these claims was found last. */
  ofAll(claims: readonly Key[]): number | undefined {
    const [first] = claims;
    const known = first && this.of(first);
    return known !== undefined && claims.every((claim) => this.of(claim) === known) ? known : undefined;
  }

  note(claim: Key, ordinal: number): void {
    this.#ordinals.set(claim.pk, ordinal);
  }

  drop(claim: Key): void {
    this.#ordinals.delete(claim.pk);
  }
}

const known = new WeakMap<Table, KnownOwners>();

/** The owners that this process has found in a table. */
export const ownersKnownIn = (table: Table): KnownOwners => {
  const owners = known.get(table) ?? new KnownOwners();
  known.set(table, owners);
  return owners;
};
