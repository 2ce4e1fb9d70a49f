/** The page of an import job: its bar, its refused rows, and its undo. */
import { useApp } from '../../app-context.ts';
import { useLoad, type Loaded } from '../../load.ts';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Live, Notice } from '../../parts/notice.tsx';
import { Head, Loading, Panel } from '../../parts/panel.tsx';
import { linkTo } from '../../route.ts';
import { DownloadReport } from './download-report.tsx';
import { JobProgress } from './job-progress.tsx';
import { Mend, SendMended } from './mend.tsx';
import { useMending, type Mending } from './use-mending.ts';
import { Reasons } from './reasons.tsx';
import { Reported } from './reported.tsx';
import type { JobPath } from './report-rows.ts';
import { Steps } from './steps.tsx';
import { TrialPanel } from './trial-panel.tsx';
import { canBeUndone, UndoButton, UndoReceipt } from './undo.tsx';
import type { ImportJob } from './use-trial.ts';

const POLL_MS = 1_000;

/** A job may wait for its file or its records for ever. */
const WAITING_MS = 15_000;

/** Shows a job, and follows it as long as it changes. */
export const ImportJobScreen = (props: { readonly importId: number; readonly jobId: number }) => {
  const { api, texts } = useApp();
  const { importId, jobId } = props;
  const path: JobPath = { import_id: importId, job_id: jobId };
  const loaded = useLoad(
    `job ${importId} ${jobId}`,
    () => api.getImportJob({ path }),
    ({ finished, undo, phase }) => {
      if (finished !== null && undo?.status !== 'running') return undefined;
      return phase.startsWith('waiting_') ? WAITING_MS : POLL_MS;
    },
  );
  const mending = useMending(path, loaded.data, loaded.reload);
  return (
    <>
      <Live text={useJobWords(loaded.data, mending)} />
      {loaded.data === undefined && <Head title={texts.import.title} />}
      <Loading from={loaded} texts={texts}>
        {(job) => <Job job={job} path={path} mending={mending} reload={loaded.reload} />}
      </Loading>
    </>
  );
};

/** What became of a job, of its mended rows or of its undo, for those who hear the page. */
const useJobWords = (job: ImportJob | undefined, { outcome }: Mending): string => {
  const { texts, format } = useApp();
  const { job: words, mend, phase } = texts.import;
  if (job === undefined || job.finished === null) return '';
  if (job.phase !== 'complete') return phase[job.phase];
  if (job.dry_run) return words.dryRun;
  if (refusedOf(job) === 0) return words.complete;
  const stored = words.storedOf(format.number(job.counts.completed), format.number(job.counts.ingested));
  const again = outcome?.refused ?? 0;
  return again > 0
    ? `${stored}. ${mend.again(format.number(again), format.number(outcome?.sent ?? 0))}`
    : stored;
};

interface JobProps {
  readonly job: ImportJob;
  readonly path: JobPath;
  readonly mending: Mending;
  readonly reload: Loaded<ImportJob>['reload'];
}

const refusedOf = ({ counts }: ImportJob): number => counts.unserializable + counts.failed;

const stepOf = (job: ImportJob, isLeft: boolean): 'import' | 'mend' | 'done' => {
  if (isLeft) return 'mend';
  return job.phase === 'complete' && !job.dry_run ? 'done' : 'import';
};

