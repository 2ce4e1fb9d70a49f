/** Progress bars. */
import type { Paint } from './paint.ts';
import { duration, widthOf } from './text.ts';

/** What a bar shows. */
export interface Progress {
  /** The share that is done, 0 to 1. */
  readonly share: number;
  /** What is done, for example `3,797 of 5,100 rows`. */
  readonly text: string;
}

/** Cells of a bar in a wide terminal. */
const CELLS = 24;
const LEAST_CELLS = 6;

/** Before this time, an estimate of the remaining time would be a guess. */
const FIRST_ESTIMATE_MS = 1_000;

/** One line: the title, a bar, the share, the text, and the remaining time once it can be estimated. */
export const barLine = (
  title: string,
  { share, text }: Progress,
  elapsedMs: number,
  { width, paint }: { readonly width: number; readonly paint: Paint },
): string => {
  const done = Math.min(1, Math.max(0, share));
  const left =
    done > 0 && done < 1 && elapsedMs >= FIRST_ESTIMATE_MS
      ? `  ${duration((elapsedMs * (1 - done)) / done)} left`
      : '';
  const figures = `${String(Math.floor(done * 100)).padStart(3)} %  ${text}`;
  // A line as wide as the terminal would wrap, and then its redrawing would leave a copy behind.
  const room = width - 1 - widthOf(title) - widthOf(figures) - 4;
  const cells = Math.max(LEAST_CELLS, Math.min(CELLS, room - widthOf(left)));
  const filled = Math.floor(done * cells);
  const bar = paint('cyan', '█'.repeat(filled)) + paint('dim', '░'.repeat(cells - filled));
  const line = `${title}  ${bar}  ${figures}`;
  return widthOf(line) + widthOf(left) < width ? line + left : line;
};
