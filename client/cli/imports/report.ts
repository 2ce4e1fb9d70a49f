/** What an import tells people: reasons of refusals, results of dry runs, the end of a job. */
import { exitCodes, type ExitCode } from '../failure.ts';
import type { Column } from '../terminal/table.ts';
import { count, counted } from '../terminal/text.ts';

/** A reason why rows were refused or warned. */
export interface Reason {
  readonly field: string | null;
  readonly column: string | null;
  readonly code: string;
  readonly count: number;
  readonly example_line: number | null;
  readonly example_message: string | null;
}

/** The columns of a table of reasons. */
export const reasonColumns: readonly Column<Reason>[] = [
  { heading: 'Column', least: 8, cell: ({ column }) => column ?? '–' },
  { heading: 'Field', least: 8, cell: ({ field }) => field ?? '–' },
  { heading: 'Reason', least: 24, wrap: true, cell: (reason) => wordsOf(reason) },
  { heading: 'Rows', align: 'right', cell: (reason) => count(reason.count) },
  {
    heading: 'For example line',
    align: 'right',
    cell: ({ example_line: line }) => (line === null ? '–' : count(line)),
  },
];

/** The most frequent reasons first. */
export const byFrequency = (reasons: readonly Reason[]): readonly Reason[] =>
  reasons.toSorted((one, other) => other.count - one.count);

/** A reason in words. The place in front of them has columns of its own. */
const wordsOf = ({ column, field, code, example_message: message }: Reason): string => {
  if (message === null || message === '') return code.replaceAll('_', ' ');
  const places = [
    ...(column === null ? [] : [`${column} (${field ?? ''}): `, `${column}: `]),
    `${field ?? ''}: `,
  ];
  const place = places.find((one) => message.startsWith(one)) ?? '';
  return message.slice(place.length);
};

/** The result of a dry run. */
export interface DryRun {
  readonly people: { readonly new: number; readonly changed: number; readonly unchanged: number };
  readonly rows: { readonly stored: number; readonly refused: number; readonly failed: number };
  readonly new_segments: { readonly count: number; readonly segments: readonly NewSegment[] };
}

interface NewSegment {
  readonly name: string;
  readonly type: string;
  readonly members: number;
}

/** Names of one type that are shown: a type has more than its first names only in its number. */
const NAMES_SHOWN = 5;

/** What the segments of a type are. */
const typeWords: Readonly<Record<string, readonly [one: string, many: string]>> = {
  tag: ['tag', 'tags'],
  source: ['source', 'sources'],
  demographic: ['group of age, gender or family', 'groups of age, gender or family'],
  location: ['place', 'places'],
  consent: ['state of consent', 'states of consent'],
  brand: ['brand', 'brands'],
  CATEGORY: ['category', 'categories'],
};

/** New segments by their types: `2 places ("Köln, Deutschland" 133, "Deutschland" 130)`. */
const newSegmentLines = ({ count: all, segments }: DryRun['new_segments']): readonly string[] => {
  if (all === 0) return [];
  const parts = [...Map.groupBy(segments, ({ type }) => type)].map(([type, ofType]) => {
    const [one, many] = typeWords[type] ?? [type, type];
    const sorted = ofType.toSorted((a, b) => b.members - a.members);
    const names = sorted.slice(0, NAMES_SHOWN).map(({ name, members }) => `"${name}" ${count(members)}`);
    return `${counted(ofType.length, one, many)} (${names.join(', ')}${ofType.length > NAMES_SHOWN ? ', …' : ''})`;
  });
  const others = all - segments.length;
  return [
    `${counted(all, 'new segment')}: ${[...parts, ...(others > 0 ? [`${count(others)} more`] : [])].join(', ')}.`,
  ];
};

/** The sentences about a dry run. */
export const dryRunLines = ({ people, rows, new_segments }: DryRun): readonly string[] => [
  `${counted(rows.stored, 'row')} would be stored, ${count(rows.refused + rows.failed)} refused: ` +
    `${counted(people.new, 'new person', 'new people')}, ${count(people.changed)} changed, ${count(people.unchanged)} unchanged.`,
  ...newSegmentLines(new_segments),
];

/** The counts of a job. */
export interface JobCounts {
  readonly ingested: number;
  readonly processing: number;
  readonly completed: number;
  readonly unserializable: number;
  readonly failed: number;
}

/** The number of rows of a job that are not stored. */
export const refusedOf = ({ unserializable, failed }: JobCounts): number => unserializable + failed;

/** The exit code of a command that waited for the end of a job: refused rows need a correction, so they are a failure. */
export const exitCodeOf = ({
  counts,
  failure,
}: {
  readonly counts: JobCounts;
  readonly failure: unknown;
}): ExitCode => (failure === null && refusedOf(counts) === 0 ? exitCodes.ok : exitCodes.failed);

/** What the warnings of stored rows mean. */
const warningTexts: Readonly<Record<string, string>> = {
  dropped_cell: 'the row was stored without this cell',
  identity_conflict: 'the identity is of another person, and was not stored',
  segment_limit: 'the values are stored, but the property has no room for their segments',
  forgotten: 'the person was forgotten meanwhile; nothing was stored',
};

/** What the reasons of warnings mean, each once. */
export const warningLines = (reasons: readonly Reason[]): readonly string[] =>
  [...new Set(reasons.map(({ code }) => code))].flatMap((code) => {
    const words = warningTexts[code];
    return words === undefined ? [] : [`${code.replaceAll('_', ' ')}: ${words}.`];
  });

const phaseTexts: Readonly<Record<string, string>> = {
  waiting_for_file: 'waiting for the file',
  waiting_for_batches: 'waiting for batches',
  inspecting: 'looking at the file',
  reading: 'reading the file',
  importing: '',
  settling: 'bringing people into their segments',
};

/**
 * The progress of a job. While the service reads the file, the number of its rows is not known; `expected` is the number
 * that an earlier run found.
 */
export const jobProgress = (
  { counts, phase }: { readonly counts: JobCounts; readonly phase: string },
  expected: number,
  elapsedMs: number,
): { readonly share: number; readonly text: string } => {
  const done = counts.ingested - counts.processing;
  const all = Math.max(expected, counts.ingested);
  const rate = elapsedMs > 1_000 && done > 0 ? `${count(Math.round((done * 1_000) / elapsedMs))} rows/s` : '';
  const words = phaseTexts[phase] ?? phase.replaceAll('_', ' ');
  const parts = [all === 0 ? '' : `${count(done)} of ${counted(all, 'row')}`, words === '' ? rate : words];
  return { share: all === 0 ? 0 : done / all, text: parts.filter((part) => part !== '').join('  ') };
};

/** The end of a job in one sentence. `before` is the number of rows that an earlier run stored. */
export const endText = ({ counts }: { readonly counts: JobCounts }, before = 0): string => {
  const refused = refusedOf(counts);
  return `${counted(counts.completed - before, 'row')} stored${refused === 0 ? '' : `, ${count(refused)} refused`}`;
};
