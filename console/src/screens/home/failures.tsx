/** What failed: imports, exports, and files that did not arrive, each with what mends it. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { RunAgain } from '../../exports/actions.tsx';
import {
  exportName,
  placeOf,
  undelivered,
  type ExportJob,
  type ExportWithJob,
} from '../../exports/exports.ts';
import { useAction } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import { Notice, Problem } from '../../parts/notice.tsx';
import { linkTo } from '../../route.ts';
import type { ListedJob } from '../import/import-jobs.tsx';
import { Attempts } from './attempts.tsx';

/** A failed import is news for a week. A failed export is news until it runs again. */
const NEWS_MS = 7 * 86_400_000;

const isNews = ({ phase, created }: ListedJob, now: number): boolean =>
  phase === 'failed' && now - Date.parse(created) < NEWS_MS;

/** The notices, or nothing. `onChange` follows a run or a replay. */
export const Failures = (props: {
  readonly imports: readonly ListedJob[];
  readonly exports: readonly ExportWithJob[];
  readonly onChange: () => void;
}) => {
  const { texts, format } = useApp();
  const words = texts.home.failures;
  const { imports, exports, onChange } = props;
  return (
    <>
      {imports
        .filter((job) => isNews(job, Date.now()))
        .map((job) => (
          <Notice
            key={job.id}
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
        ))}
      {exports.map((one) => (
        <ExportFailure key={one.definition.id} of={one} onChange={onChange} />
      ))}
    </>
  );
};

const ExportFailure = ({ of, onChange }: { readonly of: ExportWithJob; readonly onChange: () => void }) => {
  const { texts, format } = useApp();
  const words = texts.home.failures;
  const { job } = of;
  const name = exportName(texts, of);
  const delivery = undelivered(of);
  if (job === undefined) return null;
  if (job.status === 'failed') {
    return (
      <Notice kind="bad" title={words.export(name)} actions={<RunAgain of={of} onChange={onChange} />}>
        <p>{job.error?.detail}</p>
        <p class="code">
          {format.when(job.finished)} · {job.error?.code}
        </p>
      </Notice>
    );
  }
  if (job.status !== 'complete' || delivery === undefined) return null;
  return (
    <Notice
      kind="bad"
      title={words.delivery(name, placeOf(of) ?? '')}
      actions={<DeliveryButtons job={job} delivery={delivery.id} onChange={onChange} />}
    >
      <p>{delivery.last_error}</p>
      <p class="code">
        {words.attempts(format.number(delivery.attempts), delivery.attempts)}
        {delivery.next_attempt !== null && ` · ${words.next(format.when(delivery.next_attempt))}`}
      </p>
    </Notice>
  );
};

const DeliveryButtons = (props: {
  readonly job: ExportJob;
  readonly delivery: string;
  readonly onChange: () => void;
}) => {
  const { api, texts, can } = useApp();
  const { job, delivery, onChange } = props;
  const words = texts.home.failures;
  const [isOpen, setIsOpen] = useState(false);
  const path = { export_id: job.export, job_id: job.id, delivery };
  const replay = useAction(async () => {
    await api.replayDelivery({ path });
    onChange();
  });
  return (
    <>
      <button
        type="button"
        class="button small"
        onClick={() => {
          setIsOpen(true);
        }}
      >
        {words.seeAttempts}
      </button>
      {can('exports.write') && (
        <button
          type="button"
          class="button small"
          aria-disabled={replay.running}
          onClick={() => {
            replay.run();
          }}
        >
          <Icon name="again" small />
          {words.replay}
        </button>
      )}
      <Problem error={replay.problem} texts={texts} />
      {isOpen && (
        <Attempts
          path={path}
          onClose={() => {
            setIsOpen(false);
          }}
        />
      )}
    </>
  );
};
