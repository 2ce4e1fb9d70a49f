/** Job schemas: bodies and answers of the routes of import jobs. */
import * as v from 'valibot';
import { delimiterNames, encodings } from '../../csv/dialect.ts';
import { importFailureCode, jobWarningCode, rowCode } from '../../http/code-schemas.ts';
import { described } from '../../http/described.ts';
import { paging } from '../../http/list-schemas.ts';
import { idSchema } from '../../http/text.ts';
import { importName } from './names.ts';
import { dryRunResult } from './dry-run-result.ts';
import { jobStatuses } from '../items/job-status.ts';
import { shownPhases } from './shown-phase.ts';

/** Whether a new job is a dry run. */
export const dryRun = described(
  'Whether the job is a dry run: it applies all rules and reports the result, but stores no profile. Each job of a definition in `test_mode` is a dry run.',
  v.exactOptional(v.boolean()),
);

/** Body of `POST jobs`. */
export const jobBody = v.strictObject({
  name: described('The name of the job. Several jobs may have the same name.', importName),
  dry_run: dryRun,
});
export type JobBody = v.InferOutput<typeof jobBody>;

const time = v.pipe(v.string(), v.isoTimestamp());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The encoding and the delimiter of one file. */
export const shownDialect = v.object({
  encoding: described('The encoding in which the service reads the file.', v.picklist(encodings)),
  delimiter: described('The character between two cells.', v.picklist(delimiterNames)),
});

