/** People file: a large CSV file of invented people, whose counts are known, and its import. */
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ImportInput } from '../../client/src/index.ts';
import { count } from '../../cli/terminal.ts';
import type { Report } from './scenario.ts';
import type { MeasuredService } from './service.ts';

/** One row in this many has no e-mail address in its column, and is refused. */
const REFUSED_EVERY = 1_000;

const columns = [
  ['Visitor', 'unique_id'],
  ['E-mail', 'email'],
  ['First name', 'first_name'],
  ['Last name', 'last_name'],
  ['Born', 'birthday'],
  ['Gender', 'gender'],
  ['Street', 'address.street'],
  ['City', 'address.city'],
  ['State', 'address.state'],
  ['Postcode', 'address.postal_code'],
  ['Country', 'address.country'],
  ['Children', 'has_children'],
  ['Interests', 'tags'],
  ['Seen at', 'source'],
  ['Notes', 'extra_data.notes'],
] as const;

/** A column besides those of every file. No value has a comma, a quote or a line break. */
export interface MoreColumn {
  readonly name: string;
  readonly target: string;
  readonly valueOf: (row: number) => string;
}

/** The import definition of the file. */
const definitionOf = (more: readonly MoreColumn[]): ImportInput => ({
  name: 'A large file',
  mapping_fields: {
    required_fields: ['email'],
    field_maps: [...columns, ...more.map(({ name, target }) => [name, target] as const)].map(
      ([name, target_field]) => ({ sources: [{ type: 'source_field', name }], target_field }),
    ),
  },
});

/** The cities of the file. */
export const cities = ['Zürich', 'São Paulo', 'Kraków', 'Austin', 'Lyon', 'Malmö', '名古屋', 'Gent'];
/** Tags of which each person has one. */
export const interests = ['jazz', 'opera', 'chess', 'running', 'sailing', 'cinema'];

/** Tags with a known share of the people: every tenth person, every hundredth, every other, every third. */
export const sharedTags = {
  tenth: (row: number) => row % 10 === 3,
  hundredth: (row: number) => row % 100 === 7,
  half: (row: number) => row % 2 === 1,
  third: (row: number) => row % 3 === 1,
} as const;

/** Whether a row of the file, counted from 1, is refused. */
export const isRefused = (row: number): boolean => row % REFUSED_EVERY === 0;

/** How many of the rows `from` to `to` are refused. */
export const refusedBetween = (from: number, to: number): number =>
  Math.floor(to / REFUSED_EVERY) - Math.floor((from - 1) / REFUSED_EVERY);

/** Steps between the people that are read one after the other: no two are neighbours. */
const STRIDE = 7_919;

/** The row of a person, by a number that spreads over all rows. */
export const rowOf = (index: number, rows: number): number => {
  const row = 1 + ((index * STRIDE) % (rows - 1));
  return isRefused(row) ? row + 1 : row;
};

/** An ordinal, by a number that spreads over all people of so many rows. */
export const ordinalOf = (index: number, rows: number): number => (index * STRIDE) % Math.floor(rows * 0.99);

/** People of the file for whom something holds. */
export const peopleWith = (rows: number, holds: (row: number) => boolean = () => true): number => {
  let people = 0;
  for (let row = 1; row <= rows; row += 1) if (!isRefused(row) && holds(row)) people += 1;
  return people;
};

/** E-mail address of the person of a row. */
export const emailOf = (row: number): string => `visitor.${row}@example.org`;

/** First name of the person of a row. */
export const firstNameOf = (row: number): string => `Name ${row % 977} "${row}"`;

const tagsOf = (row: number): string =>
  [
    interests[interestOf(row)],
    ...Object.entries(sharedTags).flatMap(([name, holds]) => (holds(row) ? [name] : [])),
  ].join(';');

/** Birthday of the person of a row. */
export const bornOf = (row: number): string => `${1950 + (row % 50)}-0${1 + (row % 9)}-1${row % 10}`;

/** The city of a row, by its place in `cities`. */
export const cityOf = (row: number): number => row % cities.length;

/** The interest of a row, by its place in `interests`. */
export const interestOf = (row: number): number => row % interests.length;

/** Last name of the person of a row. */
export const lastNameOf = (row: number): string => `Family${row % 5_003}`;

/** The `row`-th row (from 1). Each row has quotes, and every tenth a line break. */
const lineOf = (row: number, more: readonly MoreColumn[]): string => {
  const email = isRefused(row) ? `visitor ${row}` : emailOf(row);
  const breaks = row % 10 === 0 ? '\r\n' : ' ';
  const notes = `"asked about ""row ${row}"",${breaks}and would like to hear more of it by mail in the coming season"`;
  const name = `"${firstNameOf(row).replaceAll('"', '""')}"`;
  const place = `${row % 300} Long Street,${cities[cityOf(row)] ?? ''},S${row % 40},${10_000 + (row % 80_000)},CH`;
  const rest = `${row % 3 === 0 ? 'Yes' : 'No'},${tagsOf(row)},fair`;
  const others = more.map(({ valueOf }) => `,${valueOf(row)}`).join('');
  return `v-${row},${email},${name},${lastNameOf(row)},${bornOf(row)},${row % 2 === 0 ? 'female' : 'male'},${place},${rest},${notes}${others}\r\n`;
};

const LINES_AT_ONCE = 2_000;
function* linesOf(from: number, to: number, more: readonly MoreColumn[]): Generator<string> {
  const names = [...columns.map(([name]) => name), ...more.map(({ name }) => name)];
  yield `${names.join(',')}\r\n`;
  for (let first = from; first <= to; first += LINES_AT_ONCE) {
    yield Array.from({ length: Math.min(LINES_AT_ONCE, to - first + 1) }, (_, index) =>
      lineOf(first + index, more),
    ).join('');
  }
}

/** Writes the rows `from` to `to`, and returns the size of the file. */
export const writePeople = async (
  path: string,
  from: number,
  to: number,
  more: readonly MoreColumn[] = [],
): Promise<number> => {
  await pipeline(Readable.from(linesOf(from, to, more)), createWriteStream(path));
  return (await stat(path)).size;
};

/** Makes the import definition, and returns its id. */
export const definePeople = async (
  { client }: MeasuredService,
  more: readonly MoreColumn[] = [],
): Promise<number> => (await client.createImport({ body: definitionOf(more) })).id;

/** An import that has ended. */
export interface Imported {
  readonly jobId: number;
  /** Seconds from the end of the upload to the end of the job. */
  readonly seconds: number;
}

/** Imports a file of people, and checks the counts of its job. */
export const importPeople = async (
  { client }: MeasuredService,
  { importId, file, from, to }: { importId: number; file: string; from: number; to: number },
  report: Report,
): Promise<Imported> => {
  const { jobId } = await client.uploadFile({ importId, file });
  const uploaded = performance.now();
  const rows = to - from + 1;
  const { counts } = await client.waitForImport({
    importId,
    jobId,
    onProgress: (job) => report.progress(`${count(job.counts.completed)} of ${count(rows)} rows stored`),
  });
  const seconds = (performance.now() - uploaded) / 1000;
  const refused = refusedBetween(from, to);
  report.check('counts of the import', counts, {
    status: refused > 0 ? 'complete-with-errors' : 'complete',
    unserializable: refused,
    serialized: rows - refused,
    completed: rows - refused,
    processing: 0,
    failed: 0,
    ingested: rows,
  });
  return { jobId, seconds };
};
