/** Goals: what the figures of the bench must reach on two cores, and whether the stored results reach it. */
import { figure, figureOf, figureRange } from './format.ts';
import { largestRun, type Result, type Run } from './results.ts';
import type { Figure } from './scenario.ts';

/** A bound for the figures of a scenario: ratios to a floor or a peer of the same run, or counts. */
interface Goal {
  readonly scenario: string;
  readonly kind: Exclude<Figure['kind'], 'time' | 'cpu'>;
  /** Matches the names of the figures. Each of them must keep the bound. */
  readonly figures: RegExp;
  readonly text: string;
  readonly unit: string;
  readonly most?: number;
  readonly least?: number;
  /** What it would take to reach the goal, behind a colon. */
  readonly takes: string;
}

const peers = { scenario: 'peers', kind: 'ratio', unit: '× PostgreSQL' } as const;
const floor = { kind: 'ratio', unit: '× the floor' } as const;

const goals: readonly Goal[] = [
  {
    ...{ ...peers, figures: /^an import of /, text: 'import of a file', most: 2.8 },
    takes: 'rules of rows and calls of tables must get cheaper.',
  },
  {
    ...{ ...peers, figures: /: lookups, /, text: 'lookups', most: 3.5 },
    takes: 'calls must cost less; a signer and a handler of our own would save a fifth (ADR 17).',
  },
  {
    ...{ ...peers, figures: /: a page of /, text: 'pages of a segment', most: 2 },
    takes: 'items must not cross HTTP as JSON.',
  },
  {
    ...{ ...peers, figures: /: an export /, text: 'exports', most: 4.5 },
    takes: 'a profile must take half of its 36 µs of processor time, from the table to the last byte.',
  },
  {
    ...{ ...peers, figures: /: new people, /, text: 'new people', most: 9 },
    takes: 'a dozen conditional writes stand against one transaction.',
  },
  {
    ...{ ...peers, figures: /^1,000,000 people: a (count|moment)/, text: 'counts, moments of a million' },
    ...{
      most: 1 / 3,
      takes: 'gateway, token and function must cost less.',
    },
  },
  {
    ...{ ...floor, scenario: 'import', figures: /: import$/, text: 'import of a file', most: 1.5 },
    takes: 'the rules of a row must get cheaper.',
  },
  {
    ...{ scenario: 'import', kind: 'count', figures: /: write units$/, text: 'write units of an import' },
    ...{ unit: 'a row', most: 2.7, takes: 'a new person takes three items, the profile and two claims.' },
  },
  {
    ...{ scenario: 'import', kind: 'count', figures: /: service at most$/, text: 'memory of the service' },
    ...{
      unit: 'MB',
      most: 1_000,
      takes: 'mapped files count, although the system can drop them.',
    },
  },
  {
    ...{ scenario: 'import', kind: 'count', figures: /: without mapped files at most$/ },
    ...{ text: 'the same without mapped files', unit: 'MB', most: 1_000 },
    takes: 'a heap that grows slowly takes 150 MB less, and a tenth more processor time.',
  },
  {
    ...{
      ...floor,
      scenario: 'demo-import',
      figures: /: import$/,
      text: "import of the demo's file",
      most: 1.9,
    },
    takes: 'functions must start faster.',
  },
  {
    ...{
      scenario: 'demo-import',
      kind: 'count',
      figures: /: write units$/,
      text: "write units, the demo's file",
    },
    ...{ unit: 'a row', most: 2.7, takes: 'more people must come again.' },
  },
  {
    ...{ scenario: 'reimport', kind: 'count', figures: /^write units$/, text: 'write units, unchanged file' },
    ...{
      unit: 'a row',
      most: 0.05,
      takes: 'the blocks that keep new times must take fewer units.',
    },
  },
  {
    ...{ scenario: 'reimport', kind: 'ratio', figures: /^the second import$/, text: 'time, unchanged file' },
    ...{ unit: '× the first import', most: 0.6 },
    takes: 'a row must read less than its claims and its profile.',
  },
  {
    ...{ ...floor, scenario: 'pages', figures: /: a page$/, text: 'time of a page', most: 1.5 },
    takes: 'table and function must work at the same time.',
  },
  {
    ...{ scenario: 'exports', kind: 'ratio', figures: /^plain: rate of/, text: 'rate of an export' },
    ...{ unit: 'of the floor', least: 0.7 },
    takes: 'an export also seals and stores its parts, reads them again, and downloads the file.',
  },
  {
    ...{ scenario: 'exports', kind: 'ratio', figures: /^PGP: an export$/, text: 'time of a PGP export' },
    ...{ unit: '× plain', most: 1.1, takes: 'the cipher must run beside the read.' },
  },
  {
    ...{ ...floor, scenario: 'cold-start', figures: /^\w+: load and first call$/ },
    ...{ text: 'cold start of a function', most: 1.2 },
    takes: 'first requests must make fewer calls.',
  },
  {
    ...{ ...floor, scenario: 'ready', figures: /^a start$/, text: '`npm start` to ready', most: 40 },
    takes: 'the start must load fewer modules.',
  },
];

/** A goal beside the figures of the largest run. */
interface Measured {
  readonly goal: Goal;
  readonly found: readonly Figure[];
  readonly reached: boolean;
}

const measuredOf = (goal: Goal, run: Run): Measured | undefined => {
  const { kind, figures, unit, most, least = 0 } = goal;
  const found = run.figures.filter(
    (each) => each.kind === kind && each.unit === unit && figures.test(each.name),
  );
  if (found.length === 0) return undefined;
  const reached = found.every(({ value }) => (most === undefined ? value >= least : value <= most));
  return { goal, found, reached };
};

const rowOf = ({ goal, found, reached }: Measured): string => {
  const { scenario, text, unit, most, least = 0 } = goal;
  const bound = most === undefined ? `≥ ${figure(least)}` : `≤ ${figure(most)}`;
  const [only, ...others] = found;
  const measured = only && others.length === 0 ? figureOf(only) : figureRange(found);
  return `| ${[`\`${scenario}\``, text, bound, measured, unit, reached ? 'yes' : 'no'].join(' | ')} |`;
};

/** A table of all goals with a stored result, of the largest size that was run, and what the missed ones would take. */
export const goalsTable = (results: readonly Result[]): string => {
  const all = goals.flatMap((goal) => {
    const result = results.find(({ name }) => name === goal.scenario);
    const run = result && largestRun(result);
    return (run && measuredOf(goal, run)) ?? [];
  });
  const missed = all.filter(({ reached }) => !reached);
  return [
    '| scenario | figure | goal | measured | unit | reached |',
    '| --- | --- | ---: | ---: | --- | --- |',
    ...all.map(rowOf),
    ...(missed.length === 0 ? [] : ['', 'What the missed goals would take:', '']),
    ...missed.map(({ goal }) => `- \`${goal.scenario}\`, ${goal.text}: ${goal.takes}`),
  ].join('\n');
};
