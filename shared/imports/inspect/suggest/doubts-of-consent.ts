/**
 * Doubts of consent: columns whose names mean consent and of which no consent is stored, and rows in which one column gives a
 * consent and another withdraws it.
 */
import { parseTarget } from '../../mapping/field-targets.ts';
import { type Doubt, doubtsAbout } from '../doubt.ts';
import { nameKey } from './column-names.ts';
import { meaningOfName } from './consent-names.ts';
import { isOptInTime, MOST_WORDS, meaningIn } from './words.ts';
import { type FileColumn, quotedName } from './file-column.ts';
import { channelIn, hasConsentWord, isAboutConsent, isAboutMails, optOutOf } from './opt-outs.ts';
import { saysSomething, isOptedOut, isOptOutTime } from './suggest-consent.ts';
import type { PlacedColumn } from './place-columns.ts';

const does = 'It is no statement of consent, and no consent is stored from it.';
const unknownCells = 'A column whose name means consent, with cells that are no known words for yes or no.';

/** The doubts about columns whose names mean consent, or its time, and that fill no such field. */
export const doubtsOfConsent = (columns: readonly PlacedColumn[]): readonly Doubt[] =>
  columns.flatMap((column) => {
    const { name, values, named, target } = column;
    const { kind } = parseTarget(named?.target ?? '') ?? {};
    const placed = parseTarget(target ?? '')?.kind;
    if (placed === kind && !isOptInTime(name)) return [];
    if (kind === 'consent') return doubtsOfCells(column, placed === 'extra');
    const saw = 'Times of consent, without a column that says whether it was given.';
    if (kind === 'consentTime' || isOptInTime(name)) return doubtsAbout(name, values, { saw, does });
    return placed === 'extra' && kind === undefined ? doubtsOfName(column) : [];
  });

/** The doubt about a column of consent that a definition cannot have. */
export const doubtsOfLeftOut = (name: string, values: readonly string[], target: string): readonly Doubt[] =>
  parseTarget(target)?.kind === 'consent'
    ? doubtsAbout(name, values, {
        saw: 'A column of consent that the suggested definition leaves out.',
        does,
      })
    : [];

/** The doubt about the cells that are no known words, or about all cells of a column that is kept for another reason. */
const doubtsOfCells = ({ name, values }: FileColumn, isKept: boolean): readonly Doubt[] => {
  const unknown = values.filter((value) => !saysSomething(value));
  return unknown.length > 0
    ? doubtsAbout(name, unknown, { saw: unknownCells, does })
    : doubtsAbout(name, isKept ? values : [], {
        saw: 'A column whose name may mean consent, and that fills no field.',
        does,
      });
};

/** The doubts about a column whose name has words for consent beside others. */
const doubtsOfName = (column: FileColumn): readonly Doubt[] => {
  const { name, values } = column;
  if (!isAboutConsent(name) || isAboutMails(name)) return [];
  if (new Set(values).size > MOST_WORDS || !values.some(mayState)) return [];
  const meaning = meaningOfName(name);
  if (meaning.kind !== 'unknown') return doubtsOfCells(column, true);
  const words = meaning.words.map((word) => `“${word}”`).join(', ');
  return doubtsAbout(name, values, {
    saw: `The name of the column may mean consent or its opposite, because of ${words}.`,
    does: `No consent is stored from it, and none is withdrawn. If yes means consent, map it to consent.${channelIn(name) ?? 'email'}.`,
  });
};

/** Whether a cell may be a statement: one of its words says yes or no, or is about consent. */
const mayState = (value: string): boolean =>
  saysSomething(value) || hasConsentWord(value) || nameKey(value).split(' ').some(saysSomething);

type Row = readonly string[];

/** Says whether a cell gives a consent or withdraws it. */
type Reader = (cell: string) => 'given' | 'withdrawn' | 'nothing' | undefined;

interface Speaker {
  readonly column: PlacedColumn;
  readonly reads: Reader;
}

/** The doubts about columns that withdraw a consent in rows in which another column gives it. */
export const doubtsOfContradictions = (
  columns: readonly PlacedColumn[],
  rows: readonly Row[],
): readonly Doubt[] => {
  const speakers = columns.flatMap((column) => {
    const target = parseTarget(column.target ?? '');
    return target?.kind === 'consent' ? [{ channel: target.name, column, reads: readerOf(column) }] : [];
  });
  return [...Map.groupBy(speakers, ({ channel }) => channel)].flatMap(([channel, all]) => {
    const giver = all.find(({ column }) => !optOutOf(column.name) && !column.withdrawsOnly);
    return giver ? all.flatMap((other) => doubtsBetween(giver, other, { channel, rows })) : [];
  });
};

const doubtsBetween = (
  giver: Speaker,
  other: Speaker,
  { channel, rows }: { readonly channel: string; readonly rows: readonly Row[] },
): readonly Doubt[] => {
  const at = ({ column }: Speaker, row: Row): string => row[column.index] ?? '';
  const seen = rows.filter(
    (row) => giver.reads(at(giver, row)) === 'given' && other.reads(at(other, row)) === 'withdrawn',
  );
  const saw = `Rows in which the column ${quotedName(giver.column.name)} gives consent.${channel} and this column withdraws it.`;
  const wins = 'The withdrawal wins: stores withdrawn for these rows.';
  return doubtsAbout(
    other.column.name,
    seen.map((row) => at(other, row)),
    { saw, does: wins },
  );
};

const readerOf = ({ name, values }: FileColumn): Reader => {
  const optOut = optOutOf(name);
  if (!optOut) return meaningIn([...new Set(values)]);
  const isOut = optOut.isTime ? isOptOutTime : isOptedOut;
  return (cell) => (isOut(cell) ? 'withdrawn' : 'nothing');
};
