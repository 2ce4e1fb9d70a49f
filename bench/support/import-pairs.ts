/** Import pairs: the same imports into a service with something, such as conditions, and into one without, in turn. */
import { join } from 'node:path';
import { spendingColumns } from './conditions.ts';
import { temporaryFolder } from './folder.ts';
import { type Spread, spreadOf } from './measure.ts';
import { definePeople, importPeople, writePeople } from './people-file.ts';
import type { Report } from './scenario.ts';
import { type Cost, openService } from './service.ts';

/**
 * A service of one side, which imports files. With `apart`, each function has threads of its own, so that the processor time
 * of the functions counts without that of the emulators.
 */
export const openSide = async (today: number, { apart = false }: { readonly apart?: boolean } = {}) => {
  const folder = await temporaryFolder();
  const service = await openService({ dataDir: join(folder.path, 'data'), apart });
  const importId = await definePeople(service, spendingColumns(today));
  return {
    service,
    importRows: (file: string, rows: Rows, report: Report) =>
      importPeople(service, { importId, file, ...rows }, report),
    [Symbol.asyncDispose]: async () => {
      await service.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
};
export type ImportingSide = Awaited<ReturnType<typeof openSide>>;

interface Rows {
  readonly from: number;
  readonly to: number;
}

/** What an import took. */
interface Took {
  readonly processorSeconds: number;
  /** Of the functions alone, where their threads are apart. */
  readonly functionSeconds: number;
  readonly writeUnits: number;
  readonly readUnits: number;
  readonly journalBytes: number;
}

const tookOf = ({ cpu, meter, writeUnits, readUnits }: Cost): Took => ({
  processorSeconds: cpu.functions + cpu.emulators + cpu.other,
  functionSeconds: cpu.functions,
  writeUnits,
  readUnits,
  journalBytes: meter.reduce(
    (sum, line) => sum + (line.kind === 'journal' && line.writeUnits > 0 ? line.bytes : 0),
    0,
  ),
});

/** What both sides took for the same file. */
interface Pair {
  readonly with: Took;
  readonly without: Took;
}

interface Sides {
  readonly with: ImportingSide;
  readonly without: ImportingSide;
}

/** Imports a file on both sides in turn. In every other pair, the other side comes first. */
const importPair = async (
  sides: Sides,
  { file, rows, pair }: { readonly file: string; readonly rows: Rows; readonly pair: number },
  report: Report,
): Promise<Pair> => {
  const took = async (side: keyof Sides): Promise<Took> => {
    const { service, importRows } = sides[side];
    return tookOf((await service.cost(() => importRows(file, rows, report))).cost);
  };
  if (pair % 2 === 0) {
    const one = await took('with');
    return { with: one, without: await took('without') };
  }
  const other = await took('without');
  return { with: await took('with'), without: other };
};

const ratioOf = (pairs: readonly Pair[], of: keyof Took): Spread =>
  spreadOf(pairs.map((pair) => pair.with[of] / pair.without[of]));

const meanOf = (pairs: readonly Pair[], side: keyof Pair, of: keyof Took): number =>
  pairs.reduce((sum, pair) => sum + pair[side][of], 0) / pairs.length;

/** The imports that are compared: `rows` rows from `first` on, in `pairs` pairs that count. */
interface Compared {
  /** What one side has, and the other has not. */
  readonly what: string;
  /** Whether the services tell the processor time of their functions apart. */
  readonly apart?: boolean;
  readonly first: number;
  readonly rows: number;
  readonly pairs: number;
  readonly today: number;
}

/** Reports pairs of imports of so many rows. */
const reportPairs = (
  report: Report,
  { kind, pairs }: { readonly kind: string; readonly pairs: readonly Pair[] },
  { what, rows, apart = false }: Pick<Compared, 'what' | 'rows' | 'apart'>,
): void => {
  report.ratio(`${kind}: processor time`, ratioOf(pairs, 'processorSeconds'), `× without ${what}`);
  if (apart) {
    report.ratio(
      `${kind}: processor time, functions`,
      ratioOf(pairs, 'functionSeconds'),
      `× without ${what}`,
    );
  }
  for (const side of ['with', 'without'] as const) {
    const title = `${kind}, ${side} ${what}`;
    report.count(`${title}: write units`, meanOf(pairs, side, 'writeUnits') / rows, 'a row');
    report.count(`${title}: read units`, meanOf(pairs, side, 'readUnits') / rows, 'a row');
    report.count(`${title}: journal`, meanOf(pairs, side, 'journalBytes') / rows, 'bytes a row');
    const milliseconds = (meanOf(pairs, side, 'processorSeconds') / rows) * 1e3;
    report.cpu(`${title}: processor time, whole service`, milliseconds, 'ms a row');
  }
};

/** The imports of a pair: people who are new, the same file again, and a file in which every person has other values. */
const KINDS = ['new people', 'unchanged people', 'changed people'] as const;

/** Imports files on both sides in turn, and reports the difference. The first round of each warms up. */
export const compareImports = async (
  sides: Sides,
  { first, rows, pairs, today, ...compared }: Compared,
  report: Report,
): Promise<void> => {
  await using folder = await temporaryFolder();
  const found = KINDS.map((kind): { kind: (typeof KINDS)[number]; pairs: Pair[] } => ({ kind, pairs: [] }));
  for (let pair = 0; pair <= pairs; pair += 1) {
    const from = first + pair * rows;
    for (const { kind, pairs: counted } of found) {
      report.progress(`${kind}, pair ${pair} of ${pairs}`);
      const file = join(folder.path, 'people.csv');
      const range = { from, to: from + rows - 1 };
      const columns = spendingColumns(today, kind === 'changed people' ? 1 : 0);
      await writePeople(file, range.from, range.to, columns);
      const one = await importPair(sides, { file, rows: range, pair }, report);
      if (pair > 0) counted.push(one);
    }
  }
  for (const one of found) reportPairs(report, one, { ...compared, rows });
  report.chart({
    kind: 'bars',
    unit: `processor time of an import as a multiple of that without ${compared.what}`,
    floor: 1,
    floorIs: `without ${compared.what}`,
    bars: found.map(({ kind, pairs: counted }) => ({
      name: kind,
      value: ratioOf(counted, 'processorSeconds').median,
    })),
  });
};
