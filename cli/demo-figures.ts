/** Demo figures: compares the numbers that the service answers about a sample with those that were planted. */
import { styleText } from 'node:util';
import type { Sample } from './sample.ts';
import { count } from './terminal.ts';

/** The numbers that the service answered about the sample. */
interface Seen {
  readonly ingested: number;
  readonly completed: number;
  readonly unserializable: number;
  readonly members: number;
  readonly exported: number;
}

/** A figure: its name, the number that the service answered, and the number that was planted. */
export type Figure = readonly [name: string, seen: number, planted: number];

/** The figures of a run. */
export const figuresOf = ({ planted }: Sample, seen: Seen): readonly Figure[] => [
  ['rows ingested', seen.ingested, planted.rows],
  ['rows completed', seen.completed, planted.rows - planted.refused],
  ['rows refused', seen.unserializable, planted.refused],
  [`segment "${planted.tag}"`, seen.members, planted.tagged],
  ['exported rows', seen.exported, planted.tagged],
];

/** Whether the service answered the number that was planted. */
export const isAsPlanted = ([, seen, planted]: Figure): boolean => seen === planted;

/** A figure as a row of a table. */
export const figureRow = (figure: Figure): readonly [name: string, value: string] => {
  const [name, seen, planted] = figure;
  const verdict = isAsPlanted(figure)
    ? styleText('green', '  as planted')
    : styleText('red', `  but ${count(planted)} were planted`);
  return [name, `${count(seen)}${verdict}`];
};
