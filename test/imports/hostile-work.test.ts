import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { bytesInAnswer } from '../../shared/http/fitting.ts';
import { check } from '../../shared/http/schema-faults.ts';
import type { FieldMap } from '../../shared/imports/mapping/field-map.ts';
import type { Transformation } from '../../shared/imports/mapping/transformation-schema.ts';
import { inspectImport } from '../../shared/imports/inspect/inspect-import.ts';
import { inspectAnswer, inspectBody } from '../../shared/imports/inspect/inspect-schemas.ts';
import { importHarness, request } from './import-harness.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';

const { inspectedBytes } = limits.imports;

/** What a definition may make of the largest cell below. */
const LARGEST_RECORD = 150_000;

/** A file of one column beside addresses, of this cell again and again, as long as an inspection looks at. */
const column = (name: string, cell: string): string => {
  const row = (index: number): string => `p${index}@example.org;"${cell.replaceAll('"', '""')}"\n`;
  const rows = Math.max(1, Math.floor(inspectedBytes / Buffer.byteLength(row(1_000))));
  return `Email;${name}\n${Array.from({ length: rows }, (_, index) => row(index)).join('')}`;
};

const again = (text: string, characters: number): string => text.repeat(Math.ceil(characters / text.length));
const times = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Files that nobody would send to learn what is in them. */
const files: readonly (readonly [what: string, file: string])[] = [
  ['telephone numbers of 20 groups', column('Telefon', again('0301 ', 100))],
  ['telephone numbers of 13 short groups', column('Telefon', again('09 ', 39))],
  ['telephone numbers of 13 short groups in an unnamed column', column('x', again('09 ', 39))],
  ['telephone numbers between slashes', column('Phone', again('030/901840/', 200))],
  ['telephone numbers between words', column('Phone', again('030901840 or ', 200))],
  ['a telephone number of 90,000 signs', column('Phone', again('(030) -', 90_000))],
  ['dates that fit every order', column('birthday', '01.02.03')],
  ['one date of 90,000 digits', column('birthday', again('01.', 90_000))],
  ['months in no language', column('birthday', again('1 xyz ', 200))],
  ['mailboxes in mailboxes', column('Contact', again('a <b@c.de> ', 500))],
  ['brackets that nobody closes', column('E-Mail', again('<', 90_000))],
  ['quotes in quotes', column('Name', again('"\'', 5_000))],
  ['references to references', column('City', again('&amp;amp;', 900))],
  ['references that never end', column('City', again('&#x', 90_000))],
  ['a list of lists', column('tags', again('["a","b"],', 900))],
  ['brackets of lists', column('tags', again('[{(', 90_000))],
  ['every separator', column('tags', again('a;b|c,d/e:::f&', 900))],
  ['formulas in formulas', column('zip', again('=("', 900))],
  ['numbers with every mark', column('income', again('1.234,5 € ', 200))],
  ['white space of every kind', column('Name', again(' \u00a0\u2003\u3000\t', 90_000))],
  ['characters that nobody sees', column('Name', again('\u200b', 30_000))],
  ['accents on accents', column('Name', `e${again('\u0301', 40_000)}`)],
  ['families of emoji', column('Name', again('👩\u200d', 10_000))],
  ['countries of many words', column('Land', again('Vereinigte Staaten von ', 900))],
  ['consents of many words', column('Newsletter', again('ja nein ', 900))],
  [
    'a header of 2,000 telephones',
    `${times(2_000, (index) => `Phone ${index}`).join(';')}\n${again('030 90;', 14_000)}`,
  ],
  ['a header of 2,000 equal names', `${again('Email;', 12_000)}\n${again('a@b.de;', 14_000)}`],
  ['a header of one name of 99,000 characters', `${again('Vorname ', 99_000)}\na\n`],
  ['a header of delimiters', `${again(';', 1_999)}\n${again(',|;\t', 90_000)}\n`],
  ['rows of one cell', `Email;Name\n${again('a\n', 90_000)}`],
];

