/** What the screen "Home" shows: jobs of imports, exports with their newest jobs, timelines, and the largest segments. */
import { useApp } from '../../app-context.ts';
import { useExports, type Exports } from '../../exports/use-exports.ts';
import { BUSY_MS, IDLE_MS, useLoad, type Loaded } from '../../load.ts';
import type { Answer } from '../../../../client/src/types.ts';
import { isRunning, type ListedJob } from '../import/import-jobs.tsx';
import { useImportNotices, type ImportNotice } from './import-notices.ts';

/** Everything that the screen shows, each loaded for itself: one that fails does not hide the others. */
export interface Overview {
  readonly imports: Loaded<readonly ListedJob[]>;
  readonly exports: Loaded<Exports>;
  /** Notices about imports that have ended, which have not arrived. */
  readonly notices: Loaded<readonly ImportNotice[]>;
  readonly timelines: Loaded<Answer<'listTimelines'>>;
  readonly sizes: Loaded<Answer<'listSegmentSizes'>>;
}

/** Import jobs that are looked at, and exports, among which the lasting ones are shown. */
const JOBS = 50;
const EXPORTS = 200;
/** Downloads that are shown among the files. */
const DOWNLOADS = 8;
const TIMELINES = 100;
/** `everyone` and the largest segments, more than are shown. */
const SIZES = 20;

/** Loads the screen and follows what runs. */
export const useOverview = (): Overview => {
  const { api } = useApp();
  const imports = useLoad(
    'imports',
    async () => {
      const { jobs } = await api.listAllImportJobs({ query: { limit: JOBS } });
      return jobs.filter(({ dry_run }) => !dry_run);
    },
    (jobs) => (jobs.some(isRunning) ? BUSY_MS : IDLE_MS),
  );
  return {
    imports,
    exports: useExports('exports', { listed: EXPORTS, downloads: DOWNLOADS, slowMs: IDLE_MS }),
    notices: useImportNotices(imports.data ?? []),
    timelines: useLoad('timelines', async () => await api.listTimelines({ query: { limit: TIMELINES } })),
    sizes: useLoad(
      'sizes',
      async () => await api.listSegmentSizes({ query: { limit: SIZES } }),
      () => IDLE_MS,
    ),
  };
};
