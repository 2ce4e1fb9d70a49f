/** What failed: imports, exports, and what did not arrive, each with what mends it. */
import { useApp } from '../../app-context.ts';
import { RunAgain } from '../../exports/actions.tsx';
import { exportName, placeOf, undeliveredIn, type ExportWithJob } from '../../exports/exports.ts';
import { Notice } from '../../parts/notice.tsx';
import { linkTo } from '../../route.ts';
import type { ListedJob } from '../import/import-jobs.tsx';
import type { ImportNotice } from './import-notices.ts';
import { isNews } from './news.ts';
import { Undelivered } from './undelivered.tsx';
import type { Overview } from './use-overview.ts';

/** The notices, or nothing. A failed export is news until it runs again. */
export const Failures = ({
  imports,
  notices,
  exports,
}: Pick<Overview, 'imports' | 'notices' | 'exports'>) => (
  <>
    {imports.data
      ?.filter(({ phase, created }) => phase === 'failed' && isNews(created, Date.now()))
      .map((job) => (
        <ImportFailure key={job.id} job={job} />
      ))}
    {notices.data?.map((notice) => (
      <NoticeFailure key={notice.delivery.id} of={notice} onChange={notices.reload} />
    ))}
    {exports.data?.exports.map((one) => (
      <ExportFailure key={one.definition.id} of={one} onChange={exports.reload} />
    ))}
  </>
);

const ImportFailure = ({ job }: { readonly job: ListedJob }) => {
  const { texts, format } = useApp();
  const words = texts.home.failures;
  return (
    <Notice
      kind="bad"
      title={words.import(job.name)}
      actions={
        <a class="button small" href={linkTo('import', [job.import_definition, job.id])}>
          {words.seeWhy}
        </a>
      }
    >
      <p>{format.when(job.created)}</p>
    </Notice>
  );
};

const NoticeFailure = ({ of, onChange }: { readonly of: ImportNotice; readonly onChange: () => void }) => {
  const { api, texts, can } = useApp();
  const { job, place, delivery } = of;
  const path = { import_id: job.import_definition, job_id: job.id, delivery: delivery.id };
  return (
    <Undelivered
      title={texts.home.failures.notice(job.name, place)}
      delivery={delivery}
      load={() => Promise.resolve(delivery.log)}
      replay={can('people.write') ? () => api.replayAnnouncement({ path }) : undefined}
      onChange={onChange}
    />
  );
};

const ExportFailure = ({ of, onChange }: { readonly of: ExportWithJob; readonly onChange: () => void }) => {
  const { api, texts, format, can } = useApp();
  const words = texts.home.failures;
  const { definition, job } = of;
  const name = exportName(texts, definition);
  if (job?.status === 'failed') {
    return (
      <Notice
        kind="bad"
        title={words.export(name)}
        actions={can('exports.write') && <RunAgain of={of} onChange={onChange} />}
      >
        <p>{job.error?.detail}</p>
        <p class="code">
          {format.when(job.finished)} · {job.error?.code}
        </p>
      </Notice>
    );
  }
  const delivery = undeliveredIn(job?.deliveries ?? []);
  if (job?.status !== 'complete' || delivery === undefined) return null;
  const path = { export_id: job.export, job_id: job.id, delivery: delivery.id };
  return (
    <Undelivered
      title={words.delivery(name, placeOf(definition, delivery.kind) ?? '')}
      delivery={delivery}
      load={async () => (await api.getDelivery({ path })).log}
      replay={can('exports.write') ? () => api.replayDelivery({ path }) : undefined}
      onChange={onChange}
    />
  );
};
