/** Contradictions: rows in which one column gives a consent and another withdraws it. */
import { parseTarget } from '../../mapping/field-targets.ts';
import { type Doubt, doubtAbout } from '../doubt.ts';
import { meaningIn } from './consent-words.ts';
import { type FileColumn, quotedName } from './file-column.ts';
import { optOutTimeChannel, namesOptOut } from './opt-outs.ts';
import type { Place } from './place-columns.ts';
import { isOptedOut, isOptOutTime } from './suggest-opt-outs.ts';

type Row = readonly string[];

/** Says whether a cell gives a consent or withdraws it. */
type Reader = (cell: string) => 'given' | 'withdrawn' | 'nothing' | undefined;

interface Speaker {
  readonly column: FileColumn;
  readonly reads: Reader;
}

/** The doubts about columns that withdraw a consent in rows in which another column gives it. */
export const doubtsOfContradictions = (
  columns: readonly FileColumn[],
  places: readonly Place[],
  rows: readonly Row[],
): readonly Doubt[] => {
  const speakers = columns.flatMap((column) => {
    const target = parseTarget(places[column.index]?.target ?? '');
    return target?.kind === 'consent' ? [{ channel: target.name, column, reads: readerOf(column) }] : [];
  });
  return [...Map.groupBy(speakers, ({ channel }) => channel)].flatMap(([channel, all]) => {
    const giver = all.find(({ column }) => !namesOptOut(column.name) && !places[column.index]?.withdrawsOnly);
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
  if (seen.length === 0) return [];
  return [
    doubtAbout(
      other.column.name,
      seen.map((row) => at(other, row)),
      {
        saw: `Rows in which the column ${quotedName(giver.column.name)} gives consent.${channel} and this column withdraws it.`,
        does: 'The withdrawal wins: stores withdrawn for these rows.',
      },
    ),
  ];
};

const readerOf = ({ name, values }: FileColumn): Reader => {
  if (optOutTimeChannel(name) !== undefined) return (cell) => (isOptOutTime(cell) ? 'withdrawn' : 'nothing');
  if (namesOptOut(name)) return (cell) => (isOptedOut(cell) ? 'withdrawn' : 'nothing');
  return meaningIn([...new Set(values)]);
};
