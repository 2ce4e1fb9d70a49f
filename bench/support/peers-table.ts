/** Peers table: Tidemark beside its peer, from the stored result of the scenario `peers`. */
import { figure, figureOf } from './format.ts';
import { largestRun, type Result, type Run } from './results.ts';
import type { Figure } from './scenario.ts';

/** The two names at the ends of figures. */
const SIDES = { own: ': Tidemark', other: ': PostgreSQL' } as const;

const rowOf = ({ figures }: Run, own: Figure): string | undefined => {
  const name = own.name.slice(0, -SIDES.own.length);
  const other = figures.find((each) => each.unit === own.unit && each.name === `${name}${SIDES.other}`);
  if (!other) return undefined;
  const measured = figures.find((each) => own.kind === 'time' && each.kind === 'ratio' && each.name === name);
  // A count has no pairs.
  const ratio = measured ? figureOf(measured) : figure(own.value / other.value);
  return `| ${[name, figure(own.value), figure(other.value), own.unit, ratio].join(' | ')} |`;
};

/** A table of all that both sides did, from the largest run. */
export const peersTable = (results: readonly Result[]): string => {
  const result = results.find(({ name }) => name === 'peers');
  const run = result && largestRun(result);
  if (!run) return 'There is no stored result of `peers`.';
  const rows = run.figures
    .filter(({ name }) => name.endsWith(SIDES.own))
    .flatMap((own) => rowOf(run, own) ?? []);
  return [
    `${result.full ? 'Full size' : 'CI size'}, ${run.date}, ${run.machine.cores} cores of ${run.machine.processor}:`,
    '',
    '| work | Tidemark | PostgreSQL | unit | × PostgreSQL |',
    '| --- | ---: | ---: | --- | ---: |',
    ...rows,
  ].join('\n');
};
