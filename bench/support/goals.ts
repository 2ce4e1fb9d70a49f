/** Goals: what the figures of the bench must reach on two cores, and whether the stored results reach it. */
import { figure, figureRange } from './format.ts';
import { largestRun, type Result, type Run } from './results.ts';
import type { Figure } from './scenario.ts';

/** A bound for the figures of a scenario. */
interface Goal {
  readonly scenario: string;
  readonly kind: Figure['kind'];
  /** Matches the names of the figures. Each of them must keep the bound. */
  readonly figures: RegExp;
  readonly text: string;
  readonly unit: string;
  readonly most?: number;
  readonly least?: number;
  /** What the bare floor of the same run reaches, for a rate that depends on the machine. */
  readonly floor?: (run: Run) => number | undefined;
}

const valueOf = (run: Run, name: RegExp, unit: string): number | undefined =>
  run.figures.findLast((each) => name.test(each.name) && each.unit === unit)?.value;

/** Rows a second of a bare loop that writes the items of a row. */
const bareRows = (run: Run): number | undefined => {
  const [items, perRow] = [valueOf(run, /bare loop$/, 'items/s'), valueOf(run, /items$/, 'a row')];
  return items !== undefined && perRow !== undefined ? items / perRow : undefined;
};

const goals: readonly Goal[] = [
  {
    ...{ scenario: 'import', kind: 'time', figures: /: rate$/, text: 'rate of an import' },
    ...{ unit: 'rows/s', least: 5_000, floor: bareRows },
  },
  {
    ...{ scenario: 'import', kind: 'count', figures: /: write units$/, text: 'write units of an import' },
    ...{ unit: 'a row', most: 2.7 },
  },
  {
    ...{ scenario: 'import', kind: 'count', figures: /: service at most$/, text: 'memory of the service' },
    ...{ unit: 'MB', most: 1_000 },
  },
  {
    ...{ scenario: 'import', kind: 'count', figures: /: without mapped files at most$/ },
    ...{ text: 'the same without mapped files', unit: 'MB', most: 1_000 },
  },
  {
    ...{ scenario: 'demo-import', kind: 'time', figures: /: rate$/, text: "rate, the demo's file" },
    ...{ unit: 'rows/s', least: 3_500, floor: bareRows },
  },
  {
    ...{
      scenario: 'demo-import',
      kind: 'count',
      figures: /: write units$/,
      text: "write units, the demo's file",
    },
    ...{ unit: 'a row', most: 2.7 },
  },
  {
    ...{ scenario: 'reimport', kind: 'count', figures: /^write units$/, text: 'write units, unchanged file' },
    ...{ unit: 'a row', most: 0.05 },
  },
  {
    ...{ scenario: 'reimport', kind: 'time', figures: /^rate of the second/, text: 'rate, unchanged file' },
    ...{ unit: 'rows/s', least: 8_000 },
  },
  {
    ...{ scenario: 'lookups', kind: 'time', figures: /^rate, eight/, text: 'rate of lookups' },
    ...{ unit: 'lookups/s', least: 1_500, floor: (run) => valueOf(run, /^bare/, 'reads/s') },
  },
  {
    ...{ scenario: 'lookups', kind: 'time', figures: /^99th percentile, eight/, text: 'slow lookups' },
    ...{ unit: 'ms', most: 25 },
  },
  {
    ...{ scenario: 'pages', kind: 'ratio', figures: /: a page$/, text: 'time of a page' },
    ...{ unit: '× the floor', most: 1.5 },
  },
  {
    ...{ scenario: 'exports', kind: 'time', figures: /^plain: rate$/, text: 'rate of an export' },
    ...{ unit: 'profiles/s', least: 40_000, floor: (run) => valueOf(run, /^bare loop: rate$/, 'profiles/s') },
  },
  {
    ...{ scenario: 'exports', kind: 'ratio', figures: /^plain: rate of/, text: 'rate of an export' },
    ...{ unit: 'of the floor', least: 0.7 },
  },
  {
    ...{ scenario: 'exports', kind: 'ratio', figures: /^PGP: an export$/, text: 'time of a PGP export' },
    ...{ unit: '× plain', most: 1.1 },
  },
  {
    ...{ scenario: 'cold-start', kind: 'ratio', figures: /^\w+: load and first call$/ },
    ...{ text: 'cold start of a function', unit: '× the floor', most: 1.2 },
  },
  {
    ...{ scenario: 'ready', kind: 'time', figures: /^a start$/, text: '`npm start` to ready' },
    ...{ unit: 's', most: 3 },
  },
  {
    ...{ scenario: 'suite', kind: 'time', figures: /^whole run$/, text: '`npm test`' },
    ...{ unit: 's', most: 300 },
  },
];

const rowOf = (goal: Goal, run: Run): string | undefined => {
  const { scenario, kind, figures, text, unit, most, least = 0, floor } = goal;
  const found = run.figures.filter(
    (each) => each.kind === kind && each.unit === unit && figures.test(each.name),
  );
  if (found.length === 0) return undefined;
  const reached = found.every(({ value }) => (most === undefined ? value >= least : value <= most));
  const bound = most === undefined ? `≥ ${figure(least)}` : `≤ ${figure(most)}`;
  const alone = floor?.(run);
  const cells = [
    `\`${scenario}\``,
    text,
    bound,
    figureRange(found),
    alone === undefined ? '' : figure(alone),
    unit,
    reached ? 'yes' : 'no',
  ];
  return `| ${cells.join(' | ')} |`;
};

/** A table of all goals with a stored result, of the largest size that was run. */
export const goalsTable = (results: readonly Result[]): string => {
  const rows = goals.flatMap((goal) => {
    const found = results.find(({ name }) => name === goal.scenario);
    const run = found && largestRun(found);
    return (run && rowOf(goal, run)) ?? [];
  });
  return [
    '| scenario | figure | goal | measured | bare floor | unit | reached |',
    '| --- | --- | ---: | ---: | ---: | --- | --- |',
    ...rows,
  ].join('\n');
};
