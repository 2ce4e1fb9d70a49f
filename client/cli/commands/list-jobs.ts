/** The command `jobs`: the newest jobs of imports and exports. */
import type { Command } from 'commander';
import type { Tidemark } from '../../src/index.ts';
import type { Connected } from '../context.ts';
import { exitCodes, type ExitCode } from '../failure.ts';
import { type Act, onProperty, wholeNumber } from '../actions.ts';
import type { Column } from '../terminal/table.ts';
import { moment } from '../terminal/text.ts';

/** Adds the command. */
export const addListJobs = (program: Command, act: Act): void => {
  program
    .command('jobs')
    .description('list the newest jobs of imports and exports')
    .option('--watch', 'list them again and again, until none is running')
    .option('--limit <number>', 'the number of jobs', wholeNumber, 20)
    .action(act(onProperty(listJobs)));
};

interface JobLine {
  readonly id: number;
  readonly kind: 'import' | 'export';
  readonly name: string;
  /** Whether an import only tries its file. An export is never a dry run. */
  readonly dry_run: boolean;
  readonly state: string;
  readonly created: string;
  readonly finished: string | null;
}

/** Phases of a finished import that say more than its status. */
const undoPhases: readonly string[] = ['undoing', 'undone'];

const WATCH_MS = 2_000;

/** Exports whose jobs are asked for, and the number of requests at once. */
const EXPORTS = 50;
const AT_ONCE = 4;

const listJobs = async (
  context: Connected,
  { watch, limit }: { readonly watch?: boolean; readonly limit: number },
): Promise<ExitCode> => {
  for (;;) {
    const jobs = await newestJobs(context.client, limit);
    const isRunning = jobs.some(
      ({ state, finished }) => state === 'undoing' || (finished === null && !state.startsWith('waiting')),
    );
    if (!watch || !isRunning) {
      context.showList(jobs, columns, 'There are no jobs yet.');
      return exitCodes.ok;
    }
    const redraw = context.draft(context.table(columns, jobs));
    await context.pause(WATCH_MS);
    redraw();
  }
};

const columns: readonly Column<JobLine>[] = [
  { heading: 'Job', cell: ({ id }) => String(id) },
  { heading: 'Kind', cell: ({ dry_run, kind }) => (dry_run ? 'dry run' : kind) },
  { heading: 'Name', least: 8, cell: ({ name }) => name },
  { heading: 'State', cell: ({ state }) => state.replaceAll(/[_-]/g, ' ') },
  { heading: 'Created', cell: ({ created }) => moment(created) },
  { heading: 'Finished', cell: ({ finished }) => moment(finished) },
];

const newestJobs = async (client: Tidemark, limit: number): Promise<readonly JobLine[]> =>
  (await Promise.all([importJobs(client, limit), exportJobs(client, limit)]))
    .flat()
    .toSorted((one, other) => other.created.localeCompare(one.created))
    .slice(0, limit);

/** Jobs of a page: the most that the service lists at once. */
const pageOf = (limit: number) => ({ limit: Math.min(limit, 100) });

const importJobs = async (client: Tidemark, limit: number): Promise<readonly JobLine[]> => {
  const lines: JobLine[] = [];
  for await (const job of client.listAllImportJobs({ query: pageOf(limit) })) {
    const { id, name, dry_run, phase, status, created, finished } = job;
    const state = finished === null || undoPhases.includes(phase) ? phase : status;
    lines.push({ id, kind: 'import', name, dry_run, state, created, finished });
    if (lines.length === limit) break;
  }
  return lines;
};

const exportJobs = async (client: Tidemark, limit: number): Promise<readonly JobLine[]> => {
  const { exports } = await client.listExports({ query: { order: 'newest', limit: EXPORTS } });
  return eachOf(exports, async ({ id, name }) => {
    const { jobs } = await client.listExportJobs({ path: { export_id: id }, query: pageOf(limit) });
    return jobs.map((job): JobLine => {
      const { created, finished } = job;
      return {
        id: Number(job.id),
        kind: 'export',
        name: name ?? `export ${id}`,
        dry_run: false,
        state: job.status,
        created,
        finished,
      };
    });
  });
};

/** Calls `work` with each item, a few at once, and joins the lists. */
const eachOf = async <Item, Found>(
  items: readonly Item[],
  work: (item: Item) => Promise<readonly Found[]>,
): Promise<readonly Found[]> => {
  const found: Found[] = [];
  for (let at = 0; at < items.length; at += AT_ONCE)
    found.push(...(await Promise.all(items.slice(at, at + AT_ONCE).map(work))).flat());
  return found;
};
