/** What a dry run found: what an import would store, and what stops or warns. */
import { useApp } from '../../app-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { Notice } from '../../parts/notice.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Reported } from './reported.tsx';
import type { ImportJob, Progress } from './use-trial.ts';

/** The figures of a dry run, and the reasons of refused rows and of cells that are left out. */
export const TrialPanel = ({ job }: { readonly job: ImportJob }) => {
  const { texts, format } = useApp();
  const words = texts.import.trial;
  const { failure, dry_run_result: result, counts, refused_by, warned_by } = job;
  if (failure !== null) {
    return (
      <Notice kind="bad" title={words.failed}>
        <p>{failure.message}</p>
        <p class="code">{failure.code}</p>
      </Notice>
    );
  }
  const refused = counts.unserializable + counts.failed;
  const people = result?.people;
  // A person may be in several rows.
  const again = people ? counts.completed - people.new - people.changed - people.unchanged : 0;
  return (
    <>
      <Remarks job={job} />
      <Panel title={words.title} aside={<Tried />} body>
        <dl class="figures">
          <Figure name={words.stored} value={format.number(counts.completed)} />
          {result !== null && (
            <>
              <Figure
                name={words.newPeople}
                value={format.number(result.people.new)}
                {...(again > 0 ? { second: words.again(format.number(again), again) } : {})}
              />
              <Figure name={words.changedPeople} value={format.number(result.people.changed)} />
            </>
          )}
          <Figure
            name={words.refused}
            value={format.number(refused)}
            {...(refused > 0 ? { second: words.mendAfter } : {})}
          />
          {result !== null && (
            <>
              <Figure name={words.warnings} value={format.number(result.rows.warnings)} second={words.kept} />
              <Figure name={words.newSegments} value={format.number(result.new_segments.count)} />
            </>
          )}
        </dl>
        {result === null && <p class="small muted">{words.hidden}</p>}
      </Panel>
      {refused_by.length + warned_by.length > 0 && <TrialReasons job={job} />}
    </>
  );
};

/** Why rows are refused and cells left out: side by side, until the reader looks at the rows. */
const TrialReasons = ({ job }: { readonly job: ImportJob }) => {
  const words = useApp().texts.import.trial;
  const { refused_by, warned_by } = job;
  const isBoth = refused_by.length > 0 && warned_by.length > 0;
  const reports = [
    ['listImportErrors', words.refusedBy, refused_by],
    ['listImportWarnings', words.warnedBy, warned_by],
  ] as const;
  return (
    <div class={isBoth ? 'halves' : 'stack wide'}>
      {reports.map(([report, title, reasons]) => (
        <div key={report} class="stack wide">
          <Reported {...{ job, report, title, reasons }} />
        </div>
      ))}
    </div>
  );
};

/** What would stop the import, and what the service remarked about the file. */
const Remarks = ({ job: { dry_run_result: result, warnings } }: { readonly job: ImportJob }) => {
  const words = useApp().texts.import.trial;
  return (
    <>
      {result?.stopped_by && (
        <Notice kind="bad" title={words.stopped}>
          <p>{result.stopped_by.message}</p>
          <p class="code">{result.stopped_by.code}</p>
        </Notice>
      )}
      {warnings.map(({ message, code }) => (
        <Notice key={`${code} ${message}`} kind="warn">
          <p>{message}</p>
        </Notice>
      ))}
    </>
  );
};

const Tried = () => (
  <span class="state">
    <Icon name="tick" small />
    {useApp().texts.import.trial.tried}
  </span>
);

/** A number with its name. */
export const Figure = (props: {
  readonly name: string;
  readonly value: string;
  readonly second?: string;
}) => (
  <div>
    <dt>{props.name}</dt>
    <dd>
      {props.value}
      {props.second !== undefined && <small>{props.second}</small>}
    </dd>
  </div>
);

/** A file on its way, or a dry run at work. */
export const ProgressPanel = ({ progress }: { readonly progress: Progress }) => {
  const { texts, format } = useApp();
  const words = texts.import.trial;
  if (progress.kind === 'sending') {
    const { sent, size } = progress;
    return (
      <Panel title={words.sending} body>
        <progress value={sent} max={Math.max(1, size)} aria-label={words.sending} />
        <p class="small muted">{words.sent(format.bytes(sent), format.bytes(size))}</p>
      </Panel>
    );
  }
  const { ingested, processing } = progress.job.counts;
  return (
    <Panel title={words.trying} body>
      <progress aria-label={words.trying} />
      <p class="small muted">{words.triedRows(format.number(ingested - processing))}</p>
    </Panel>
  );
};