const Job = (props: JobProps) => {
  const { texts, format, can } = useApp();
  const { job, mending } = props;
  const words = texts.import.job;
  const refused = refusedOf(job);
  const isRunning = job.finished === null;
  const isLeft = !isRunning && job.undo === null && !job.dry_run && refused > 0;
  const isMended = isLeft && can('people.read');
  const when = format.when(job.created);
  const title = isMended ? words.wait(format.number(refused), refused, job.name) : job.name;
  return (
    <>
      {job.undo === null && <Steps at={stepOf(job, isLeft)} />}
      <Head title={title} line={isMended && can('people.write') ? words.mendLine : words.began(when)}>
        <Buttons {...props} isMended={isMended} />
      </Head>
      {job.failure !== null && (
        <Notice kind="bad" title={words.failed}>
          <p>{job.failure.message}</p>
          <p class="code">{job.failure.code}</p>
        </Notice>
      )}
      {job.undo !== null && <UndoReceipt undo={job.undo} />}
      {job.dry_run && !isRunning ? (
        <>
          <Notice>{words.dryRun}</Notice>
          {job.failure === null && <TrialPanel job={job} />}
        </>
      ) : (
        job.undo === null && <State job={job} mending={mending} />
      )}
      {!job.dry_run &&
        job.warnings.map(({ message, code }) => (
          <Notice key={`${code} ${message}`} kind="warn">
            <p>{message}</p>
          </Notice>
        ))}
      {isMended ? (
        <Mend job={job} mending={mending} />
      ) : (
        !job.dry_run && job.undo === null && <Reasons title={words.refusedSoFar} reasons={job.refused_by} />
      )}
      {!job.dry_run && job.undo === null && (
        <Reported job={job} report="listImportWarnings" title={words.warnedBy} reasons={job.warned_by} />
      )}
    </>
  );
};

/** How many rows are stored, ready to send, and left; while the job runs, its bar. */
const State = ({ job, mending }: { readonly job: ImportJob; readonly mending: Mending }) => {
  const { texts, format } = useApp();
  const words = texts.import.job;
  const { counts, finished, phase, undo } = job;
  if (finished === null) {
    return (
      <Panel title={words.running} body>
        <JobProgress job={job} />
      </Panel>
    );
  }
  const refused = refusedOf(job);
  const ready = mending.edits.size;
  const isComplete = phase === 'complete' && refused === 0 && undo === null;
  const stored = words.storedOf(format.number(counts.completed), format.number(counts.ingested));
  const titleOf = (): string => {
    if (isComplete) return words.complete;
    return phase === 'complete' ? stored : texts.import.phase[phase];
  };
  return (
    <Panel
      title={titleOf()}
      aside={
        <span class="state">
          {isComplete && <Icon name="tick" small />}
          {format.when(finished)}
        </span>
      }
      body
    >
      <progress
        value={counts.completed}
        max={Math.max(1, counts.ingested)}
        aria-label={words.progress(job.name)}
      />
      <p class="row small muted facts-line">
        {phase !== 'complete' || isComplete ? <span>{stored}</span> : null}
        {ready > 0 && <span>{words.ready(format.number(ready))}</span>}
        {refused > ready && undo === null && <span>{words.toMend(format.number(refused - ready))}</span>}
      </p>
      {isComplete && (
        <p>
          <a href={linkTo('segments')}>{words.seeSegments}</a>
        </p>
      )}
    </Panel>
  );
};

const Buttons = ({ job, path, mending, reload, isMended }: JobProps & { readonly isMended: boolean }) => {
  const { can } = useApp();
  return (
    <>
      {job.finished === null && !job.dry_run && can('people.write') && (
        <StopButton job={job} path={path} onStop={reload} />
      )}
      {can('people.erase') && canBeUndone(job, Date.now()) && (
        <UndoButton job={job} path={path} onUndo={reload} />
      )}
      {isMended && (
        <DownloadReport report="listImportErrors" path={path} name={job.name} all={refusedOf(job)} />
      )}
      {isMended && <SendMended mending={mending} />}
    </>
  );
};

/** The button that stops a job, and asks before. */
const StopButton = (props: {
  readonly job: ImportJob;
  readonly path: JobPath;
  readonly onStop: () => void;
}) => {
  const { api, texts, format } = useApp();
  const { job, path } = props;
  const words = texts.import.job;
  return (
    <ConfirmButton
      label={words.stop}
      title={words.stopTitle(job.name)}
      cancel={words.goOn}
      confirm={words.stopConfirm}
      work={async () => {
        await api.cancelImportJob({ path });
        props.onStop();
      }}
    >
      <p>{words.stopLine(format.number(job.counts.completed))}</p>
    </ConfirmButton>
  );
};
