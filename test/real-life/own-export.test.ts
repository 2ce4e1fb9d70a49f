import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LINE_END, printLine } from '../../shared/csv/print-line.ts';
import { extraColumns, headerOf, layoutOf, styleOf } from '../../shared/exports/file/layout.ts';
import { cellReader } from '../../shared/exports/model/fields.ts';
import type { ExportDefinition } from '../../shared/exports/model/items.ts';
import { exportedFields } from '../../shared/profiles/fields.ts';
import { type ResolvedProfile } from '../../shared/profiles/types.ts';
import { profile } from '../exports/profile.ts';
import { exportDefinition } from '../support/export-definition.ts';
import { casesOf } from '../support/scale.ts';
import { tryFile } from './try-file.ts';

const PROPERTY = 1001;
const datetime = '2026-01-02 03:04:05';
const uuidOf = (ordinal: number): string => `00000000-0000-4000-8000-${String(ordinal).padStart(12, '0')}`;

/** The cells of a profile, by the names of their columns. */
const cellsOf = (person: ResolvedProfile, names: readonly string[]): readonly string[] =>
  names.map((name) => cellReader(name)(person, { seal: uuidOf, at: 0 }));

/** The file of an export. */
const exported = (people: readonly ResolvedProfile[], changes: Partial<ExportDefinition>): string => {
  const definition = exportDefinition(PROPERTY, changes);
  const layout = layoutOf(definition);
  const style = styleOf(definition);
  if (!style) throw new Error('the format has no cells');
  const keys = layout.extras ? people.flatMap(({ extra }) => Object.keys(extra)) : [];
  const columns = extraColumns(keys, layout.header.length);
  const header = headerOf(layout, columns);
  const names = [...layout.fields, ...header.slice(layout.fields.length)];
  return [header, ...people.map((one) => cellsOf(one, names))]
    .map((cells) => printLine(style, cells) + LINE_END)
    .join('');
};

const custom = (names: readonly string[]): Partial<ExportDefinition> => ({
  field_set: 'custom',
  custom_result_format: names.map((name) => ({ umbel_field_name: name, destination_field_name: name })),
});

/** Texts that a reader of other people's files would change. */
const texts = [
  ...['=1+1', "'=1+1", "''=1", "'04101", "'t Hooft", '="00501"', "='a'", '+49 30 901820', "'+44 20", '@home'],
  ...['-5', '- x', '＝x', '\tx', 'a;b,c|d', 'say "no"', 'two\r\nlines', ' padded ', '1.234,50 €', '01.02.80'],
  ...['["a","b"]', 'NULL', '1.23457E+12', '00501', 'ja', '1980-06-01T22:00:00.000Z', 'x ::: y'],
];

const free = exportedFields.filter(
  (name) =>
    ![
      'profile_uuid',
      'unique_id',
      'email',
      'social_id',
      'age',
      'birthday',
      'has_children',
      'source',
      'tags',
    ].includes(name) && !['social_likes', 'country'].includes(name),
);

/** People whose free fields have the texts in turn. */
const people = texts.map((text, index) =>
  profile(index, {
    fields: {
      ...Object.fromEntries(
        free.map((name, position) => [name, texts[(index + position) % texts.length] ?? text]),
      ),
      unique_id: `'0${index}`,
      email: `+p${index}@example.org`,
      social_id: `=s${index}`,
      birthday: '1970-01-01',
      has_children: index % 2 === 0 ? 'Yes' : 'No',
    },
    country: text,
    age: 30,
    sources: ['box office', '=shop'],
    tags: ["'90s", '"Opera" club', '[VIP]', '=1'].map((tag) => ({ tag, datetime })),
    likes: ['=page', '12'],
    extra: { note: text, 'a.b': texts[(index + 3) % texts.length] ?? '', '=key': "'04101" },
    consent: [{ channel: 'email', state: 'withdrawn', datetime, source: null }],
  }),
);

const formats = ['csv', 'txt'] as const;
const forms = formats.flatMap((data_format) =>
  [true, false].map((formula_guard) => ({ data_format, formula_guard })),
);

/** Compares what was exported with what is stored after the import, by the cells of both. */
const expectSame = (
  before: readonly ResolvedProfile[],
  after: readonly ResolvedProfile[],
  names: readonly string[],
): void => {
  const compared = names.filter((name) => name !== 'profile_uuid');
  const sorted = (person: ResolvedProfile) => ({
    ...person,
    tags: person.tags.toSorted((a, b) => (a.tag < b.tag ? -1 : 1)),
    likes: person.likes.toSorted(),
    sources: person.sources.toSorted(),
  });
  const rows = (all: readonly ResolvedProfile[]) => all.map((one) => cellsOf(sorted(one), compared));
  expect(rows(after)).toEqual(rows(before));
};

