/** Terminal output for waiting users: steps with times, progress bars, tables. Plain lines without a terminal. */
import { styleText } from 'node:util';

const live = process.stdout.isTTY;
const WIDTH = 28;

/** A bar of `WIDTH` cells for a share of 0–1. */
const bar = (share: number): string => {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * WIDTH);
  return `${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)}`;
};

/** Formats milliseconds. */
export const duration = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;

/** Whole numbers with thin groups: 10,000. */
export const count = (value: number): string => value.toLocaleString('en-US');

/** One step of a longer run. Its line changes during the step and ends with a mark and the time. */
export interface Step {
  /** Shows progress: a share of 0–1 and a short text. */
  progress(share: number, text: string): void;
}

/** Runs one step. A terminal redraws its line; other outputs get only the final line. */
export const step = async <T>(
  title: string,
  work: (step: Step) => Promise<T>,
  tell: (value: T) => string,
): Promise<T> => {
  const started = performance.now();
  const draw = (text: string): void => {
    if (live) process.stdout.write(`\r\x1b[2K${text}`);
  };
  draw(`${styleText('cyan', '…')} ${title}`);
  try {
    const value = await work({
      progress: (share, text) =>
        draw(`${styleText('cyan', '…')} ${title}  ${bar(share)} ${Math.floor(share * 100)} %  ${text}`),
    });
    const time = styleText('dim', duration(performance.now() - started).padStart(8));
    draw('');
    console.log(`${styleText('green', '✓')} ${title.padEnd(34)} ${time}  ${tell(value)}`);
    return value;
  } catch (error) {
    draw('');
    console.log(`${styleText('red', '✗')} ${title}`);
    throw error;
  }
};

/** Prints rows of a name and a value, aligned. */
export const table = (rows: readonly (readonly [name: string, value: string])[]): void => {
  const width = Math.max(...rows.map(([name]) => name.length));
  for (const [name, value] of rows) console.log(`  ${styleText('dim', name.padEnd(width))}  ${value}`);
};