/** Why a file cannot be imported. */
export const shownFailure = v.object({
  code: described('A stable code of the reason.', importFailureCode),
  message: described('The reason in words, with what to do about it.', v.string()),
  line: described(
    'The line of the file at fault, from 1. Null if no single line is at fault.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
});

/** The numbers of the records of a job. */
export const shownCounts = v.object({
  status: described(
    'The coarse state of the job; `phase` is finer. `unknown`: no file or batch has arrived. `complete`: all records are stored and visible. `complete-with-errors`: the same, but some records were refused or failed.',
    v.picklist(jobStatuses),
  ),
  unserializable: described('Records that the mapping or a rule refused.', count),
  serialized: described(
    'Records that are valid so far: `processing` + `completed` + `failed`. A record without a result counts as valid.',
    count,
  ),
  completed: described('Records that are stored. A dry run counts the records that it would store.', count),
  processing: described('Records without a result.', count),
  failed: described(
    'Valid records that were not stored, for example because the job was cancelled or a profile is full.',
    count,
  ),
  ingested: described('All records that the service accepted: `serialized` + `unserializable`.', count),
});

/** A warning about the file of a job. */
export const shownWarning = v.object({
  code: described(
    'A stable code. `unterminated_last_row`: the file may be cut off. `uncertain_encoding`: the letters of the file fit several encodings. `decoded_twice`: text of the file was decoded once too often. `suspicious_values`: a list column seems to be split at the wrong separator.',
    jobWarningCode,
  ),
  message: described('The warning in words, with what to do about it.', v.string()),
  field: described(
    'The field that the warning is about. Null if it is about no field.',
    v.nullable(v.string()),
  ),
  column: described(
    'The column of the file. Null if the warning is about no column.',
    v.nullable(v.string()),
  ),
  row: described(
    'The number of the row, from 1 after the header. Null if the warning is about no single row.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
  line: described(
    'The line on which that row begins. Null if the warning is about no single row.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
});

/** The undo of a job. */
export const shownUndo = v.object({
  status: described(
    '`complete`: segments and profiles no longer show the values of the job.',
    v.picklist(['running', 'complete']),
  ),
  started: described('When a client asked for the undo.', time),
  finished: described('When the undo was complete. Null while it runs.', v.nullable(time)),
  values: described(
    'The values of the job.',
    v.object({
      taken_back: described('Values that the undo removed.', count),
      replaced: described('Values that newer values had replaced before the undo.', count),
      kept: described('Withdrawals of consent. People said so, and no undo takes them back.', count),
    }),
  ),
  people: described(
    'The people with values of the job, as far as the undo has processed them. Forgotten people do not count.',
    v.object({
      removed: described('People without other values. Lookups no longer find them.', count),
      changed: described('People who have other values than before the undo.', count),
      unchanged: described(
        'People with the same values as before: newer values had replaced all values of the job, or they keep them.',
        count,
      ),
      not_restored: described(
        'People whom the undo restored only in part; the other counts have them, too. Newer values had taken the room in ' +
          'the profile, or a part of the undo log is lost, and the people keep the values of the job that it named.',
        count,
      ),
    }),
  ),
  segments: described(
    'The segments that lost their last member in the undo.',
    v.object({
      removed: described('Segments that the undo removed because nothing else names them.', count),
    }),
  ),
});

/** An import job in an answer. */
export const jobAnswer = v.object({
  id: described('The id of the job.', idSchema),
  name: described(
    'The name of the job: the name of its file, or the name that the client gave it.',
    v.string(),
  ),
  property: described('The id of the property that the job belongs to.', v.pipe(v.number(), v.integer())),
  created: described('When the job was created.', time),
  started: described(
    'When the service began to read the file, or accepted the first batch. Null before that.',
    v.nullable(time),
  ),
  finished: described(
    'When the job ended. Null while it runs, and again while it processes another batch or a retry.',
    v.nullable(time),
  ),
  file_path: described(
    'The path of the file in the directory of its import. Null for a job that takes batches.',
    v.nullable(v.string()),
  ),
  dialect: described(
    'The encoding and the delimiter of the file. Null until its header is read, and for a job that takes batches.',
    v.nullable(shownDialect),
  ),
  dry_run: described('Whether the job is a dry run, which stores no profile.', v.boolean()),
  phase: described(
    'What the job is doing now. `settling`: all records are stored, and are becoming visible in the segments.',
    v.picklist(shownPhases),
  ),
  import_definition: described('The id of the import definition.', idSchema),
  counts: described(
    'The state of the job, and numbers of its records. A record that is sent again counts once.',
    shownCounts,
  ),
  failure: described(
    'Why the job failed. Null unless it failed. For a token without `people.read` it quotes nothing of the file.',
    v.nullable(shownFailure),
  ),
  warnings: described(
    'Warnings about the file as a whole. They do not stop the import.',
    v.array(shownWarning),
  ),
  undo: described(
    'The undo of the job, which removes its values again. Null unless a client asked for it.',
    v.nullable(shownUndo),
  ),
});

/** A reason why rows were refused or warned: the number of rows, and the line of one of them. */
export const reasonAnswer = v.object({
  field: described('The field at fault. Null if the row as a whole is at fault.', v.nullable(v.string())),
  column: described(
    'The column of the file at fault. Null if no single column is at fault.',
    v.nullable(v.string()),
  ),
  code: described(
    'A stable code of the reason. `other` adds up the rare reasons of a job with more than 100 reasons.',
    rowCode,
  ),
  count: described('The number of rows with this reason.', count),
  example_line: described('A line of the file with such a row. Null if no line is known.', v.nullable(count)),
  example_message: described(
    'The reason of one such row in words, cut at 200 characters. Null for `other`, and for a token without `people.read`: it may quote a cell.',
    v.nullable(v.string()),
  ),
});

/** An import job with the reasons of its refused and warned rows, the most frequent first. */
export const jobDetailAnswer = v.object({
  ...jobAnswer.entries,
  refused_by: described(
    'Why rows were refused: the 50 most frequent reasons, the most frequent first. Rows that were sent again do not count here.',
    v.array(reasonAnswer),
  ),
  warned_by: described('Why rows were stored with a warning, in the same form.', v.array(reasonAnswer)),
  dry_run_result: described(
    'What the dry run found, once it has ended. Null before, for any other job, after 30 days, or sooner by a rule of the property, and for a token without `people.read`.',
    v.nullable(dryRunResult),
  ),
});

/** A job in the list of the jobs of its definition. */
const listedJob = v.object({
  id: jobAnswer.entries.id,
  name: jobAnswer.entries.name,
  created: jobAnswer.entries.created,
  started: jobAnswer.entries.started,
  finished: jobAnswer.entries.finished,
  dry_run: jobAnswer.entries.dry_run,
  status: shownCounts.entries.status,
  phase: jobAnswer.entries.phase,
  url: described('The address that shows the job with all its counts.', v.string()),
});

/** The jobs of a definition, newest first. */
export const jobsAnswer = v.object({
  jobs: described('The jobs of this page.', v.array(listedJob)),
  paging,
});

/** The jobs of all definitions of a property, newest first. */
export const allJobsAnswer = v.object({
  jobs: described(
    'The jobs of this page.',
    v.array(
      v.object({
        ...listedJob.entries,
        import_definition: jobAnswer.entries.import_definition,
        import_name: described(
          'The name of the import definition; of a deleted one, the name that it had for the job.',
          v.string(),
        ),
        counts: jobAnswer.entries.counts,
      }),
    ),
  ),
  paging,
});