describe('a file that this service exported', () => {
  it.each(forms)(
    'is imported as it was, with every field: $data_format, guard $formula_guard',
    async (form) => {
      const { stored, errors, warnings } = await tryFile(exported(people, form), {
        change: { max_new_segments: null },
      });
      expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
      const extras = ['note', 'a.b', '=key'].map((key) => `extra_data.${key}`);
      expectSame(people, stored, [...exportedFields, ...extras]);
      expect(stored.every(({ extra }) => Object.keys(extra).length === 3)).toBe(true);
    },
  );

  it.each(forms)('with columns of choice: $data_format, guard $formula_guard', async (form) => {
    const names = ['email', 'last_name', 'extra_data.note', 'consent.email', 'tags', 'zipcode'];
    const { stored, errors, warnings } = await tryFile(exported(people, { ...form, ...custom(names) }));
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expectSame(people, stored, names);
  });

  it.each(forms)('of addresses only: $data_format, guard $formula_guard', async (form) => {
    const { stored, errors } = await tryFile(exported(people, { ...form, field_set: 'email' }));
    expect(errors).toEqual([]);
    expectSame(people, stored, ['email']);
  });

  it('of changes: what it says of changes is no field, and is said', async () => {
    const names = ['profile_uuid', 'email', 'first_name'];
    const [one, other] = people;
    if (!one || !other) throw new Error('no people');
    const file = [
      ['change', ...names],
      ['added', ...cellsOf(one, names)],
      ['removed', ...cellsOf(other, names.slice(0, 2)), ''],
    ].map((cells) => printLine({ delimiter: ',', formulaGuard: true }, cells) + LINE_END);
    const { stored, doubts } = await tryFile(file.join(''));
    expectSame([one], stored.slice(0, 1), names);
    expect(stored.every(({ extra }) => Object.keys(extra).length === 0)).toBe(true);
    expect(doubts.map(({ column }) => column)).toContain('change');
  });

  it('with current ages: they are no field, and the stated ages stay', async () => {
    const names = ['profile_uuid', 'email', 'age', 'current_age'];
    const person = profile(1, { fields: { email: 'ada@example.org', birthday: '1980-06-02' }, age: 30 });
    const { stored, errors, inspected } = await tryFile(exported([person], custom(names)));
    expect(errors).toEqual([]);
    expect(stored.map(({ age, extra }) => [age, extra])).toEqual([[30, {}]]);
    expect(inspected.suggestion.columns.at(3)).toMatchObject({ column: 'current_age', kind: 'left_out' });
  });

  it('whatever its texts are', async () => {
    const part = fc.constantFrom(
      "'",
      '"',
      '=',
      '+',
      '-',
      '@',
      '＝',
      '1',
      '0',
      ',',
      ';',
      '|',
      ' ',
      'é',
      '€',
      '.',
      '\n',
      'a',
    );
    const text = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(''));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...forms),
        async (pairs, form) => {
          const all = pairs.map(([city, note], index) =>
            profile(index, { fields: { email: `p${index}@example.org`, city }, extra: { note } }),
          );
          // Without the guard and without a cell that proves it, the marks of a file may be those of a guard.
          const isGuarded = form.formula_guard || !pairs.flat().some((cell) => cell.startsWith("'"));
          fc.pre(isGuarded && !pairs.flat().some((cell) => cell.trim() === ''));
          const { stored } = await tryFile(exported(all, form));
          expectSame(all, stored, ['email', 'city', 'extra_data.note']);
        },
      ),
      { numRuns: casesOf('OWN_EXPORT_RUNS', { full: 300, sample: 40 }) },
    );
  });
});

describe('a file that only looks like an export', () => {
  it('is read as the file of others', async () => {
    const { inspected } = await tryFile(
      'email,phone_number\na@example.org,030 901820\nb@example.org,030 901821\n',
    );
    const maps = inspected.suggestion.definition?.mapping_fields.field_maps;
    expect(maps?.[1]?.transformations).toEqual([{ name: 'phone' }]);
  });
});

describe('an export with the times of statements alone', () => {
  it('says nothing of consent, and its definition is taken', async () => {
    const { inspected, stored } = await tryFile(
      'email,consent.email.datetime\na@example.org,2024-01-01 00:00:00\n',
    );
    expect(inspected.suggestion.columns).toMatchObject([
      { column: 'email', target_field: 'email' },
      { column: 'consent.email.datetime', kind: 'left_out', target_field: null },
    ]);
    expect(stored.map(({ consent }) => consent)).toEqual([[]]);
  });
});
