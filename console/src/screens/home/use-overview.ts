/** What the screen "Home" shows: jobs of imports, exports with their newest jobs, timelines, and the largest segments. */
import { useRef } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useLoad, type Loaded } from '../../load.ts';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { Answer } from '../../../../client/src/types.ts';
import { isAtWork, type ExportWithJob } from '../../exports/exports.ts';
import { isRunning, type ListedJob } from '../import/import-jobs.tsx';

/** Everything that the screen shows, each loaded for itself: one that fails does not hide the others. */
export interface Overview {
  readonly imports: Loaded<readonly ListedJob[]>;
  readonly exports: Loaded<readonly ExportWithJob[]>;
  readonly timelines: Loaded<Answer<'listTimelines'>>;
  /** The exports whose mail waits until the owner of the address has confirmed it. */
  readonly waiting: ReadonlySet<string>;
  readonly sizes: Loaded<Answer<'listSegmentSizes'>>;
}

/** Import jobs that are looked at, and exports whose newest job is. */
const JOBS = 50;
const EXPORTS = 30;
const TIMELINES = 100;
/** `everyone` and the largest segments, more than are shown. */
const SIZES = 20;
const ADDRESSES = 100;

/** How often to ask while something runs, and otherwise. Exports take a request each. */
const FAST_MS = 2_000;
const SLOW_MS = 30_000;

/** The exports with their newest jobs. An export of `earlier` that was not at work, and has its status still, keeps its job. */
const withJobs = async (
  api: Tidemark,
  earlier: readonly ExportWithJob[] = [],
): Promise<readonly ExportWithJob[]> => {
  const { exports } = await api.listExports({ query: { order: 'newest', limit: EXPORTS } });
  return Promise.all(
    exports.map(async (definition): Promise<ExportWithJob> => {
      if (definition.status === 'scheduled') return { definition, job: undefined };
      const before = earlier.find((one) => one.definition.id === definition.id);
      if (before && !isAtWork(before) && before.definition.status === definition.status)
        return { definition, job: before.job };
      const path = { export_id: definition.id };
      const { jobs } = await api.listExportJobs({ path, query: { order: 'newest', limit: 1 } });
      return { definition, job: jobs[0] };
    }),
  );
};

/** Loads the screen and follows what runs. */
export const useOverview = (): Overview => {
  const { api } = useApp();
  const addresses = useLoad(
    'addresses',
    async () => (await api.listNotificationEmails({ query: { limit: ADDRESSES } })).notification_emails,
    () => SLOW_MS,
  );
  const followed = useRef<readonly ExportWithJob[]>([]);
  const exports = useLoad(
    'exports',
    async () => {
      const all = await withJobs(api, followed.current);
      // While something is at work only that is asked for; the rest is asked for again with the next slow look.
      followed.current = all.some(isAtWork) ? all : [];
      return all;
    },
    (all) => (all.some(isAtWork) ? FAST_MS : SLOW_MS),
  );
  return {
    imports: useLoad(
      'imports',
      async () => {
        const { jobs } = await api.listAllImportJobs({ query: { limit: JOBS } });
        return jobs.filter(({ dry_run }) => !dry_run);
      },
      (jobs) => (jobs.some(isRunning) ? FAST_MS : SLOW_MS),
    ),
    waiting: new Set(
      addresses.data?.flatMap(({ status, export_id }) =>
        status === 'unconfirmed' && export_id !== null ? [export_id] : [],
      ),
    ),
    exports: {
      ...exports,
      reload: () => {
        followed.current = [];
        exports.reload();
      },
    },
    timelines: useLoad('timelines', async () => await api.listTimelines({ query: { limit: TIMELINES } })),
    sizes: useLoad(
      'sizes',
      async () => await api.listSegmentSizes({ query: { limit: SIZES } }),
      () => SLOW_MS,
    ),
  };
};
