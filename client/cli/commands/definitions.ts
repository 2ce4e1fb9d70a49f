/** The commands `plan` and `apply`: definitions as code. */
import type { Command } from 'commander';
import type { Act } from '../actions.ts';
import type { Connected, Context } from '../context.ts';
import {
  compareExport,
  compareImport,
  compareSegment,
  compareTimeline,
  expressionIn,
  type Names,
  type Step,
} from '../definitions/compare.ts';
import { placeOf } from '../../src/difference.ts';
import { type Definitions, kinds, readDefinitions } from '../definitions/documents.ts';
import { printWhere } from '../expression/print-where.ts';
import type { Where } from '../expression/where.ts';
import { exitCodes, type ExitCode, usageFailure } from '../failure.ts';
import { readDocument } from '../files/documents.ts';
import { conditionsIn, knownConditions, makeConditions } from '../segments/conditions.ts';
import type { Paint } from '../terminal/paint.ts';
import { clip, counted, asName, plain } from '../terminal/text.ts';

/** Adds the commands. */
export const addDefinitions = (program: Command, act: Act): void => {
  program
    .command('plan')
    .description('show what a file of definitions would change')
    .argument('<file>', 'a YAML or JSON file')
    .addHelpText('after', help)
    .action(act(plan));
  program
    .command('apply')
    .description('create and change definitions as a file describes them')
    .argument('<file>', 'a YAML or JSON file')
    .option('-y, --yes', 'apply without a question')
    .addHelpText('after', help)
    .action(act(apply));
};

const help = `
A file has lists of segments, imports, exports and timelines. A name identifies a definition. What the
file does not name stays as it is; nothing is deleted. Exports are stored, and not run.

Example:
  segments:
    - name: Jazz, under 65
      expression: 'Jazz and not "Age: 65+"'
    - name: Win back
      expression: 'Umsatz >= 500 and not seen within 90 days'
  exports:
    - name: Jazz, weekly
      segments: ["Jazz, under 65"]
      every: mon 03:00 Europe/Berlin
      field_set: email
  timelines:
    - name: Jazz
      segment: Jazz
      every: day 06:00

Imports and exports take the fields of the API besides; "tidemark import --save-mapping" writes the
mapping of a file.`;

type Comparison = Awaited<ReturnType<typeof compareSegment>>;

/** Compares the definitions of one kind after another, because later kinds name earlier segments. */
async function* comparisons(names: Names, definitions: Definitions): AsyncGenerator<Comparison, undefined> {
  for (const segment of definitions.segments) yield await compareSegment(names, segment);
  for (const body of definitions.imports) yield await compareImport(names, body);
  for (const body of definitions.exports) yield await compareExport(names, body);
  for (const timeline of definitions.timelines) yield await compareTimeline(names, timeline);
}

const read = async (context: Context, file: string): Promise<Definitions> => {
  const definitions = readDefinitions(await readDocument(context.path(file)));
  if (!definitions.ok) throw usageFailure(`${file}: ${definitions.error}`);
  return definitions.value;
};

/** The conditions in a file, each once. */
const conditionsOf = ({ segments }: Definitions): readonly Where[] => {
  const parts = segments.map(expressionIn).flatMap(conditionsIn);
  return [...new Map(parts.map(({ where }) => [printWhere(where), where])).values()];
};

const planned = async (context: Connected, definitions: Definitions): Promise<readonly Step[]> => {
  const wanted = conditionsOf(definitions);
  const conditions = wanted.length === 0 ? new Map<string, number>() : await knownConditions(context.client);
  const names = { pending: new Set<string>(), conditions, context };
  const steps: Step[] = wanted
    .map(printWhere)
    .filter((words) => !conditions.has(words))
    .map((name) => ({ kind: 'conditions', name, action: 'create', differences: [] }));
  for await (const { kind, name, action, differences } of comparisons(names, definitions)) {
    if (kind === 'segments' && action !== 'keep') names.pending.add(name);
    steps.push({ kind, name, action, differences });
  }
  return steps;
};

const plan = async (context: Context, file: string): Promise<undefined> => {
  const definitions = await read(context, file);
  const steps = await planned(await context.connect(), definitions);
  context.show(steps, () => stepLines(steps, context.paint));
};

const apply = async (
  context: Context,
  file: string,
  { yes }: { readonly yes?: boolean },
): Promise<ExitCode | undefined> => {
  const definitions = await read(context, file);
  const connected = await context.connect();
  const steps = await planned(connected, definitions);
  const changes = steps.filter(({ action }) => action !== 'keep').length;
  if (changes > 0) {
    context.note(...stepLines(steps, (_style, text) => text));
    if (!yes && !(await context.confirm(`Make ${counted(changes, 'change')}?`))) return exitCodes.failed;
  }
  const done = steps.filter(({ kind }) => kind === 'conditions');
  // What names a condition needs it prepared.
  const conditions = await makeConditions(connected, conditionsOf(definitions));
  for (const step of done) tellDone(context, step);
  const names = { pending: new Set<string>(), conditions, context: connected };
  for await (const { write, ...step } of comparisons(names, definitions)) {
    if (step.action !== 'keep') {
      await write();
      // A later definition may fail: the user then knows what is done.
      tellDone(context, step);
    }
    done.push(step);
  }
  context.show(done, () => [
    changes === 0 ? 'Everything is as the file says.' : `${counted(changes, 'change')} made.`,
  ]);
};

const tellDone = (context: Context, step: Step): void => context.note(`✓ ${titleOf(step)} ${step.action}d`);

const signs = { create: '+', change: '~', keep: ' ' } as const;
const colours = { create: 'green', change: 'yellow', keep: 'dim' } as const;

const titleOf = ({ kind, name }: Step): string => `${kind.slice(0, -1)} ${asName(name)}`;

/** A plan for people: each definition, and below it what changes. */
const stepLines = (steps: readonly Step[], paint: Paint): readonly string[] => {
  const changes = steps.filter(({ action }) => action !== 'keep').length;
  const lines = (['conditions', ...kinds] as const)
    .flatMap((kind) => steps.filter((step) => step.kind === kind))
    .flatMap((step) => [
      paint(colours[step.action], `${signs[step.action]} ${titleOf(step)}`),
      ...step.differences.map(
        ({ path, is, wanted }) => `    ${plain(placeOf(path))}: ${valueText(is)} → ${valueText(wanted)}`,
      ),
    ]);
  return [
    ...lines,
    changes === 0
      ? 'Nothing would change.'
      : `${counted(changes, 'change')} in ${counted(steps.length, 'definition')}.`,
  ];
};

const VALUE_WIDTH = 60;

const valueText = (value: unknown): string =>
  value === undefined ? '(none)' : clip(plain(JSON.stringify(value)), VALUE_WIDTH);
