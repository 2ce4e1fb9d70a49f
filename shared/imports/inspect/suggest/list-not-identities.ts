/** List not identities: the values of the columns of identities that are nobody's, for the suggested definition. */
import * as v from 'valibot';
import { limits } from '../../../config/limits.ts';
import { type PlaceholderKind, placeholderKind } from '../../../profiles/placeholder-identities.ts';
import { visibleText } from '../../../runtime/visible-text.ts';
import { type IdentityKind, identityKinds } from '../../../table/keys.ts';
import { readMailbox } from '../../mapping/read-mailboxes.ts';
import { notIdentity } from '../../schemas/definition-schemas.ts';
import { type Doubt, doubtsAbout } from '../doubt.ts';
import type { FileColumn } from './file-column.ts';
import {
  columnAt,
  identityFacts,
  type IdentityFacts,
  isSharedId,
  roundedIn,
  isSharedMailbox,
  addressIn,
  areNumbers,
  type Together,
} from './identity-facts.ts';
import type { PlacedColumn } from './place-columns.ts';
import { nameKey } from './column-names.ts';

/** Values to list, and what a person should know about the identities of the file. */
interface Listed {
  readonly values: readonly string[];
  readonly doubts: readonly Doubt[];
}

/** The doubt about values in a column that the definition lists, or about others that it does not. */
const listedIn = (
  { name }: FileColumn,
  seen: readonly string[],
  words: Pick<Doubt, 'saw' | 'does'>,
  values = seen,
): Listed => ({ values, doubts: doubtsAbout(name, seen, words) });

/** What becomes of a listed value. */
const leavesOut =
  'Leaves them out of the identities (`not_identities`). A row without another identity is refused.';

/** Finds the values that are nobody's identity, and says what else is odd about the identities. */
export const listNotIdentities = (
  columns: readonly PlacedColumn[],
  rows: readonly (readonly string[])[],
): Listed => {
  const email = columnAt(columns, 'email');
  const ids = (['unique_id', 'social_id'] as const).flatMap((target) => columnAt(columns, target) ?? []);
  const found = identityKinds.flatMap((kind) => {
    const column = columnAt(columns, kind);
    return column ? placeholdersIn(kind, column) : [];
  });
  for (const column of ids) {
    found.push(sharedIdsIn(column, identityFacts(columns, rows, column)));
    found.push(totalsIn(column), lineNumbersIn(column));
  }
  if (email) {
    const facts = identityFacts(columns, rows, ids[0]);
    found.push(...mailboxesIn(email, ids[0], facts));
    if (ids.length === 0) found.push(sameAddressRows(email, { columns, rows, facts }));
  }
  return {
    values: listable(found.flatMap(({ values }) => values)),
    doubts: found.flatMap(({ doubts }) => doubts),
  };
};

/** What a definition can list: each value once, and none that would leave out other values as well. */
const listable = (values: readonly string[]): readonly string[] => {
  const kept: string[] = [];
  let bytes = 2;
  for (const value of new Set(values.map((each) => each.toLowerCase()))) {
    bytes += Buffer.byteLength(JSON.stringify(value)) + 1;
    if (kept.length === limits.imports.notIdentities || bytes > limits.imports.notIdentitiesBytes) break;
    if (v.is(notIdentity, value) && isOwnPattern(value)) kept.push(value);
  }
  return kept;
};

/** A star in a value matches any characters, so the rest must tell the value from others. */
const isOwnPattern = (value: string): boolean => !value.includes('*') || /[\p{L}\p{N}]{2}/u.test(value);

const sentences = {
  nothing: {
    saw: 'Placeholders such as "n/a" or "unknown" stand in the place of an identity.',
    does: leavesOut,
  },
  address: { saw: 'Placeholders stand in the place of an address.', does: leavesOut },
  rounded: {
    saw: 'A spreadsheet has rounded numbers, so different people may have the same one.',
    does: `${leavesOut} Take the numbers from their source once more.`,
  },
  decimal: {
    saw: 'Whole numbers have a decimal part, as programs write numbers of columns with gaps.',
    does: 'Stores them as they are. The same person under the number without it is another person.',
  },
} as const satisfies Readonly<Record<PlaceholderKind, Pick<Doubt, 'saw' | 'does'>>>;

const placeholdersIn = (kind: IdentityKind, column: FileColumn): readonly Listed[] => {
  const { values } = column;
  const texts = values.map((value) => visibleText(kind === 'email' ? readMailbox(value) : value));
  const rounded = new Set(kind === 'email' ? [] : roundedIn(texts));
  const groups = Map.groupBy(texts, (value) =>
    rounded.has(value) ? 'rounded' : placeholderKind({ kind, value }),
  );
  return [...groups].flatMap(([found, seen]) =>
    found ? [listedIn(column, seen, sentences[found], found === 'decimal' ? [] : seen)] : [],
  );
};

/** The ids that come with several addresses: several people would become one. */
const sharedIdsIn = (column: FileColumn, { byId }: IdentityFacts): Listed => {
  const shared = [...byId].filter(([, one]) => isSharedId(one));
  const saw = 'An id comes with several e-mail addresses, so it is hardly one person’s.';
  return listedIn(column, rowsOf(shared), { saw, does: leavesOut }, keysOf(shared));
};

