import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import { resolveProfile } from '../../shared/profiles/resolve-profile.ts';
import { hasBit, membersIn } from '../../shared/membership/chunk.ts';
import { Derivations } from '../../shared/catalogue/derivation.ts';
import { segmentsOf } from '../../shared/catalogue/derive.ts';
import { blocksIn } from '../../shared/membership/pairs.ts';
import { groupOf, keys } from '../../shared/table/keys.ts';
import { NOW, scope } from '../profiles/harness.ts';
import {
  attributesOf,
  cellOf,
  filledKey,
  isJournal,
  keyOf,
  profileCell,
  storedAs,
  type Item,
} from './protocol-cells.ts';
import { CONDITION, CONDITION_KEY, FILL, isListed, knowing } from './protocol-conditions.ts';
import { FACT, isFilled, versionsAfter } from './protocol-facts.ts';
import { ORDINAL } from './protocol-programs.ts';
import { storedAt } from '../support/stored-at.ts';

/** A segment of the scenes: its id, and its identity key. */
export interface Known {
  readonly id: number;
  readonly key: string;
}

const at = (items: readonly Item[], cell: number) => {
  const item = items[cell] ?? 0;
  return item === 0 ? undefined : storedAs(cell, item, '');
};

const derivationAfter = new Derivations(scope.id, versionsAfter, knowing).at(0);

/** Segments that follow from the profile, by the new fact and by the condition too. */
const derived = (items: readonly Item[]): ReadonlySet<string> => {
  const slot = parseEntry(at(items, profileCell(scope.id, ORDINAL)));
  return new Set(
    slot.kind === 'profile'
      ? segmentsOf(resolveProfile(slot.state, ORDINAL, storedAt(0)), NOW, derivationAfter).keys()
      : [],
  );
};

/**
 * The segments that must be right. Until the new fact is put in place nobody reads its segment, and until a fill has announced
 * everybody nobody reads the condition. And there is no help for these segments against a profile write that arrives later
 * than the margin, also if the writer lives: that is the bet.
 */
export const judged = (
  items: readonly Item[],
  segments: readonly Known[],
  late: boolean,
): readonly Known[] => {
  const right = new Set<string>();
  if (!late && isFilled(at(items, cellOf(keys.brandPointer)))) right.add(FACT);
  if (!late && at(items, cellOf(filledKey))) right.add(CONDITION_KEY);
  return segments.filter(({ key }) => right.has(key) || (key !== FACT && key !== CONDITION_KEY));
};

/** Ids of the segments in which the index shows the person. */
const shown = (items: readonly Item[], segments: readonly Known[]): ReadonlySet<number> =>
  new Set(
    segments
      .map(({ id }) => id)
      .filter((id) => hasBit(membersIn(at(items, cellOf(keys.chunk(scope.id, id, 0, 0)))), ORDINAL)),
  );

/** Ids of the segments for which the journal announces a change. Nobody may wait for the fill of a condition that is ready. */
const announced = (items: readonly Item[]): ReadonlySet<number> => {
  const found = new Set<number>();
  const isReady = isListed(at(items, cellOf(keys.conditions(scope.id))), 'ready');
  items.forEach((item, cell) => {
    if (item === 0 || !isJournal(cell)) return;
    if (isReady && keyOf(cell).sk.includes(FILL)) return;
    const { pairs } = attributesOf(item);
    if (!(pairs instanceof Uint8Array)) return;
    for (const { segments } of blocksIn(pairs, groupOf(ORDINAL)))
      for (const segment of segments) found.add(segment);
  });
  return found;
};

/**
 * The fault in a table while actors may be at work; undefined when there is none. `levels`: the person was in one of these
 * levels at every moment. `mayBeSilent`: the journal need not announce the wrong segments yet.
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

/** The fault in a table after a complete sweep; undefined when there is none. */
export const wrongAtEnd = (items: readonly Item[], segments: readonly Known[]): string | undefined => {
  if (items.some((item, cell) => item !== 0 && isJournal(cell))) return 'the journal is not empty';
  const [truth, index] = [derived(items), shown(items, segments)];
  const wrong = segments.find(({ id, key }) => index.has(id) !== truth.has(key));
  return wrong && `${wrong.key} is ${index.has(wrong.id) ? 'shown' : 'missing'} for ever`;
};

/** The fault of a segment with a chunk that is in no directory; undefined when there is none. */
export const lostChunk = (items: readonly Item[], segments: readonly Known[]): string | undefined => {
  const lost = segments.find(
    ({ id }) =>
      (items[cellOf(keys.chunk(scope.id, id, 0, 0))] ?? 0) !== 0 &&
      (items[cellOf(keys.directory(scope.id, id))] ?? 0) === 0,
  );
  return lost && `no directory leads to the chunk of ${lost.key}`;
};

/** The fault of a removed condition in which somebody is left; undefined when there is none. */
export const leftBehind = (items: readonly Item[]): string | undefined => {
  const list = at(items, cellOf(keys.conditions(scope.id)));
  const isThere = !list || ['preparing', 'ready', 'dropped'].some((state) => isListed(list, state));
  const chunk = at(items, cellOf(keys.chunk(scope.id, CONDITION, 0, 0)));
  return isThere || !hasBit(membersIn(chunk), ORDINAL) ? undefined : 'a removed condition has a member';
};
