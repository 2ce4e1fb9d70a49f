/**
 * `npm run mutate`: mutates the rules of `shared/` one by one and counts the mutants that the tests of their area kill.
 * With paths it mutates only these, for example `npm run mutate -- schedules csv`; with `--part 2/4`, the second quarter
 * of the definitions. A rule is a module that awaits nothing. The reports are in `.build/mutation/<area>/`.
 */
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as v from 'valibot';

const ROOT = join(import.meta.dirname, '..');
const REPORTS = join(ROOT, '.build/mutation');
const STRYKER = 'node_modules/@stryker-mutator/core/bin/stryker.js';

/** The part of Stryker's report from which the score derives. */
const report = v.object({
  files: v.record(v.string(), v.object({ mutants: v.array(v.object({ status: v.string() })) })),
});

/** Mutants of an area: killed or endless, survived, and not covered. */
interface Score {
  readonly killed: number;
  readonly survived: number;
  readonly missed: number;
}

/** A module that only computes. Names of stored keys are not rules: another name only changes the place of an item. */
const isRule = (file: string): boolean =>
  !/^shared\/table\/[\w-]*keys\.ts$/.test(file) &&
  !/\bawait\b|\bPromise\b|\basync\b/.test(readFileSync(join(ROOT, file), 'utf8'));

/** The rules of a file or a folder of `shared/`. Throws on an unknown path. */
const rulesOf = (path: string): readonly string[] => {
  const target = `shared/${path.replace(/^shared\/|\/$/g, '')}`;
  if (!existsSync(join(ROOT, target))) throw new Error(`There is no ${target}.`);
  // A named file is always mutated.
  if (!statSync(join(ROOT, target)).isDirectory()) return [target];
  return globSync(`${target}/**/*.ts`, { cwd: ROOT }).filter(isRule).toSorted();
};

/** Rules by the folder of `shared/` that they lie in; an area without tests is left out. */
const rulesByArea = (paths: readonly string[]): ReadonlyMap<string, readonly string[]> => {
  const rules = new Set(paths.flatMap(rulesOf));
  const areas = Map.groupBy(rules, (file) => file.split('/')[1] ?? '');
  return new Map([...areas].filter(([area]) => existsSync(join(ROOT, 'test', area))));
};

/** Runs Stryker over the rules of an area and moves its report to the folder of the area. */
const mutate = async (area: string, rules: readonly string[], part: string): Promise<Score | undefined> => {
  const child = spawn(process.execPath, [STRYKER, 'run', '--mutate', rules.join(',')], {
    cwd: ROOT,
    env: { ...process.env, MUTATED_TESTS: `test/${area}`, MUTATED_PART: part },
    stdio: 'inherit',
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) return undefined;
  const folder = join(REPORTS, area);
  mkdirSync(folder, { recursive: true });
  for (const name of ['report.json', 'report.html']) renameSync(join(REPORTS, name), join(folder, name));
  const { files } = v.parse(report, JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')));
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status));
  const count = (...wanted: readonly string[]) => statuses.filter((status) => wanted.includes(status)).length;
  return { killed: count('Killed', 'Timeout'), survived: count('Survived'), missed: count('NoCoverage') };
};

const rowOf = ({ killed, survived, missed }: Score) => {
  const all = killed + survived + missed;
  const percent = all === 0 ? 100 : (killed / all) * 100;
  return { killed, survived, 'met by no test': missed, 'killed %': Number(percent.toFixed(1)) };
};

const main = async (args: string[]): Promise<number> => {
  const { values, positionals: paths } = parseArgs({
    args,
    allowPositionals: true,
    options: { part: { type: 'string', default: '1/1' } },
  });
  const [part = 0, parts = 0] = values.part.split('/').map(Number);
  if (!/^[1-9]\d*\/[1-9]\d*$/.test(values.part) || part > parts)
    throw new Error('--part takes a fraction such as 2/4.');
  const areas = rulesByArea(paths.length === 0 ? globSync('*/', { cwd: join(ROOT, 'shared') }) : paths);
  const rows: Record<string, ReturnType<typeof rowOf>> = {};
  const total = { killed: 0, survived: 0, missed: 0 };
  for (const [area, rules] of [...areas].toSorted()) {
    const score = await mutate(area, rules, values.part);
    if (!score) return 1;
    total.killed += score.killed;
    total.survived += score.survived;
    total.missed += score.missed;
    rows[area] = rowOf(score);
  }
  console.table({ ...rows, all: rowOf(total) });
  return 0;
};

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