/** The addresses that many people come with, and those of a household. */
const mailboxesIn = (
  column: FileColumn,
  id: FileColumn | undefined,
  { byAddress }: IdentityFacts,
): readonly Listed[] => {
  const several = [...byAddress].filter(([, { ids, names }]) => ids.size > 1 || names.size > 1);
  const isShared = ([address, one]: (typeof several)[number]): boolean => isSharedMailbox(address, one);
  const shared = several.filter(isShared);
  const ofHouseholds = rowsOf(several.filter((one) => !isShared(one)));
  const office = 'An address comes with several people, as that of an office does.';
  const household = {
    saw: `An address comes with several ${id ? 'ids' : 'names'}, as that of a household does.`,
    does: id
      ? `Each value of ${id.name} is a person of its own. The address stays with the first of them, and the others get a warning.`
      : 'Rows with one address become one person, with the name of the last row.',
  };
  return [
    listedIn(column, rowsOf(shared), { saw: office, does: leavesOut }, keysOf(shared)),
    listedIn(column, ofHouseholds, household, []),
  ];
};

type Keyed = readonly [key: string, { readonly rows: number }];

const keysOf = (all: readonly Keyed[]): readonly string[] => all.map(([key]) => key);

/** An id or an address once for each of its rows. */
const rowsOf = (all: readonly Keyed[]): readonly string[] =>
  all.flatMap(([key, { rows }]) => Array.from({ length: rows }, () => key));

/** Words with which lines of sums begin. */
const totals =
  /^(?:(?:grand|sub|column|row)[ -]?)?(totals?|sum|summe|zwischensumme|teilsumme|gesamt\p{L}*|endsumme|somme|suma|sumar|totale|totaal|totalt|celkem|spolu|razem|ukupno|yhteensä|összesen|toplam|σύνολο|итого|всего|合計|小計|総計|합계|총계)(?![\p{L}\p{N}])/iu;

/** The lines of sums in a column of ids that are numbers. */
const totalsIn = (column: FileColumn): Listed => {
  const { values } = column;
  const seen = areNumbers(values) ? values.filter((value) => totals.test(visibleText(value))) : [];
  const saw = 'Lines of sums stand between the people, with a word in the place of an id.';
  return listedIn(column, seen, { saw, does: leavesOut });
};

/** Names of columns that number lines. */
const ofLines =
  /^(?:no|nr|num|number|numero|line|row|index|idx|pos|position|lfd|lfd nr|laufende nummer|zeile|ligne|fila|riga|rij|regel|lp|l p|por|poradi|c|rad|nr crt|crt|s no|sl no|sr no|sno|#|α α|순번|번호|番号)$/u;

/** The numbers of lines in a column that counts the rows from one and is called so. */
const lineNumbersIn = (column: FileColumn): Listed => {
  const { name, values } = column;
  const key = name.trim() === '#' ? '#' : nameKey(name);
  const counted = values.filter((value) => /^\d+$/.test(value.trim()));
  const isCount =
    counted.length > 1 && counted.every((value, index) => Number(value) === index + 1) && ofLines.test(key);
  const saw = 'The numbers count the rows from 1. In another file, they stand for other people.';
  const does =
    'Stores them as ids, because they were mapped so. Map an id of the people or their addresses instead.';
  return listedIn(column, isCount ? counted : [], { saw, does }, []);
};

/** So many rows of one address are looked at. */
const FEWEST_ROWS = 3;
/** A column tells people apart if so large a share of its cells differ. */
const TELLING = 0.5;
/** Where so large a share of the rows has such addresses, the rows are those of orders or visits. */
const MOST_ROWS = 0.5;

interface FileRows {
  readonly columns: readonly FileColumn[];
  readonly rows: readonly (readonly string[])[];
  readonly facts: IdentityFacts;
}

/**
 * The addresses whose rows differ in every column that tells people apart, in a file without ids and names that are known:
 * an address that stands for none, or the orders of one person.
 */
const sameAddressRows = (email: FileColumn, { columns, rows, facts }: FileRows): Listed => {
  const isOpen = ({ names, rows: count }: Together): boolean => names.size === 0 && count >= FEWEST_ROWS;
  const open = new Set([...facts.byAddress].flatMap(([address, one]) => (isOpen(one) ? [address] : [])));
  const telling = columns.filter(
    ({ index, values }) =>
      index !== email.index &&
      values.length * 2 >= rows.length &&
      new Set(values).size >= TELLING * values.length,
  );
  const byAddress = Map.groupBy(rows, (cells) => addressIn(cells[email.index]));
  const seen = [...byAddress].flatMap(([address, own]) => {
    if (!open.has(address) || telling.length === 0) return [];
    const agree = telling.some(({ index }) => agrees(own.map((cells) => cells[index] ?? '')));
    return agree ? [] : own.map(() => address);
  });
  const saw =
    'The rows of one address differ in all other columns: the address may stand for none, or the rows may be orders of one person.';
  const does = 'Makes one person of the rows of an address. If it is nobody’s, list it in `not_identities`.';
  return listedIn(email, seen.length > MOST_ROWS * rows.length ? [] : seen, { saw, does }, []);
};

/** Whether two filled cells in three are the same. */
const agrees = (cells: readonly string[]): boolean => {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length < 2 || new Set(filled).size * 3 <= filled.length * 2;
};
