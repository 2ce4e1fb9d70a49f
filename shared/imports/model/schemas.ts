/** Schemas: bodies, queries and answers of the routes of imports. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { noticeEntries } from '../../deliveries/notice-fields.ts';
import { shownDeliveryOf, shownLog } from '../../deliveries/views.ts';
import { fullListUpTo, listUpTo } from '../../http/bounded-list.ts';
import { listQuery, paging } from '../../http/list-schemas.ts';
import { shownAs } from '../../http/shown-as.ts';
import { idSchema } from '../../http/text.ts';
import { delimiterChoices, delimiterNames, encodingNames, encodings } from '../../csv/dialect.ts';
import { recordSchema } from '../../profiles/record-schema.ts';
import { grantedTiers } from '../../profiles/types.ts';
import { fieldMap, targetName } from '../mapping/field-map.ts';
import { importDeliveryKinds } from './import-delivery.ts';
import { dryRunResult } from './dry-run-result.ts';
import { jobStatuses } from './job-status.ts';
import { shownPhases } from './shown-phase.ts';

const { imports } = limits;

const name = v.pipe(
  v.string(),
  v.maxLength(imports.nameLength),
  v.check((text) => text.trim() !== '', 'Must not be blank.'),
);
const mappingFields = v.strictObject({
  required_fields: listUpTo(imports.fieldMaps, targetName),
  field_maps: fullListUpTo(imports.fieldMaps, fieldMap),
});

// For an optional field, an empty text counts as not supplied.
const delimiter = v.pipe(
  v.picklist(['', ...delimiterChoices]),
  v.transform((chosen) => (chosen === '' ? 'comma' : chosen)),
);
const encoding = v.pipe(
  v.picklist(['', ...encodingNames]),
  v.transform((chosen) => (chosen === '' ? 'utf-8' : chosen)),
);
const attributeSource = v.pipe(
  v.picklist(['', 'stated', 'third_party']),
  v.transform((chosen) => (chosen === '' ? 'stated' : chosen)),
);
const fileMatchRule = v.pipe(
  v.string(),
  v.maxLength(imports.nameLength),
  v.transform((glob) => (glob === '' ? null : glob)),
);

const maxNewSegments = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(imports.newSegmentsMost));
const maxRefusedShare = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** Body of `POST imports`. `checkMapping` checks the rules that span several fields. */
export const importBody = v.strictObject({
  name,
  mapping_fields: mappingFields,
  delimiter: v.optional(delimiter, 'comma'),
  encoding: v.optional(encoding, 'utf-8'),
  attribute_source: v.optional(attributeSource, 'stated'),
  skip_appends: v.optional(v.boolean(), false),
  tags_mode: v.optional(v.picklist(['add', 'replace']), 'add'),
  test_mode: v.optional(v.boolean(), false),
  file_match_rule: v.nullish(fileMatchRule, null),
  ...noticeEntries,
  result_files: v.optional(v.boolean(), true),
  /** `null` switches the guard off; left out, the guard has its default. */
  max_new_segments: v.optional(v.nullable(maxNewSegments), imports.newSegments),
  max_refused_share: v.optional(v.nullable(maxRefusedShare), null),
});
export type ImportBody = v.InferOutput<typeof importBody>;

/** Whether the job is a dry run. Each job of a definition in `test_mode` is one. */
const dryRun = v.exactOptional(v.boolean());

/** Body of `POST jobs`. */
export const jobBody = v.strictObject({ name, dry_run: dryRun });
export type JobBody = v.InferOutput<typeof jobBody>;

/** A plain file name, without a path and without control characters, because answers return it unchanged. */
export const fileName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(imports.nameLength),
  v.check((text) => !/[/\\\p{Cc}]/u.test(text) && !/^\.*$/.test(text), 'Must be a plain file name.'),
);

/** Body of `POST uploads`: the file's name, and its size in bytes. */
export const uploadBody = v.strictObject({
  file_name: fileName,
  size: v.pipe(
    v.number(),
    v.safeInteger(),
    v.minValue(1, 'The file is empty.'),
    v.maxValue(imports.uploadBytes, `Must be at most ${imports.uploadBytes / 1e9} GB.`),
  ),
  dry_run: dryRun,
});
export type UploadBody = v.InferOutput<typeof uploadBody>;

/** Body of `POST import-data`. The schema only counts the records; the worker validates them one by one. */
export const batchBody = v.strictObject({
  name,
  import_job: idSchema,
  skip_appends: v.optional(v.boolean()),
  records: v.pipe(
    v.array(v.unknown()),
    v.minLength(1),
    v.maxLength(imports.recordsPerBatch),
    shownAs(fullListUpTo(imports.recordsPerBatch, recordSchema)),
  ),
});
export type BatchBody = v.InferOutput<typeof batchBody>;

/** Body of `POST retry`: the downloaded list of refused rows with corrections. */
export const retryBody = v.strictObject({ csv: v.pipe(v.string(), v.minLength(1)) });
export type RetryBody = v.InferOutput<typeof retryBody>;

/** Query of the list of refused or warned rows, in pages of JSON or CSV. `delimiter` and `bom` are the style of CSV. */
export const reportQuery = v.strictObject({
  ...listQuery.entries,
  format: v.optional(v.picklist(['json', 'csv']), 'json'),
  delimiter: v.optional(v.picklist(delimiterNames)),
  bom: v.optional(v.pipe(v.picklist(['true', 'false']), shownAs(v.boolean()))),
});
export type ReportQuery = v.InferOutput<typeof reportQuery>;

