/** List not identities: the values of the columns of identities that are nobody's, for the suggested definition. */
import * as v from 'valibot';
import { limits } from '../../../config/limits.ts';
import { type PlaceholderKind, placeholderKind } from '../../../profiles/placeholder-identities.ts';
import { visibleText } from '../../../runtime/visible-text.ts';
import { type IdentityKind, identityKinds } from '../../../table/keys.ts';
import { readMailbox } from '../../mapping/read-mailboxes.ts';
import { notIdentity } from '../../schemas/definition-schemas.ts';
import { type Doubt, doubtAbout } from '../doubt.ts';
import type { FileColumn } from './file-column.ts';
import { columnAt, identityFacts, type IdentityFacts, isSharedId } from './identity-facts.ts';
import type { Place } from './place-columns.ts';
import { leavesOut, type Listed } from './listed.ts';
import { roundedIn } from './rounded-numbers.ts';
import { lineNumbersIn, sameAddressRows, totalsIn } from './rows-of-no-person.ts';
import { isSharedMailbox } from './shared-mailboxes.ts';

/** Finds the values that are nobody's identity, and says what else is odd about the identities. */
export const listNotIdentities = (
  columns: readonly FileColumn[],
  places: readonly Place[],
  rows: readonly (readonly string[])[],
): Listed => {
  const email = columnAt(columns, places, 'email');
  const ids = (['unique_id', 'social_id'] as const).flatMap(
    (target) => columnAt(columns, places, target) ?? [],
  );
  const found = identityKinds.flatMap((kind) => {
    const column = columnAt(columns, places, kind);
    return column ? placeholdersIn(kind, column) : [];
  });
  for (const column of ids) {
    found.push(...sharedIdsIn(column, identityFacts(columns, places, rows, column)));
    found.push(...totalsIn(column), ...lineNumbersIn(column));
  }
  if (email) {
    const facts = identityFacts(columns, places, rows, ids[0]);
    found.push(...mailboxesIn(email, ids[0], facts));
    if (ids.length === 0) found.push(...sameAddressRows(email, { columns, rows, facts }));
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
  nothing: { saw: 'Words for nothing stand in the place of an identity.', does: leavesOut },
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

const placeholdersIn = (kind: IdentityKind, { name, values }: FileColumn): readonly Listed[] => {
  const texts = values.map((value) => visibleText(kind === 'email' ? readMailbox(value) : value));
  const rounded = new Set(kind === 'email' ? [] : roundedIn(texts));
  const groups = Map.groupBy(texts, (value) =>
    rounded.has(value) ? 'rounded' : placeholderKind({ kind, value }),
  );
  return [...groups].flatMap(([found, seen]): readonly Listed[] =>
    found
      ? [{ values: found === 'decimal' ? [] : seen, doubts: [doubtAbout(name, seen, sentences[found])] }]
      : [],
  );
};

/** The ids that come with several addresses: several people would become one. */
const sharedIdsIn = ({ name }: FileColumn, { byId }: IdentityFacts): readonly Listed[] => {
  const shared = [...byId].filter(([, one]) => isSharedId(one));
  if (shared.length === 0) return [];
  const seen = shared.flatMap(([id, { rows }]) => Array.from({ length: rows }, () => id));
  const saw = 'An id comes with several e-mail addresses, so it is hardly one person’s.';
  return [{ values: shared.map(([id]) => id), doubts: [doubtAbout(name, seen, { saw, does: leavesOut })] }];
};

/** The addresses that many people come with, and those of a household. */
const mailboxesIn = (
  { name }: FileColumn,
  id: FileColumn | undefined,
  { byAddress }: IdentityFacts,
): readonly Listed[] => {
  const several = [...byAddress].filter(([, { ids, names }]) => ids.size > 1 || names.size > 1);
  const [shared = [], others = []] = [true, false].map((wanted) =>
    several.filter(([address, one]) => isSharedMailbox(address, one) === wanted),
  );
  return [
    ...(shared.length === 0
      ? []
      : [
          {
            values: shared.map(([address]) => address),
            doubts: [
              doubtAbout(name, rowsOf(shared), {
                saw: 'An address comes with several people, as that of an office does.',
                does: leavesOut,
              }),
            ],
          },
        ]),
    ...(others.length === 0
      ? []
      : [
          {
            values: [],
            doubts: [
              doubtAbout(name, rowsOf(others), {
                saw: `An address comes with several ${id ? 'ids' : 'names'}, as that of a household does.`,
                does: id
                  ? `Each value of ${id.name} is a person of its own. The address stays with the first of them, and the others get a warning.`
                  : 'Rows with one address become one person, with the name of the last row.',
              }),
            ],
          },
        ]),
  ];
};

const rowsOf = (addresses: readonly (readonly [string, { readonly rows: number }])[]): readonly string[] =>
  addresses.flatMap(([address, { rows }]) => Array.from({ length: rows }, () => address));
