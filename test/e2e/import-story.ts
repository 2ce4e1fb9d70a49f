/**
 * Import scenario: defines files and batches that meet in the same people, with refused rows, for the tests of
 * disturbed imports.
 */
import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { printRow } from '../../shared/csv/print-line.ts';

const PEOPLE = 60;
const CITIES = ['Austin', 'Boston', 'Chicago', 'Denver'];

/** The length of a note: some 60 rows fill a chunk. */
const NOTE = 60_000;

const emailOf = (person: number): string => `p${person}@x.org`;
const isNumbered = (person: number): boolean => person % 3 === 0;
const numberOf = (person: number): string => (isNumbered(person) ? `u${person}` : '');
const cityOf = (index: number): string => CITIES[index % CITIES.length] ?? '';
const range = <T>(length: number, make: (index: number) => T): T[] =>
  Array.from({ length }, (_, index) => make(index));

/** Two people who share an address: the second person never gets it. */
const FAMILY = 'family@x.org';

/** Keys of extra data. A profile holds 200 keys. */
const extraData = (first: number, count: number) =>
  Object.fromEntries(range(count, (index) => [`k${first + index}`, index]));

const field = (target_field: string, columns: readonly string[], ...transformations: readonly string[]) => ({
  sources: columns.map((name) => ({ type: 'source_field', name })),
  transformations: transformations.map((name) => ({ name })),
  target_field,
});
const mapping = (required_fields: readonly string[], ...field_maps: readonly object[]) => ({
  mapping_fields: { required_fields, field_maps },
});

/** The definitions: of a stated file, of a partner's file, and of batches. */
export const definitions = {
  visitors: {
    name: 'Visitors',
    ...mapping(
      ['email'],
      field('email', ['E-mail'], 'strip', 'lower'),
      field('unique_id', ['Number']),
      field('full_name', ['First', 'Last'], 'title'),
      field('age', ['Age']),
      field('city', ['City']),
      field('tags', ['Tags']),
      field('source', ['Source']),
    ),
  },
  partner: {
    name: 'Partner',
    delimiter: 'pipe',
    attribute_source: 'third_party',
    ...mapping(
      [],
      field('email', ['email']),
      field('full_name', ['name']),
      field('state', ['state']),
      field('has_children', ['kids']),
      field('extra_data.rank', ['rank']),
    ),
  },
  records: { name: 'Records', ...mapping([], field('email', ['email'])) },
};

const print = (rows: readonly (readonly string[])[], delimiter: ',' | '|'): Buffer<ArrayBuffer> =>
  Buffer.from(rows.map((row) => `${printRow(row, delimiter)}\r\n`).join(''));

const visitor = (index: number): readonly string[] => {
  const person = index % PEOPLE;
  const note = `${hash('sha256', String(index), 'hex').repeat(NOTE / 64)}\r\n"${index}"`;
  const rest = [cityOf(index), `t${index % 5};t${index % 3}`, `crm,s${person % 3}`, note];
  if (index % 17 === 5) return [`bad${index}`, '', 'no', 'body', '', ...rest];
  if (index % 29 === 7) return [emailOf(person), numberOf(person), 'old', 'man', 'old', ...rest];
  if (index % 41 === 9) return ['', numberOf(person), 'un', 'known', '', ...rest];
  if (index % 50 === 49) return [FAMILY, 'dad', 'dad', `${index}`, '', ...rest];
  return [` P${person}@X.org`, numberOf(person), `first${index}`, 'last', String(20 + person), ...rest];
};

/** A file of several chunks, compressed: its rows in their order are the newest of each person. */
export const visitorsFile = gzipSync(
  print(
    [['E-mail', 'Number', 'First', 'Last', 'Age', 'City', 'Tags', 'Source', 'Note'], ...range(180, visitor)],
    ',',
  ),
  { level: 1 },
);

/** A partner's file of known and new people, whose values never replace stated values. */
export const partnerFile = print(
  [
    ['email', 'name', 'state', 'kids', 'rank'],
    ...range(60, (index) => {
      const email = index % 11 === 3 ? `bad${index}` : index % 4 === 0 ? `q${index}@x.org` : emailOf(index);
      return [email, `Partner ${index}`, index % 2 ? 'TX' : 'MA', index % 9 ? 'yes' : 'perhaps', `${index}`];
    }),
  ],
  '|',
);

/** The number of each person is stored before all other data, so that no row ever meets two owners. */
export const knownPeople: readonly unknown[] = [
  ...range(PEOPLE, (person) => ({ unique_id: numberOf(person), email: emailOf(person) })).filter(
    ({ unique_id }) => unique_id !== '',
  ),
  { unique_id: 'mum', email: FAMILY },
  { unique_id: 'full', extra_data: extraData(0, 150) },
];

const record = (batch: number, index: number): unknown => {
  const person = (index * 7 + batch * 11) % PEOPLE;
  if (index === 3) return { email: `bad ${batch}` };
  if (index === 9) return { first_name: 'nobody' };
  if (index === 14) return index;
  if (index === 19) return { email: emailOf(person), no_such_field: 1 };
  if (index === 21) return { unique_id: 'dad', email: FAMILY, first_name: `Dad ${batch}` };
  if (index === 25) return { unique_id: 'full', extra_data: extraData(1_000 * batch, 60) };
  const numbered = isNumbered(person) && index % 2 === 0;
  return {
    ...(numbered ? { unique_id: numberOf(person) } : { email: emailOf(person) }),
    first_name: `First ${batch}.${index}`,
    address: { city: cityOf(batch + index) },
    extra_data: { [`x${index % 3}`]: index },
    ...(index % 4 === 0 ? { attribute_source: 'third_party', gender: 'f' } : {}),
    tags: [{ datetime: `2026-01-0${batch} 10:00:00`, tag: [`b${batch}`, `c${index % 2}`] }],
    source: `api,b${batch}`,
  };
};

/** Batches of records, in the order sent. The values of the last batch are skipped unless they are stated. */
export const batches = range(4, (batch) => ({
  skip_appends: batch === 3,
  records: range(30, (index) => record(batch + 1, index)),
}));

/** All people of the scenario, by their lookup identity. */
export const names: readonly string[] = [
  ...range(PEOPLE, (person) => `email=${emailOf(person)}`),
  ...range(PEOPLE, (person) => `unique_id=${numberOf(person)}`).filter((name) => !name.endsWith('=')),
  ...range(15, (index) => `email=q${4 * index}@x.org`),
  ...range(180, (index) => `email=late${index}@x.org`).filter((_, index) => index % 17 === 5),
  ...['mum', 'dad', 'full'].map((number) => `unique_id=${number}`),
  `email=${FAMILY}`,
];
