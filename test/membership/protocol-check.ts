import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import { resolveProfile } from '../../shared/profiles/resolve-profile.ts';
import { hasBit, membersIn } from '../../shared/membership/chunk.ts';
import { segmentsOf } from '../../shared/catalogue/derive.ts';
import { visitPairs } from '../../shared/membership/pairs.ts';
import { groupOf, keys } from '../../shared/table/keys.ts';
import { NOW, scope } from '../profiles/world.ts';
import { noBrands } from '../../shared/catalogue/brands.ts';
import { attributesOf, cellOf, isJournal, profileCell, storedAs, type Item } from './protocol-cells.ts';
import { ORDINAL } from './protocol-programs.ts';

/** A segment of the scenes: its id, and what it goes by. */
export interface Known {
  readonly id: number;
  readonly key: string;
}

const at = (items: readonly Item[], cell: number) => {
  const item = items[cell] ?? 0;
  return item === 0 ? undefined : storedAs(cell, item, '');
};

/** Segments that the profile says it is in. */
const derived = (items: readonly Item[]): ReadonlySet<string> => {
  const slot = parseEntry(at(items, profileCell(scope.id, ORDINAL)));
  return new Set(
    slot.kind === 'profile' ? segmentsOf(resolveProfile(slot.state, ORDINAL, 0), NOW, noBrands).keys() : [],
  );
};

/** Segments (ids) in which the index shows the person. */
const shown = (items: readonly Item[], segments: readonly Known[]): ReadonlySet<number> =>
  new Set(
    segments
      .map(({ id }) => id)
      .filter((id) => hasBit(membersIn(at(items, cellOf(keys.chunk(scope.id, id, 0, 0)))), ORDINAL)),
  );

/** Segments (ids) that the journal announces as changing. */
const announced = (items: readonly Item[]): ReadonlySet<number> => {
  const found = new Set<number>();
  items.forEach((item, cell) => {
    if (item === 0 || !isJournal(cell)) return;
    const { pairs } = attributesOf(item);
    if (pairs instanceof Uint8Array) visitPairs(pairs, groupOf(ORDINAL), (segment) => found.add(segment));
  });
  return found;
};

/**
 * What is wrong in a table on which somebody may be at work. `levels`: the person was in one of these all the time.
 * `mayBeSilent`: what the index shows wrongly need not be announced yet.
 */
export const wrongIn = (
  items: readonly Item[],
  segments: readonly Known[],
  { levels, mayBeSilent }: { readonly levels: ReadonlySet<number>; readonly mayBeSilent: boolean },
): string | undefined => {
  const [truth, index, waiting] = [derived(items), shown(items, segments), announced(items)];
  const silent = segments.find(({ id, key }) => index.has(id) !== truth.has(key) && !waiting.has(id));
  if (silent && !mayBeSilent)
    return `${silent.key} is ${index.has(silent.id) ? 'shown' : 'missing'}, and nothing announces it`;
  if (levels.size > 0 && ![...index].some((id) => levels.has(id))) return 'the person is shown in no level';
  return undefined;
};

/** What is wrong in a table once all has been swept. */
export const wrongAtEnd = (items: readonly Item[], segments: readonly Known[]): string | undefined => {
  if (items.some((item, cell) => item !== 0 && isJournal(cell))) return 'the journal is not empty';
  const [truth, index] = [derived(items), shown(items, segments)];
  const wrong = segments.find(({ id, key }) => index.has(id) !== truth.has(key));
  return wrong && `${wrong.key} is ${index.has(wrong.id) ? 'shown' : 'missing'} for ever`;
};

/** Segments with a chunk that no directory leads to. */
export const lostChunk = (items: readonly Item[], segments: readonly Known[]): string | undefined => {
  const lost = segments.find(
    ({ id }) =>
      (items[cellOf(keys.chunk(scope.id, id, 0, 0))] ?? 0) !== 0 &&
      (items[cellOf(keys.directory(scope.id, id))] ?? 0) === 0,
  );
  return lost && `no directory leads to the chunk of ${lost.key}`;
};
