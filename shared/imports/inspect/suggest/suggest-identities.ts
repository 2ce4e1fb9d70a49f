/** Suggest identities: which columns say whose record a row is, and which of their values are nobody's identity. */
import { identityKinds } from '../../../table/keys.ts';
import { type Doubt, doubtsAbout } from '../doubt.ts';
import { nameKey } from './column-names.ts';
import type { FileColumn } from './file-column.ts';
import {
  areNumbers,
  columnAt,
  identityFacts,
  type IdentityFacts,
  isSharedId,
  type Together,
  roundedIn,
  isRoleAddress,
} from './identity-facts.ts';
import { listNotIdentities } from './list-not-identities.ts';
import {
  type Demands,
  type KnownColumns,
  type PlacedColumn,
  placeColumns,
  type Unfit,
} from './place-columns.ts';
import type { ShiftedHeader } from './shifted-header.ts';

/** The placed columns, and what is nobody's identity. */
export interface IdentityAdvice {
  readonly columns: readonly PlacedColumn[];
  /** The values that the definition lists. */
  readonly notIdentities: readonly string[];
  readonly doubts: readonly Doubt[];
}

/**
 * Places the columns of a file. A column whose name means an id, and whose values are those of orders, households or a
 * spreadsheet that has rounded them, is no identity: it is kept as extra data, and another column may take its place. A
 * request that names the field of a column decides.
 */
export const suggestIdentities = (
  known: KnownColumns,
  shift: ShiftedHeader | undefined,
  demands: Demands,
): IdentityAdvice => {
  const { columns, rows } = known;
  const numbers = columns.flatMap((column) => numbersForNames(column, demands));
  const unfit: Unfit[] = [
    ...numbers.map((found) => found.unfit),
    ...(shift ? columns.flatMap(({ index }) => noIdentityAt(index, shift.why)) : []),
  ];
  const doubts = numbers.flatMap((found) => found.doubts);
  for (;;) {
    const placed = placeColumns(known, demands, unfit);
    const found = findUnfit(placed, rows, demands);
    if (!found || unfit.length > (2 + identityKinds.length) * columns.length) {
      const listed = listNotIdentities(placed, rows);
      return { columns: placed, notIdentities: listed.values, doubts: [...doubts, ...listed.doubts] };
    }
    unfit.push(found.unfit);
    doubts.push(...found.doubts);
  }
};

const noIdentityAt = (index: number, why: string): readonly Unfit[] =>
  identityKinds.map((target) => ({ index, target, why }));

interface Found {
  readonly unfit: Unfit;
  readonly doubts: readonly Doubt[];
}

/** The first column of ids whose values are not those of people. */
const findUnfit = (
  columns: readonly PlacedColumn[],
  rows: KnownColumns['rows'],
  { targets }: Demands,
): Found | undefined => {
  if (!columnAt(columns, 'email')) return undefined;
  for (const target of ['unique_id', 'social_id']) {
    const column = columnAt(columns, target);
    if (!column || targets.get(column.name) !== undefined) continue;
    const found = roundedNumbers(column, target) ?? severalPeople(columns, rows, column, target);
    if (found) return found;
  }
  return undefined;
};

const foundIn = (
  { name, index }: FileColumn,
  target: string,
  seen: readonly string[],
  { saw, does, why }: { readonly saw: string; readonly does: string; readonly why: string },
): Found => ({ unfit: { index, target, why }, doubts: doubtsAbout(name, seen, { saw, does }) });

const nameFields: ReadonlySet<string> = new Set(['full_name', 'first_name', 'last_name']);

/** A column that is called a name and numbers something, as `Name` in files of orders. */
const numbersForNames = (column: FileColumn, { targets }: Demands): readonly Found[] => {
  const { name, named, values, isSurplus } = column;
  if (!named || !nameFields.has(named.target) || targets.get(name) !== undefined) return [];
  if (isSurplus || !areNumbers(values)) return [];
  const { target } = named;
  const numbers = values.filter((value) => /\p{N}/u.test(value));
  return [
    foundIn(column, target, numbers, {
      saw: `The cells have digits, so they are numbers and not names of people.`,
      does: `Keeps the column as extra data, and not as ${target}.`,
      why: `Its values are numbers and no ${target}.`,
    }),
  ];
};

/** A column of ids is no identity if spreadsheets have rounded so large a share of its values. */
const ROUNDED = 0.2;
/** The share of rows whose address has several ids from which the ids count as those of orders. */
const ORDERS = 0.05;
/** Ids with several addresses are those of groups if they are so many, and so large a share of all. */
const GROUPS = 3;
const GROUPS_SHARE = 0.2;

const roundedNumbers = (column: FileColumn, target: string): Found | undefined => {
  const { values } = column;
  const rounded = roundedIn(values);
  if (rounded.length === 0 || rounded.length < ROUNDED * values.length) return undefined;
  return foundIn(column, target, rounded, {
    saw: 'A spreadsheet has rounded the numbers, so different people may have the same one.',
    does: `Keeps the column as extra data, and not as ${target}. Take the numbers from their source once more.`,
    why: 'A spreadsheet has rounded its numbers, so they are nobody’s identity.',
  });
};

const severalPeople = (
  columns: readonly PlacedColumn[],
  rows: KnownColumns['rows'],
  column: FileColumn,
  target: string,
): Found | undefined => {
  const facts = identityFacts(columns, rows, column);
  return ordersIn(facts, column, target) ?? groupsIn(facts, column, target);
};

const ordersIn = (facts: IdentityFacts, column: FileColumn, target: string): Found | undefined => {
  const own = [...facts.byAddress].filter(
    ([address, one]) => !isRoleAddress(address) && isOrdering(one, column),
  );
  const rows = own.reduce((sum, [, one]) => sum + one.rows, 0);
  if (own.length === 0 || rows < ORDERS * facts.complete) return undefined;
  return foundIn(
    column,
    target,
    own.flatMap(([, { ids }]) => [...ids]),
    {
      saw: `${counted(own.length, 'e-mail address comes', 'e-mail addresses come')} with several values of this column, as orders do.`,
      does: `Keeps the column as extra data, and not as ${target}: the address says whose record a row is. If the column is the number of a person, map it to ${target}.`,
      why: 'One e-mail address has several of its values, as orders have.',
    },
  );
};

/** Whether the rows of one address are records of one person under several ids. */
const isOrdering = ({ ids, names }: Together, column: FileColumn): boolean => {
  if (ids.size < 2) return false;
  return names.size === 1 || (names.size === 0 && !namesPerson.test(nameKey(column.name)));
};

/** Names of columns that say that the number is one of a person. */
const namesPerson =
  /customer|client|contact|member|visitor|person|user|kunde|kunden|kdnr|mitglied|besucher|debitor|cliente|socio|adherent|membre|klant|relatie|lid/;

const groupsIn = (facts: IdentityFacts, column: FileColumn, target: string): Found | undefined => {
  const groups = [...facts.byId].filter(([, one]) => isSharedId(one));
  if (groups.length < GROUPS || groups.length < GROUPS_SHARE * facts.byId.size) return undefined;
  return foundIn(
    column,
    target,
    groups.map(([id]) => id),
    {
      saw: `${groups.length} values of this column come with several e-mail addresses, as numbers of households, events or groups do.`,
      does: `Keeps the column as extra data, and not as ${target}: the address says whose record a row is.`,
      why: 'Many of its values come with several e-mail addresses.',
    },
  );
};

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