const x = { type: 'source_field', name: 'x' } as const;
const replace = (from: string, to: string): Transformation => ({ name: 'replace', from, to });
const map = (target_field: string, transformations: Transformation[]): FieldMap => ({
  sources: [x],
  transformations,
  target_field,
});
const extra = (count: number, transformations: Transformation[]): FieldMap[] =>
  times(count, (index) => map(`extra_data.k${index}`, transformations));
const grow = times(3, () => replace('a', again('a', 10)));

/** Definitions that multiply a cell, and the cell. */
const definitions: readonly (readonly [what: string, maps: FieldMap[], cell: string])[] = [
  [
    'words of a map that hold each other',
    extra(50, [{ name: 'map', values: { a: again('b', 1_000) } }, replace('b', again('c', 10))]),
    'a',
  ],
  ['separators that are letters', [map('tags', [...grow, { name: 'list', separator: 'a' }])], 'a'],
  [
    'a list that is read ten times',
    [
      map(
        'tags',
        times(10, () => ({ name: 'list', separator: ',' })),
      ),
    ],
    again('"a",', 4_000),
  ],
  [
    'references that become references',
    extra(80, [
      ...times(4, () => replace('&', '&amp;')),
      ...times(6, () => ({ name: 'unescape_html' }) as const),
    ]),
    again('&', 200),
  ],
  [
    'marks around marks',
    extra(
      80,
      times(10, () => ({ name: 'unguard', marks: 'all' }) as const),
    ),
    again("'", 900),
  ],
  [
    'telephone numbers of grown groups',
    extra(80, [replace('a', again('09 ', 39)), { name: 'phone', country: 'DE' }]),
    'a',
  ],
  [
    'telephone numbers of a country that grows',
    [map('country', grow), ...extra(80, [replace('a', '030 901840'), { name: 'phone' }])],
    'a',
  ],
  [
    'dates of a time zone',
    extra(
      199,
      times(10, () => ({ name: 'date', timezone: 'America/Argentina/Buenos_Aires' }) as const),
    ),
    '1980-06-01T22:00:00Z',
  ],
  [
    'letters that become longer',
    extra(199, [...grow, replace('a', 'ß'), ...times(6, () => ({ name: 'upper' }) as const)]),
    'a',
  ],
  ['mailboxes that grow', extra(80, [...grow, replace('a', '<a@b>'), { name: 'mailbox' }]), 'a'],
];

const inspect = async (body: object) => {
  const checked = check(inspectBody, body);
  if (!checked.ok) return { status: 422, rows: [], bytes: 0 };
  const answer = await inspectImport(importHarness().deps, request({}, {}, checked.value));
  if (!answer.ok) return { status: answer.error.status, rows: [], bytes: 0 };
  const { rows } = v.parse(inspectAnswer, answer.value.body);
  return { status: answer.value.status, rows, bytes: bytesInAnswer(answer.value.body) };
};

const contentOf = (file: string): string => Buffer.from(file).subarray(0, inspectedBytes).toString('base64');

describe('an inspection', () => {
  it.each(files)('answers within its bytes about a file of %s', async (_, file) => {
    const { status, bytes } = await inspect({ content: contentOf(file) });
    expect(status).toBe(200);
    expect(bytes).toBeLessThanOrEqual(limits.http.pageBytes);
  });

  it.each(definitions)('answers within its bytes by a definition of %s', async (_, maps, cell) => {
    const file = `e,x\n${times(20, (index) => `p${index}@example.org,"${cell.replaceAll('"', '""')}"\n`).join('')}`;
    const email = fieldMap('email', 'e');
    const definition = definitionOf([email, ...maps], { name: 'x' });
    const { status, rows, bytes } = await inspect({ content: contentOf(file), definition });
    expect(status).toBe(200);
    expect(bytes).toBeLessThanOrEqual(limits.http.pageBytes);
    for (const { record } of rows) expect(JSON.stringify(record).length).toBeLessThan(LARGEST_RECORD);
  });
});
