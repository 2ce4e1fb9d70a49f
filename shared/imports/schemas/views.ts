/** Views: definitions and jobs in the form that the API shows. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { JobWarningCode } from '../../http/row-codes.ts';
import { isoTime } from '../../runtime/clock.ts';
import { showSecret } from '../../webhooks/signature.ts';
import type { DryRunResult } from './dry-run-result.ts';
import type { ImportDefinition } from '../items/import-definition.ts';
import type { ImportJob, Progress } from '../items/import-job.ts';
import {
  type ListCells,
  type Reason,
  type ShownReason,
  type SuspiciousColumn,
  suspiciousColumns,
  shownReasons,
} from '../items/row-findings.ts';
import { wordlessReason, wordlessRemarks } from '../items/wordless-texts.ts';
import { type ReasonSums, reasonsOfJob } from '../counting/tally.ts';
import { importAnswer } from './definition-schemas.ts';
import { shownPhaseOf } from './shown-phase.ts';

/** A definition as the API shows it: the members of the answer, and nothing that clients must not see, such as the secret. */
export const definitionView = (definition: ImportDefinition) =>
  v.parse(importAnswer, {
    ...definition,
    action: 'import_csv_generic',
    created: isoTime(definition.created),
  });

/** A definition that was just stored. Only this view shows the webhook secret. */
export const storedDefinitionView = (definition: ImportDefinition, secret: Uint8Array | undefined) => ({
  ...definitionView(definition),
  ...(secret === undefined ? {} : { webhook_secret: showSecret(secret) }),
});

/** A job as the API shows it. With `showsPeople` its texts may quote the file. */
export const jobView = (job: ImportJob, progress: Progress, showsPeople = false) => {
  return {
    id: job.id,
    name: job.name,
    property: job.property,
    created: isoTime(job.created),
    started: timeOrNull(progress.started),
    finished: timeOrNull(progress.finished),
    file_path: filePathOf(job),
    dialect: dialectOf(job),
    dry_run: job.dryRun,
    phase: shownPhaseOf(job, progress),
    import_definition: job.import,
    counts: countsView(progress),
    failure: job.failure && {
      code: job.failure.code,
      message: showsPeople ? job.failure.message : wordlessReason(job.failure),
      line: job.failure.line,
    },
    warnings: jobWarnings(job, progress.lists, showsPeople),
    undo: undoView(job),
  };
};

const countsView = ({
  status,
  unserializable,
  serialized,
  completed,
  processing,
  failed,
  ingested,
}: Progress) => ({ status, unserializable, serialized, completed, processing, failed, ingested });

/** The undo of a job with its counts so far. It is complete once every index shows it. */
const undoView = ({ undo }: ImportJob) =>
  undo && {
    status: undo.finished === null ? ('running' as const) : ('complete' as const),
    started: isoTime(undo.started),
    finished: timeOrNull(undo.finished),
    values: undo.values,
    people: undo.people,
    segments: undo.segments,
  };

/** What only `GET` shows of a job. */
interface JobDetail {
  readonly sums: readonly ReasonSums[];
  readonly dryRun: DryRunResult | null;
  /** Whether its texts may quote the file. */
  readonly showsPeople: boolean;
}

/** A job as `GET` shows it: with the reasons of its refused and warned rows, and the result of a dry run. */
export const jobDetailView = (
  job: ImportJob,
  progress: Progress,
  { sums, dryRun, showsPeople }: JobDetail,
) => {
  const { refusedBy, warnedBy } = reasonsOfJob(sums);
  const shown = (reasons: readonly Reason[]): readonly ShownReason[] =>
    shownReasons(reasons, limits.imports.shownReasons).map((reason) =>
      showsPeople ? reason : { ...reason, example_message: null },
    );
  return {
    ...jobView(job, progress, showsPeople),
    refused_by: shown(refusedBy),
    warned_by: shown(warnedBy),
    dry_run_result: dryRun,
  };
};

/** A warning about a job as a whole. It did not stop the import. */
interface JobWarning {
  readonly code: JobWarningCode;
  readonly message: string;
  readonly field: string | null;
  readonly column: string | null;
  readonly row: number | null;
  readonly line: number | null;
}

/** Warnings about a job as a whole. `lists` has the cells of the list columns of its file. */
export const jobWarnings = (
  { remarks, unterminated }: ImportJob,
  lists: readonly ListCells[],
  showsPeople: boolean,
): readonly JobWarning[] => [
  ...remarks.map(({ code, message }) => ({
    ...{ code, message: showsPeople ? message : wordlessRemarks[code] },
    ...nowhere,
  })),
  ...(unterminated
    ? [{ code: 'unterminated_last_row' as const, message: UNTERMINATED, ...nowhere, ...unterminated }]
    : []),
  ...suspiciousColumns(lists).map((suspicious) => {
    const { field, column } = suspicious;
    const code = 'suspicious_values' as const;
    return { code, message: suspicion(suspicious), ...nowhere, field, column };
  }),
];

const nowhere = { field: null, column: null, row: null, line: null };

const UNTERMINATED =
  'No line break ends the last row of the file: the file may be truncated. The row was imported as it is.';

const suspicion = ({ field, column, separator, cells, percent }: SuspiciousColumn): string =>
  `${column} (${field}): ${percent} % of ${cells} cells have "${separator}" inside a value. ` +
  `If it separates values, set "split": "${separator}" in the field map.`;

/** A job in the list of the jobs of its definition. */
export const jobSummaryView = (job: ImportJob, progress: Progress, baseUrl: string) => ({
  id: job.id,
  name: job.name,
  created: isoTime(job.created),
  started: timeOrNull(progress.started),
  finished: timeOrNull(progress.finished),
  dry_run: job.dryRun,
  status: progress.status,
  phase: shownPhaseOf(job, progress),
  url: `${baseUrl}/v1/${job.property}/imports/${job.import}/jobs/${job.id}`,
});

/** A job in the list of all jobs of its property, with the name of its definition. */
export const namedJobView = (job: ImportJob, progress: Progress, { baseUrl, name }: NamedJob) => ({
  ...jobSummaryView(job, progress, baseUrl),
  import_definition: job.import,
  import_name: name,
  counts: countsView(progress),
});

interface NamedJob {
  readonly baseUrl: string;
  /** The name of its definition. */
  readonly name: string;
}

/** The path of the file in the SFTP directory of its definition. */
const filePathOf = ({ property, import: importId, file }: ImportJob): string | null =>
  file && `/${property}/imports/${importId}/${file.name}`;

/** The dialect that the service found in the file of a job. */
const dialectOf = ({ layout }: ImportJob) =>
  layout && { encoding: layout.dialect.encoding, delimiter: layout.dialect.delimiter };

const timeOrNull = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
