/** Results: the files of `bench/results`, one for each scenario, with a run of each size. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { machineSchema, thisCommit, thisMachine } from './machine.ts';
import { type Chart, type Figure, figureKinds, type Scenario, type SizeName } from './scenario.ts';

/** The folder of the results. */
const RESULTS = join(import.meta.dirname, '../results');

const named = v.object({ name: v.string(), value: v.number() });
const chartSchema: v.GenericSchema<Chart> = v.variant('kind', [
  v.object({
    kind: v.literal('bars'),
    unit: v.string(),
    bars: v.array(named),
    floor: v.optional(v.number()),
    floorIs: v.optional(v.string()),
  }),
  v.object({
    kind: v.literal('lines'),
    unit: v.string(),
    at: v.array(v.string()),
    lines: v.array(v.object({ name: v.string(), values: v.array(v.number()) })),
    floor: v.optional(v.number()),
  }),
]);
/** Runs until November 2026 stored processor time as a count, and no spread. */
const figureSchema = v.pipe(
  v.object({
    kind: v.picklist(figureKinds),
    name: v.string(),
    value: v.number(),
    unit: v.string(),
    least: v.optional(v.number()),
    most: v.optional(v.number()),
  }),
  v.transform((stored): Figure =>
    stored.kind === 'count' && /\bprocessor time\b/.test(stored.name) ? { ...stored, kind: 'cpu' } : stored,
  ),
);
const runSchema = v.object({
  date: v.string(),
  commit: v.string(),
  machine: machineSchema,
  sizes: v.record(v.string(), v.union([v.number(), v.array(v.number())])),
  seconds: v.number(),
  figures: v.array(figureSchema),
  chart: v.optional(chartSchema),
});
const resultSchema = v.object({
  name: v.string(),
  title: v.string(),
  about: v.string(),
  ci: v.optional(runSchema),
  full: v.optional(runSchema),
});

/** One run of a scenario. */
export type Run = v.InferOutput<typeof runSchema>;

/** The latest run of each size of a scenario. */
export type Result = v.InferOutput<typeof resultSchema>;

/** The run at full size, or the run at CI size where there is none. */
export const largestRun = ({ full, ci }: Result): Run | undefined => full ?? ci;

const fileOf = (name: string): string => join(RESULTS, `${name}.json`);

/** Reads a stored result, also one of an earlier form. */
export const parseResult = (stored: unknown): Result => v.parse(resultSchema, stored);

/** The stored result of a scenario. */
export const readResult = (name: string): Result | undefined =>
  existsSync(fileOf(name)) ? parseResult(JSON.parse(readFileSync(fileOf(name), 'utf8'))) : undefined;

/** What a run found, and how long it took. */
export interface Measured {
  readonly figures: readonly Figure[];
  readonly chart: Chart | undefined;
  readonly seconds: number;
}

/** Stores the figures of a run that just ended, and keeps the latest run of the other size. */
export const storeRun = (scenario: Scenario, size: SizeName, { figures, chart, seconds }: Measured): void => {
  const { name, title, about } = scenario;
  const { ci, full } = readResult(name) ?? {};
  const run = {
    date: new Date().toISOString().slice(0, 10),
    commit: thisCommit(),
    machine: thisMachine(),
    sizes: scenario.sizesOf(size),
    seconds: Math.round(seconds),
    figures: figures.map(roundedFigure),
    ...(chart && { chart: roundedChart(chart) }),
  };
  mkdirSync(RESULTS, { recursive: true });
  const stored = { name, title, about, ...(ci && { ci }), ...(full && { full }), [size]: run };
  writeFileSync(fileOf(name), `${JSON.stringify(stored, undefined, 2)}\n`);
};

/** Four digits: a run says no more. Whole numbers stay whole. */
const rounded = (value: number): number =>
  Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(4));

const roundedFigure = ({ least, most, ...figure }: Figure): Figure => ({
  ...figure,
  value: rounded(figure.value),
  ...(least !== undefined && most !== undefined && { least: rounded(least), most: rounded(most) }),
});

const roundedChart = (chart: Chart): Chart =>
  chart.kind === 'bars'
    ? { ...chart, bars: chart.bars.map((bar) => ({ ...bar, value: rounded(bar.value) })) }
    : { ...chart, lines: chart.lines.map((line) => ({ ...line, values: line.values.map(rounded) })) };
