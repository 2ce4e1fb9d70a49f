/** Reporting: collects the figures of a run, shows its progress, and prints its table. */
import { isDeepStrictEqual, styleText } from 'node:util';
import { figure as shown } from './format.ts';
import type { Chart, Figure, FigureKind, Report } from './scenario.ts';

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
  const add = (kind: FigureKind, figureName: string, value: number, unit: string): void => {
    if (!Number.isFinite(value)) throw new Error(`${name}: ${figureName} is not a number`);
    figures.push({ kind, name: figureName, value, unit });
  };
  return {
    figures,
    chartOf: () => picture,
    progress: (text) => showProgress(`${name}: ${text}`),
    ratio: (figureName, value, unit = '× the floor') => add('ratio', figureName, value, unit),
    count: (figureName, value, unit) => add('count', figureName, value, unit),
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

const HEADS = { ratio: 'ratios', count: 'counts', time: 'on this machine' } as const;
const KINDS = ['ratio', 'count', 'time'] as const;

/** Prints the figures: ratios, counts, then the times of this machine. */
export const printFigures = (figures: readonly Figure[]): void => {
  const width = Math.max(...figures.map(({ name }) => name.length));
  for (const kind of KINDS) {
    const some = figures.filter((each) => each.kind === kind);
    if (some.length > 0) console.log(`  ${styleText('dim', HEADS[kind])}`);
    for (const { name, value, unit } of some)
      console.log(`    ${name.padEnd(width)}  ${shown(value).padStart(9)} ${styleText('dim', unit)}`);
  }
};
