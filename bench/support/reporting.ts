/** Reporting: collects the figures of a run, shows its progress, and prints its table. */
import { isDeepStrictEqual, styleText } from 'node:util';
import { figureOf } from './format.ts';
import type { Spread } from './measure.ts';
import { type Chart, type Figure, type FigureKind, figureKinds, type Report } from './scenario.ts';

/** A report, and the figures that it has collected. */
export interface Collected extends Report {
  readonly figures: Figure[];
  chartOf(): Chart | undefined;
}

const live = process.stdout.isTTY;

/** Starts a report whose progress line begins with the scenario's name. */
export const startReport = (name: string): Collected => {
  const figures: Figure[] = [];
  let picture: Chart | undefined;
  const add = (kind: FigureKind, figureName: string, value: number | Spread, unit: string): void => {
    const spread = typeof value === 'number' ? undefined : value;
    const middle = typeof value === 'number' ? value : value.median;
    if (!Number.isFinite(middle)) throw new Error(`${name}: ${figureName} is not a number`);
    const range = spread && spread.least < spread.most ? { least: spread.least, most: spread.most } : {};
    figures.push({ kind, name: figureName, value: middle, unit, ...range });
  };
  return {
    figures,
    chartOf: () => picture,
    progress: (text) => showProgress(`${name}: ${text}`),
    ratio: (figureName, value, unit = '× the floor') => add('ratio', figureName, value, unit),
    count: (figureName, value, unit) => add('count', figureName, value, unit),
    cpu: (figureName, value, unit) => add('cpu', figureName, value, unit),
    time: (figureName, value, unit) => add('time', figureName, value, unit),
    check: (what, found, wanted) => {
      if (!isDeepStrictEqual(found, wanted))
        throw new Error(`${name}: ${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`);
    },
    chart: (chart) => void (picture = chart),
  };
};

/** Redraws the progress line; without a terminal each step is a line. */
const showProgress = (text: string): void => {
  if (live) process.stdout.write(`\r\x1b[2K${styleText('cyan', '…')} ${text}`);
  else console.log(`… ${text}`);
};

/** Removes the progress line. */
export const clearProgress = (): void => {
  if (live) process.stdout.write('\r\x1b[2K');
};

const HEADS = { ratio: 'ratios', count: 'counts', cpu: 'processor time', time: 'on this machine' } as const;

/** Prints the figures: ratios with their spread, counts, processor times, then the times of this machine. */
export const printFigures = (figures: readonly Figure[], say: (line: string) => void): void => {
  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const kind of figureKinds) {
    const some = figures.filter((each) => each.kind === kind);
    if (some.length > 0) say(`  ${styleText('dim', HEADS[kind])}`);
    for (const one of some)
      say(`    ${one.name.padEnd(width)}  ${figureOf(one).padStart(9)} ${styleText('dim', one.unit)}`);
  }
};
