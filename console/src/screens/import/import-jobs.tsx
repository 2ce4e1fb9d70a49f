/** The jobs of all import definitions, the newest first. */
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { BUSY_MS, useLoad } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import { Loading, Panel } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import type { Answer } from '../../../../client/src/types.ts';

/** A job as the list of all definitions shows it. */
export type ListedJob = Answer<'listAllImportJobs'>['jobs'][number];

/** Whether the service works on a job. One that waits for its file or for batches may wait for ever. */
export const isRunning = ({ finished, phase }: ListedJob): boolean =>
  (finished === null && !phase.startsWith('waiting_')) || phase === 'undoing';

const PAGE = 20;

/** The list, with a button for more. It polls while a job of it runs. */
export const ImportJobs = () => {
  const { api, texts, can } = useApp();
  const words = texts.import.jobs;
  const [limit, setLimit] = useState(PAGE);
  const loaded = useLoad(
    can('definitions.read') ? `jobs ${limit}` : undefined,
    async () => await api.listAllImportJobs({ query: { limit } }),
    ({ jobs }) => (jobs.some(isRunning) ? BUSY_MS : undefined),
  );
  if (!can('definitions.read') || loaded.data?.jobs.length === 0) return null;
  return (
    <Panel
      title={words.title}
      footer={
        typeof loaded.data?.paging.next_page === 'string' ? (
          <button
            type="button"
            class="button plain small"
            onClick={() => {
              setLimit(limit + PAGE);
            }}
          >
            {texts.parts.moreOfUnknown}
          </button>
        ) : undefined
      }
    >
      <Loading from={loaded} texts={texts}>
        {({ jobs }) => <JobsTable jobs={jobs} />}
      </Loading>
    </Panel>
  );
};

const JobsTable = ({ jobs }: { readonly jobs: readonly ListedJob[] }) => {
  const { texts } = useApp();
  return (
    <FilesTable>
      {jobs.map((job) => (
        <JobRow key={job.id} job={job} kind={job.dry_run ? `${texts.import.jobs.dryRun} · ` : ''} />
      ))}
    </FilesTable>
  );
};

/** A table of files: the name, the result and the time of each. */
export const FilesTable = ({ children }: { readonly children: ComponentChildren }) => {
  const words = useApp().texts.import.jobs;
  return (
    <table class="cards">
      <thead>
        <tr>
          <th scope="col">{words.file}</th>
          <th scope="col">{words.result}</th>
          <th scope="col" class="number">
            {words.when}
          </th>
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
};

/** A job in a table of files. `kind` is the text before the name of its definition. */
export const JobRow = ({ job, kind }: { readonly job: ListedJob; readonly kind: string }) => {
  const { format } = useApp();
  return (
    <tr>
      <th scope="row">
        <a href={linkTo('import', [job.import_definition, job.id])}>
          <bdi>{job.name}</bdi>
        </a>
        <span class="second">
          {kind}
          <bdi>{job.import_name}</bdi>
        </span>
      </th>
      <td class="whole">
        <JobResult job={job} />
      </td>
      <td class="number small muted">{format.when(job.created)}</td>
    </tr>
  );
};

/** What became of a job, in a word and a number. */
const JobResult = ({ job }: { readonly job: ListedJob }) => {
  const { texts, format } = useApp();
  const words = texts.import.jobs;
  const { phase, counts, finished } = job;
  const refused = counts.unserializable + counts.failed;
  const second = (job.dry_run ? words.wouldStore : words.storedOf)(
    format.number(counts.completed),
    format.number(counts.ingested),
  );
  const state = (kind: string, icon: 'tick' | 'warn' | 'cross' | 'undo' | undefined, text: string) => (
    <>
      <span class={`state ${kind}`}>
        {icon !== undefined && <Icon name={icon} small />}
        {text}
      </span>
      {phase !== 'undone' && <span class="second">{second}</span>}
    </>
  );
  if (phase === 'failed') return state('bad', 'cross', words.failed);
  if (phase === 'undone') return state('', 'undo', texts.import.phase.undone);
  if (phase === 'cancelled') return state('', undefined, texts.import.phase.cancelled);
  if (finished === null || phase === 'undoing') return state('run', undefined, texts.import.phase[phase]);
  return refused > 0
    ? state('warn', 'warn', words.refused(format.number(refused), refused))
    : state('', 'tick', texts.import.phase.complete);
};
