/** What runs now, with a bar for each. */
import { useApp } from '../../app-context.ts';
import { exportName, isRunning as isExportRunning, type ExportWithJob } from '../../exports/exports.ts';
import { ExportName } from '../../exports/table.tsx';
import { Panel } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import { isRunning, type ListedJob } from '../import/import-jobs.tsx';
import { JobProgress } from '../import/job-progress.tsx';

/** Imports and exports that run; nothing if none does. */
export const Running = (props: {
  readonly imports: readonly ListedJob[];
  readonly exports: readonly ExportWithJob[];
}) => {
  const { texts, format } = useApp();
  const words = texts.home.running;
  const imports = props.imports.filter(isRunning);
  const exports = props.exports.flatMap((one) =>
    one.job && isExportRunning(one) ? [{ definition: one.definition, job: one.job }] : [],
  );
  if (imports.length + exports.length === 0) return null;
  return (
    <Panel title={words.title} body>
      {imports.map((job) => (
        <div key={job.id} class="stack running">
          <a href={linkTo('import', [job.import_definition, job.id])}>
            <b>
              <bdi>{job.name}</bdi>
            </b>
          </a>
          <JobProgress job={job} />
        </div>
      ))}
      {exports.map(({ definition, job }) => (
        <div key={job.id} class="stack running">
          <b>
            <ExportName of={definition} />
          </b>
          <progress value={job.progress} max={1} aria-label={words.progress(exportName(texts, definition))} />
          <p class="small muted">
            {job.status === 'pending' ? words.pending : words.written(format.percent(job.progress, 1))}
          </p>
        </div>
      ))}
    </Panel>
  );
};
