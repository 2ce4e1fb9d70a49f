/** Page: writes the tables of `docs/performance.md`, and a page and a picture of each stored result. */
import { mkdirSync, readFileSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { scenarioNames } from '../scenarios.ts';
import { drawChart } from './chart.ts';
import { figureOf, figureRange, sizesText } from './format.ts';
import { goalsTable } from './goals.ts';
import { peersTable } from './peers-table.ts';
import { costsTable } from './use-costs.ts';
import { largestRun, readResult, type Result, type Run } from './results.ts';
import { type Figure, figureKinds } from './scenario.ts';

const root = join(import.meta.dirname, '../..');
const PAGE = join(root, 'docs/performance.md');
const FOLDER = join(root, 'docs/performance');

/** The generated files that differ from the stored results. */
export const differences = async (): Promise<readonly string[]> =>
  (await generated())
    .filter(({ file, content }) => !existsSync(file) || readFileSync(file, 'utf8') !== content)
    .map(({ file }) => file.slice(root.length + 1));

/** Writes the pages and the pictures. */
export const writePages = async (): Promise<void> => {
  mkdirSync(FOLDER, { recursive: true });
  for (const { file, content } of await generated()) writeFileSync(file, content);
};

const generated = async (): Promise<readonly { file: string; content: string }[]> => {
  const results = scenarioNames.flatMap((name) => readResult(name) ?? []);
  const pictures = results.flatMap((result) => {
    const chart = largestRun(result)?.chart;
    return chart
      ? [{ file: join(FOLDER, `${result.name}.svg`), content: drawChart(result.title, chart) }]
      : [];
  });
  const pages = [
    { file: PAGE, content: filled(readFileSync(PAGE, 'utf8'), results) },
    ...results.map((result) => ({ file: join(FOLDER, `${result.name}.md`), content: pageOf(result) })),
  ];
  const options = { ...(await resolveConfig(PAGE)), parser: 'markdown' } as const;
  const formatted = pages.map(async ({ file, content }) => ({
    file,
    content: await format(content, options),
  }));
  return [...(await Promise.all(formatted)), ...pictures];
};

/** The page of performance with its generated parts. */
const filled = (page: string, results: readonly Result[]): string =>
  [
    ['costs', costsTable(results)],
    ['ratios', ratiosTable(results)],
    ['peers', peersTable(results)],
    ['goals', goalsTable(results)],
  ].reduce((text, [part = '', content = '']) => replaced(text, part, content), page);

/** The page with another content between the markers of a generated part. */
const replaced = (page: string, part: string, content: string): string => {
  const [begin, end] = [
    `<!-- ${part}: npm run bench -- --page writes this part -->`,
    `<!-- end of ${part} -->`,
  ];
  const [before, rest = ''] = page.split(begin);
  const [, after] = rest.split(end);
  if (before === undefined || after === undefined)
    throw new Error(`docs/performance.md lacks its markers of ${part}`);
  return `${before}${begin}\n\n${content}\n\n${end}${after}`;
};

/** A row for each scenario, with the link to its page. */
const ratiosTable = (results: readonly Result[]): string =>
  [
    '| scenario | × the floor | pairs | run |',
    '| --- | ---: | ---: | --- |',
    ...results.map((result) => {
      const { name, title, full } = result;
      const run = largestRun(result);
      const ratios = (run?.figures ?? []).filter(
        (each) => each.unit === '× the floor' && !each.name.endsWith('processor time'),
      );
      const size = full ? 'full size' : 'CI size';
      const cells = [`[${title}](performance/${name}.md)`, figureRange(ratios), pairsRange(ratios)];
      return `| ${cells.join(' | ')} | ${size}, ${run?.date} |`;
    }),
  ].join('\n');

/** The least and the greatest of all pairs behind some figures, as far as they have any. */
const pairsRange = (figures: readonly Figure[]): string =>
  figureRange(
    figures.flatMap(({ least, most }) =>
      [least, most].flatMap((value) => (value === undefined ? [] : { value })),
    ),
  );

/** The page of a scenario. */
export const pageOf = (result: Result): string => {
  const { name, title, about, ci, full } = result;
  const picture = largestRun(result)?.chart ? [`![${title}](${name}.svg)`] : [];
  const runs = [...(ci ? [described('CI size', ci)] : []), ...(full ? [described('Full size', full)] : [])];
  return [
    `# ${title}`,
    wrapped(`\`${name}\`. ${about}`),
    ...picture,
    ...runs,
    ...tablesOf(ci, full),
    `[How to read and repeat these figures](../performance.md#how-to-read-and-repeat-a-figure)`,
  ].join('\n\n');
};

const described = (size: string, { date, commit, machine, sizes, seconds }: Run): string =>
  wrapped(
    `${size} (${sizesText(sizes)}): ${date}, commit ${commit}, Node ${machine.node}, ` +
      `${machine.cores} cores of ${machine.processor}, ${machine.memoryGb} GB, ${seconds} s.`,
  );

/** Columns of a line of text. */
const LINE = 120;

/** A paragraph in lines. */
const wrapped = (paragraph: string): string => {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= LINE) lines.splice(-1, 1, `${line} ${word}`);
    else lines.push(word);
  }
  return lines.join('\n');
};

const HEADS = { ratio: 'Ratios', count: 'Counts', cpu: 'Processor time', time: 'This machine' } as const;

/** A part with a table for each kind of figures. */
const tablesOf = (ci: Run | undefined, full: Run | undefined): readonly string[] => {
  const columns = [
    ...(ci ? [{ head: 'CI size', run: ci }] : []),
    ...(full ? [{ head: 'full size', run: full }] : []),
  ];
  const runs = columns.map(({ run }) => run);
  return figureKinds.flatMap((kind) => {
    const lines = namesOf(kind, runs).map(({ name, unit }) => {
      const cells = runs.map((run) => cellOf(run, { kind, name, unit }));
      return `| ${name} | ${cells.join(' | ')} | ${unit} |`;
    });
    const table = [
      `| figure | ${columns.map(({ head }) => head).join(' | ')} | unit |`,
      `| --- | ${columns.map(() => '---:').join(' | ')} | --- |`,
      ...lines,
    ];
    return lines.length === 0 ? [] : [`## ${HEADS[kind]}`, table.join('\n')];
  });
};

type Name = Pick<Figure, 'kind' | 'name' | 'unit'>;

/** The figures of a kind in all runs, each once. */
const namesOf = (kind: Figure['kind'], runs: readonly Run[]): readonly Name[] => {
  const all = runs.flatMap(({ figures }) => figures.filter((each) => each.kind === kind));
  return [...new Map(all.map((each) => [`${each.name}\n${each.unit}`, each])).values()];
};

const cellOf = ({ figures }: Run, { kind, name, unit }: Name): string => {
  const found = figures.find((each) => each.kind === kind && each.name === name && each.unit === unit);
  return found ? figureOf(found) : '';
};
