/** Why rows of a job were refused or warned about, with the rows themselves on request. */
import { useState } from 'preact/hooks';
import { useApp } from '../../app-context.ts';
import { useLoad } from '../../load.ts';
import { Icon } from '../../parts/icon.tsx';
import { DownloadReport } from './download-report.tsx';
import { RowGroups } from './mend.tsx';
import { Reasons } from './reasons.tsx';
import { readReport, type JobPath, type ReportedRows, type Report } from './report-rows.ts';
import type { Reason } from './row-words.ts';
import type { ImportJob } from './use-trial.ts';

interface ReportedProps {
  readonly job: ImportJob;
  readonly report: Report;
  readonly title: string;
  readonly reasons: readonly Reason[];
}

/** The reasons, and buttons that show and download their rows. A look at rows is a look at people: the audit log has it. */
export const Reported = (props: ReportedProps) => {
  const { texts, can } = useApp();
  const { job, report, title, reasons } = props;
  const [isOpen, setIsOpen] = useState(false);
  if (!can('people.read') || job.finished === null) return <Reasons title={title} reasons={reasons} />;
  const path: JobPath = { import_id: job.import_definition, job_id: job.id };
  const all = reasons.reduce((sum, { count }) => sum + count, 0);
  const footer = (
    <>
      <button type="button" class="button" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        <Icon name="right" small />
        {texts.import.reasons.show}
      </button>
      <DownloadReport report={report} path={path} name={job.name} all={all} />
    </>
  );
  return (
    <>
      <Reasons title={title} reasons={reasons} footer={footer} />
      {isOpen && <Rows {...props} path={path} />}
    </>
  );
};

const Rows = ({ job, report, reasons, path }: ReportedProps & { readonly path: JobPath }) => {
  const { api } = useApp();
  const [more, setMore] = useState<ReportedRows | undefined>(undefined);
  const loaded = useLoad(`${job.finished} ${more?.rows.length ?? 0}`, () =>
    readReport(api, path, report, more),
  );
  return (
    <RowGroups
      job={job}
      reasons={reasons}
      loaded={loaded}
      mending={undefined}
      readMore={() => {
        setMore(loaded.data);
      }}
    />
  );
};
