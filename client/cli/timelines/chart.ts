/** A chart of the members of a segment over time, in characters. */
import type { Paint } from '../terminal/paint.ts';
import { count, widthOf } from '../terminal/text.ts';

/** A moment of a chart. */
export interface ChartMoment {
  readonly created_date: string;
  readonly count: number;
  /** People who joined and left since the moment before; null for the first moment. */
  readonly added: number | null;
  readonly removed: number | null;
}

const LEAST_CELLS = 4;
const MOST_CELLS = 48;

/** Eighths of a cell, so that small differences are visible. */
const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

/** One line for each moment: its time, a bar, the members, and the people who joined and left. */
export const chartLines = (
  moments: readonly ChartMoment[],
  width: number,
  paint: Paint,
): readonly string[] => {
  const largest = Math.max(1, ...moments.map((moment) => moment.count));
  const figures = moments.map(({ count: members, added, removed }) => [
    count(members),
    added === null ? '' : `+${count(added)}`,
    removed === null ? '' : `−${count(removed)}`,
  ]);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...figures.map((row) => widthOf(row[column] ?? ''))));
  const room = width - 16 - widths.reduce((sum, one) => sum + one + 1, 0) - 4;
  const cells = Math.max(LEAST_CELLS, Math.min(MOST_CELLS, room));
  return moments.map(({ created_date, count: members }, index) => {
    const units = Math.round((members / largest) * cells * 8);
    const bar = '█'.repeat(Math.floor(units / 8)) + (eighths[units % 8] ?? '');
    const numbers = (figures[index] ?? [])
      .map((text, column) => text.padStart(widths[column] ?? 0))
      .join(' ');
    const time = `${created_date.slice(0, 10)} ${created_date.slice(11, 16)}`;
    return `${paint('dim', time)}  ${paint('cyan', bar)}${' '.repeat(cells - widthOf(bar))}  ${numbers}`.trimEnd();
  });
};
