import { identityRef } from '../../shared/profiles/identity-claims.ts';
import type { Identity } from '../../shared/profiles/types.ts';
import { keys, type Key } from '../../shared/table/keys.ts';
import type { Attributes } from '../../shared/table/table.ts';
import { scope } from '../profiles/harness.ts';

/** The identities of all scenes, by the names that scenes use. */
export const identities = {
  u1: { kind: 'unique_id', value: '1' },
  u2: { kind: 'unique_id', value: '2' },
  u3: { kind: 'unique_id', value: '3' },
  e: { kind: 'email', value: 'e@b.co' },
  f: { kind: 'email', value: 'f@b.co' },
  s: { kind: 'social_id', value: 's' },
  t: { kind: 'social_id', value: 't' },
} as const satisfies Record<string, Identity>;
export type IdentityName = keyof typeof identities;

const isName = (text: string): text is IdentityName => text in identities;
export const identityNames: readonly IdentityName[] = Object.keys(identities).filter(isName);

/** Number of claims. Claims are the first cells of the table, in the order above; the entries of ordinals follow. */
export const CLAIMS = identityNames.length;

/** Maximum number of ordinals in a state; a set of cells or ordinals is a number of bits. */
export const ORDINALS = 15;

/** The first of the ordinals that no state contains; see the replay. */
export const BEYOND = 40;

/** The keys of cells. */
const cellKeys: readonly Key[] = [
  ...identityNames.map((name) => identityRef(scope, identities[name]).key),
  ...Array.from({ length: BEYOND + 10 }, (_, ordinal) => keys.profile(scope.id, ordinal)),
];
const textOf = ({ pk, sk }: Key): string => `${pk} ${sk}`;
const cells = new Map(cellKeys.map((key, cell) => [textOf(key), cell]));

export const cellOf = (key: Key): number => {
  const cell = cells.get(textOf(key));
  if (cell === undefined) throw new Error(`the model has no cell for ${textOf(key)}`);
  return cell;
};

export const keyOf = (cell: number): Key => {
  const key = cellKeys[cell];
  if (!key) throw new Error(`the model has no cell ${cell}`);
  return key;
};

/**
 * Encodes an item without its key and nonce as one number, 0 for none. Attributes are numbered, except the
 * ordinal of a claim or redirect, which is in the lowest bits, so that ordinals can be renamed.
 */
export type Item = number;

const shapes: Attributes[] = [{}];
const byText = new Map<string, number>();
const NAMED = 64;

/** The ordinal that an item names; -1 when it names none. */
export const namedBy = (item: Item): number => (item % NAMED) - 1;

/** The item, naming another ordinal. */
export const naming = (item: Item, ordinal: number): Item => item - (item % NAMED) + ordinal + 1;

export const itemOf = (attributes: Attributes): Item => {
  const sorted = Object.entries(attributes).sort(([a], [b]) => (a < b ? -1 : 1));
  let ordinal = -1;
  const shape = Object.fromEntries(
    sorted.map(([name, value]) => {
      if ((name !== 'ordinal' && name !== 'redirect') || typeof value !== 'number') return [name, value];
      ordinal = value;
      return [name, 0];
    }),
  );
  const text = JSON.stringify(shape);
  const known = byText.get(text) ?? shapes.length;
  if (known === shapes.length) {
    shapes.push(shape);
    byText.set(text, known);
  }
  return naming(known * NAMED, ordinal);
};

export const attributesOf = (item: Item): Attributes => {
  const shape = shapes[Math.floor(item / NAMED)] ?? {};
  const ordinal = namedBy(item);
  if (ordinal < 0) return shape;
  return 'redirect' in shape ? { ...shape, redirect: ordinal } : { ...shape, ordinal };
};

const merged = new Map<number, Item>();

/** An item after an update. */
export const updated = (item: Item, set: Item): Item => {
  const pair = item * 2 ** 26 + set;
  const known = merged.get(pair) ?? itemOf({ ...attributesOf(item), ...attributesOf(set) });
  merged.set(pair, known);
  return known;
};

/** The kind of an entry's item, by its shape: a hot path. */
const kinds: ('none' | 'profile' | 'redirect' | 'tombstone')[] = ['none'];
const kindOf = (item: Item): (typeof kinds)[number] => {
  const shape = Math.floor(item / NAMED);
  const { forgotten, redirect } = shapes[shape] ?? {};
  return (kinds[shape] ??=
    forgotten !== undefined ? 'tombstone' : redirect === undefined ? 'profile' : 'redirect');
};

/** Whether an entry's item is a profile. */
export const isProfile = (item: Item): boolean => kindOf(item) === 'profile';

/** Whether an entry's item is a redirect. */
export const isRedirect = (item: Item): boolean => kindOf(item) === 'redirect';
