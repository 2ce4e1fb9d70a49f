/** Inspect schemas: body and answer of `POST imports/inspect`. */
import * as v from 'valibot';
import { delimiterNames, encodings } from '../../csv/dialect.ts';
import type { BodyForm } from '../../http/body.ts';
import { rule } from '../../http/rule.ts';
import { idSchema } from '../../http/text.ts';
import { ok } from '../../runtime/result.ts';
import { importBody } from '../model/schemas.ts';

/** Body of `POST imports/inspect`. The service looks at the first 100,000 bytes of the file. */
export const inspectBody = v.pipe(
  v.strictObject({
    /** The first bytes of the file in base64. */
    content: v.exactOptional(v.pipe(v.string(), v.base64('Must be the first bytes of the file in base64.'))),
    /** The file of a job of the property, instead of `content`. */
    upload: v.exactOptional(v.strictObject({ job_id: idSchema })),
    /** The definition that judges the rows. Without it, the suggested definition does. */
    definition: v.exactOptional(importBody),
  }),
  rule(
    'one_file',
    ({ content, upload }) => (content === undefined) !== (upload === undefined),
    'Must have `content` or `upload`, and not both.',
  ),
);
export type InspectBody = v.InferOutput<typeof inspectBody>;

/** The first bytes of the file as they are. */
export const fileBody: BodyForm = {
  mediaType: 'application/octet-stream',
  read: (bytes) => ok({ content: bytes.toString('base64') }),
};

/** A fault or a warning about a cell or a row. */
export const finding = v.object({
  column: v.nullable(v.string()),
  field: v.nullable(v.string()),
  code: v.string(),
  message: v.string(),
});

/** Answer of `POST imports/inspect`. */
export const inspectAnswer = v.object({
  /** The dialect that the bytes show; `null` for a file that cannot be read. */
  dialect: v.nullable(v.object({ encoding: v.picklist(encodings), delimiter: v.picklist(delimiterNames) })),
  /** The names of the columns. */
  header: v.array(v.string()),
  /** The cells of the first 20 rows. */
  sample: v.array(v.array(v.string())),
  /** Why the answer hides cells; `null` when it shows all of them. */
  hidden: v.nullable(v.string()),
  suggestion: v.object({
    /** A body for `POST imports`; `null` when no column can be mapped. */
    definition: v.nullable(importBody),
    /** For each column what it fills, and why. */
    columns: v.array(
      v.object({ column: v.string(), target_field: v.nullable(v.string()), why: v.array(v.string()) }),
    ),
    notes: v.array(v.string()),
  }),
  /** Why a job with this file would fail; `null` when it would not. */
  failure: v.nullable(v.object({ code: v.string(), message: v.string(), line: v.nullable(v.number()) })),
  /**
   * The first 20 rows as the rules of the definition read them. A row with faults would be refused. The record is
   * `null` if its row cannot be read or all its cells are hidden. There are no rows if the whole file is hidden.
   */
  rows: v.array(
    v.object({
      row: v.number(),
      line: v.nullable(v.number()),
      record: v.nullable(v.record(v.string(), v.unknown())),
      faults: v.array(finding),
      warnings: v.array(finding),
    }),
  ),
});