const time = v.pipe(v.string(), v.isoTimestamp());
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** An import definition in an answer. */
export const importAnswer = v.object({
  id: idSchema,
  name: v.string(),
  mapping_fields: v.object({
    required_fields: v.array(v.string()),
    field_maps: v.array(fieldMap),
  }),
  action: v.literal('import_csv_generic'),
  created: time,
  test_mode: v.boolean(),
  file_match_rule: v.nullable(v.string()),
  notification_email: v.nullable(v.string()),
  webhook_url: v.nullable(v.string()),
  result_files: v.boolean(),
  property: v.number(),
  delimiter: v.picklist(delimiterChoices),
  encoding: v.picklist(encodingNames),
  attribute_source: v.picklist(['stated', 'third_party']),
  /** Read-only: the tier that the operator granted. It overrides `attribute_source`. */
  granted_tier: v.nullable(v.picklist(grantedTiers)),
  skip_appends: v.boolean(),
  tags_mode: v.picklist(['add', 'replace']),
  max_new_segments: v.nullable(count),
  max_refused_share: v.nullable(v.number()),
});
/** A new or replaced definition. Only this answer shows a new webhook secret. */
export const storedImportAnswer = v.object({
  ...importAnswer.entries,
  webhook_secret: v.exactOptional(v.string()),
});
export const deletedImportAnswer = v.object({ id: idSchema });
export const importsAnswer = v.object({ imports: v.array(importAnswer), paging });

/** An import job in an answer. */
export const jobAnswer = v.object({
  id: idSchema,
  name: v.string(),
  property: v.number(),
  created: time,
  started: v.nullable(time),
  finished: v.nullable(time),
  file_path: v.nullable(v.string()),
  /** The encoding and the delimiter of the file, once its header is read. */
  dialect: v.nullable(v.object({ encoding: v.picklist(encodings), delimiter: v.picklist(delimiterNames) })),
  /** Whether the job stores no profile and only tells what it would do. */
  dry_run: v.boolean(),
  /** What the job is doing now. */
  phase: v.picklist(shownPhases),
  import_definition: idSchema,
  counts: v.object({
    status: v.picklist(jobStatuses),
    unserializable: count,
    serialized: count,
    completed: count,
    processing: count,
    failed: count,
    ingested: count,
  }),
  failure: v.nullable(v.object({ code: v.string(), message: v.string(), line: v.nullable(v.number()) })),
  warnings: v.array(
    v.object({
      code: v.string(),
      message: v.string(),
      field: v.nullable(v.string()),
      column: v.nullable(v.string()),
      row: v.nullable(v.number()),
      line: v.nullable(v.number()),
    }),
  ),
  /** `null` unless the job was undone. While the undo runs, the counts are of the people processed so far. */
  undo: v.nullable(
    v.object({
      status: v.picklist(['running', 'complete']),
      started: time,
      finished: v.nullable(time),
      values: v.object({ taken_back: count, replaced: count }),
      people: v.object({ removed: count, changed: count, unchanged: count }),
      segments: v.object({ removed: count }),
    }),
  ),
});

/** A reason why rows were refused or warned: the number of rows, and the line of one of them. */
export const reasonAnswer = v.object({
  field: v.nullable(v.string()),
  column: v.nullable(v.string()),
  code: v.string(),
  count,
  example_line: v.nullable(count),
});

/** An import job with the reasons of its refused and warned rows, the most frequent first. */
export const jobDetailAnswer = v.object({
  ...jobAnswer.entries,
  refused_by: v.array(reasonAnswer),
  warned_by: v.array(reasonAnswer),
  /** The result of a dry run, once the job has ended; `null` for every other job. */
  dry_run_result: v.nullable(dryRunResult),
});

/** The jobs of a definition, newest first. */
export const jobsAnswer = v.object({
  jobs: v.array(
    v.object({
      id: idSchema,
      name: v.string(),
      created: time,
      started: v.nullable(time),
      finished: v.nullable(time),
      status: v.picklist(jobStatuses),
      phase: v.picklist(shownPhases),
      url: v.string(),
    }),
  ),
  paging,
});

const addresses = { job_id: idSchema, headers: v.record(v.string(), v.string()), expires_at: time };
const partAddress = v.object({ part_number: count, offset: count, size: count, url: v.string() });

/** Pre-signed addresses for one file: for the whole file, or for each missing part. */
export const wholeUpload = v.object({ ...addresses, url: v.string() });
export const partsUpload = v.object({ ...addresses, parts: v.array(partAddress) });
export const uploadAnswer = v.union([wholeUpload, partsUpload]);

/** An accepted batch. */
export const batchAnswer = v.object({
  batch_job_uuid: v.pipe(v.string(), v.uuid()),
  import_job: jobAnswer,
  name: v.string(),
  skip_appends: v.boolean(),
});

/** A refused or warned row. */
export const reportedRow = v.object({
  row: v.nullable(v.number()),
  line: v.nullable(v.number()),
  batch_job_uuid: v.nullable(v.string()),
  file: v.nullable(v.string()),
  code: v.string(),
  field: v.nullable(v.string()),
  /** The column of the file, where one column is at fault. */
  column: v.nullable(v.string()),
  message: v.string(),
  record: v.nullable(v.string()),
});

/** A delivery about the end of a job. */
export const importDeliveryAnswer = shownDeliveryOf(importDeliveryKinds);

/** The deliveries of a job that have begun, each with its newest attempts. */
export const importDeliveriesAnswer = v.object({
  deliveries: v.array(v.object({ ...importDeliveryAnswer.entries, log: shownLog })),
});

/** Refused rows. */
export const errorsAnswer = v.object({ errors: v.array(reportedRow), paging });

/** Rows that were stored with a warning. */
export const warningsAnswer = v.object({ warnings: v.array(reportedRow), paging });
