/** Report schemas: queries and answers of the lists of refused rows, of warned rows and of deliveries. */
import * as v from 'valibot';
import { delimiterNames } from '../../csv/dialect.ts';
import { shownDeliveryOf, shownLog } from '../../deliveries/views.ts';
import { rowCode } from '../../http/code-schemas.ts';
import { described, shownAs } from '../../http/described.ts';
import { listQuery, paging } from '../../http/list-schemas.ts';
import { importDeliveryKinds } from '../items/import-delivery.ts';

/** Query of the list of refused or warned rows, in pages of JSON or CSV. `delimiter` and `bom` are the style of CSV. */
export const reportQuery = v.strictObject({
  ...listQuery.entries,
  format: described(
    'The form of the list. `csv` without `limit` returns the whole list: the columns of the input, then the place and the reason.',
    v.optional(v.picklist(['json', 'csv']), 'json'),
  ),
  delimiter: described(
    'The delimiter of the CSV, `comma` if left out. Many spreadsheets in Europe expect `semicolon`.',
    v.optional(v.picklist(delimiterNames)),
  ),
  bom: described(
    'Whether the CSV begins with a byte order mark, which tells a spreadsheet that it is UTF-8. `false` if left out.',
    v.optional(v.pipe(v.picklist(['true', 'false']), shownAs(v.boolean()))),
  ),
});
export type ReportQuery = v.InferOutput<typeof reportQuery>;

/** A refused or warned row. */
export const reportedRow = v.object({
  row: described(
    'The number of the row in its file, from 1 after the header, or of the record in its batch. Null if the entry is about no single row.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
  line: described(
    'The line of the file on which the row begins. Null for a record of a batch, or if no line is known.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
  batch_job_uuid: described(
    'The id of the batch with the row. With `row`, it identifies the row in a retry. Null for an entry about the whole job.',
    v.nullable(v.string()),
  ),
  file: described('The name of the file. Null for a record of a batch.', v.nullable(v.string())),
  code: described('A stable code of the first reason.', rowCode),
  field: described('The field at fault. Null if the row as a whole is at fault.', v.nullable(v.string())),
  column: described(
    'The column of the file at fault. Null if no single column is at fault.',
    v.nullable(v.string()),
  ),
  message: described('All reasons in words.', v.string()),
  record: described(
    'The original text of the row or record, cut at 100,000 characters. It shows social tokens as `[hidden]`. Null if there is no text to show.',
    v.nullable(v.string()),
  ),
});

/** A delivery about the end of a job. */
export const importDeliveryAnswer = shownDeliveryOf(importDeliveryKinds);

/** The deliveries of a job that have begun, each with its newest attempts. */
export const importDeliveriesAnswer = v.object({
  deliveries: described(
    'The result files, the webhook call and the mail about the end of the job, as far as they have begun.',
    v.array(v.object({ ...importDeliveryAnswer.entries, log: shownLog })),
  ),
});

/** Refused rows. */
export const errorsAnswer = v.object({
  errors: described(
    'The refused rows of this page, one entry for each row. If the job failed, the first entry says why.',
    v.array(reportedRow),
  ),
  paging,
});

/** Rows that were stored with a warning. */
export const warningsAnswer = v.object({
  warnings: described('The warned rows of this page, one entry for each warning.', v.array(reportedRow)),
  paging,
});
