/** Reading of pointers: leads from a value to the profiles that show it, or may have shown it. */
import type { PropertyScope } from '../properties/scope.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { keyedHash } from './identity-claims.ts';
import { PHONE, pointerKey } from './pointer-keys.ts';
import type { LeftPointer } from './pointers.ts';

/** Most pointers of a number that one query reads. */
const POINTERS_PER_QUERY = 100;

/** The pointers from a number, at most a page of them. */
export const pointersLike = async (
  table: Pick<Table, 'query'>,
  scope: PropertyScope,
  pointer: string,
): Promise<readonly LeftPointer[]> => {
  const { items } = await table.query(pointerKey(scope.id, pointer, 0).pk, { limit: POINTERS_PER_QUERY });
  return items.map(({ sk }) => ({ ordinal: Number(sk), pointer }));
};

interface PointerSearch<Person> {
  readonly limit: number;
  /** Those at these ordinals who show the number. */
  readonly shown: (ordinals: readonly number[]) => Promise<readonly Person[]>;
}

/**
 * The people who show a number, in the order of their ordinals, `limit` of them at most. A pointer may outlive the number,
 * so a page of pointers may lead to nobody. Looks at a thousand pointers at most.
 */
export const peopleAt = async <Person>(
  table: Pick<Table, 'query'>,
  scope: PropertyScope,
  phone: string,
  { limit, shown }: PointerSearch<Person>,
): Promise<readonly Person[]> => {
  const { pk } = keys.phonePointer(scope.id, keyedHash(scope, PHONE, phone), 0);
  const found: Person[] = [];
  let after: string | undefined;
  for (let queries = 0; queries < 10; queries += 1) {
    const { items, next } = await table.query(pk, { limit: POINTERS_PER_QUERY, after });
    found.push(...(await shown(items.map(({ sk }) => Number(sk)))));
    if (next === undefined || found.length >= limit) break;
    after = next;
  }
  return found.slice(0, limit);
};
