import { isoTime } from '../../runtime/clock.ts';
import type { ImportDefinition } from './definition.ts';
import type { ImportJob, Progress } from './job.ts';

/** A definition as the API shows it. */
export const definitionView = (definition: ImportDefinition) => ({
  id: definition.id,
  name: definition.name,
  mapping_fields: definition.mapping_fields,
  action: 'import_csv_generic',
  created: isoTime(definition.created),
  test_mode: definition.test_mode,
  file_match_rule: definition.file_match_rule,
  property: definition.property,
  delimiter: definition.delimiter,
  encoding: definition.encoding,
  attribute_source: definition.attribute_source,
  granted_tier: definition.granted_tier,
  skip_appends: definition.skip_appends,
});

/** A job as the API shows it. */
export const jobView = (job: ImportJob, progress: Progress) => {
  const { status, unserializable, serialized, completed, processing, failed, ingested } = progress;
  return {
    id: job.id,
    name: job.name,
    property: job.property,
    created: isoTime(job.created),
    started: timeOf(progress.started),
    finished: timeOf(progress.finished),
    file_path: filePathOf(job),
    import_definition: job.import,
    counts: { status, unserializable, serialized, completed, processing, failed, ingested },
    failure: job.failure && {
      code: job.failure.code,
      message: job.failure.message,
      line: job.failure.line,
    },
    warnings: jobWarnings(job),
  };
};

/** What is to be said of a job as a whole that hindered nothing. */
export const jobWarnings = ({ unterminated }: ImportJob) =>
  unterminated ? [{ code: 'unterminated_last_row', message: UNTERMINATED, ...unterminated }] : [];

const UNTERMINATED =
  'No line break ends the last row of the file: the file may have been cut off there. The row was taken as it is.';

/** A job in the list of its definition's jobs. */
export const jobSummaryView = (job: ImportJob, progress: Progress, baseUrl: string) => ({
  id: job.id,
  name: job.name,
  created: isoTime(job.created),
  started: timeOf(progress.started),
  finished: timeOf(progress.finished),
  status: progress.status,
  url: `${baseUrl}/v1/${job.property}/imports/${job.import}/jobs/${job.id}`,
});

/** The file in the definition's own directory. */
const filePathOf = ({ property, import: importId, file }: ImportJob): string | null =>
  file && `/${property}/imports/${importId}/${file.name}`;

const timeOf = (ms: number | null): string | null => (ms === null ? null : isoTime(ms));
