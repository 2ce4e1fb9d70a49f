/** Inspect schemas: body and answer of `POST imports/inspect`. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import type { BodyForm } from '../../http/body.ts';
import { rowCode } from '../../http/code-schemas.ts';
import { described } from '../../http/described.ts';
import { rule } from '../../http/rule.ts';
import { idSchema } from '../../http/text.ts';
import { ok } from '../../runtime/result.ts';
import { columnName, targetName } from '../mapping/field-map.ts';
import { importBody } from '../schemas/definition-schemas.ts';
import { shownDialect, shownFailure } from '../schemas/job-schemas.ts';
import { doubt } from './doubt.ts';
import { columnKinds } from './suggest/place-columns.ts';

/** Body of `POST imports/inspect`. The service looks at the first 100,000 bytes of the file. */
export const inspectBody = v.pipe(
  v.strictObject({
    content: described(
      'The first bytes of the file in base64, compressed or not. Send `content` or `upload`.',
      v.exactOptional(v.pipe(v.string(), v.base64('Must be the first bytes of the file in base64.'))),
    ),
    upload: described(
      'A file that the service already has: the file of an import job. Needs `people.read`, too, because somebody else may have sent it.',
      v.exactOptional(v.strictObject({ job_id: described('The id of the job with the file.', idSchema) })),
    ),
    definition: described(
      'An import definition to try on the rows. If left out, the service tries its own suggestion.',
      v.exactOptional(importBody),
    ),
    targets: described(
      'The fields that columns shall fill, by the name of the column. Null leaves a column out. The service suggests the rest of the definition again, with what the values call for in these fields.',
      v.exactOptional(
        v.pipe(v.record(columnName, v.nullable(targetName)), v.maxEntries(limits.imports.columns)),
      ),
    ),
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
  column: described('The column of the file. Null if no single column is concerned.', v.nullable(v.string())),
  field: described('The field. Null if the row as a whole is concerned.', v.nullable(v.string())),
  code: described('A stable code of the reason.', rowCode),
  message: described('The reason in words.', v.string()),
});

const suggestion = v.object({
  definition: described(
    'A body for `POST …/imports`. Check it before you send it. Null if no column can be mapped.',
    v.nullable(importBody),
  ),
  columns: described(
    'What the suggestion does with each column, in the order of the file.',
    v.array(
      v.object({
        column: described('The name of the column.', v.string()),
        kind: described(
          '`mapped`: the column fills a field. `kept`: it has no field and goes into extra data. `empty`: the first rows have no value in it, and it is left out. `left_out`: it is left out for another reason.',
          v.picklist(columnKinds),
        ),
        target_field: described(
          'The field that the column fills. Null if the suggestion leaves the column out.',
          v.nullable(v.string()),
        ),
        why: described('The reasons in words.', v.array(v.string())),
      }),
    ),
  ),
  doubts: described(
    'What a person should look at before the file is imported: for each doubt what the service saw, in how many cells, and what the suggested definition does.',
    v.array(doubt),
  ),
  has_identity: described(
    'Whether the suggestion fills `unique_id`, `email` or `social_id`. If not, an import would refuse every row.',
    v.boolean(),
  ),
  notes: described('Remarks about the suggestion as a whole, in words.', v.array(v.string())),
});

const judgedRow = v.object({
  row: described('The number of the row, from 1 after the header.', v.pipe(v.number(), v.integer())),
  line: described(
    'The line of the file on which the row begins.',
    v.nullable(v.pipe(v.number(), v.integer())),
  ),
  record: described(
    'The record that the row becomes, with the fields of a profile. Null if the row cannot be read or its cells are hidden.',
    v.nullable(v.record(v.string(), v.unknown())),
  ),
  faults: described('Why an import would refuse the row. Empty if it would store the row.', v.array(finding)),
  warnings: described('The cells that an import would drop, with the reasons.', v.array(finding)),
});

/** Answer of `POST imports/inspect`. */
export const inspectAnswer = v.object({
  dialect: described(
    'The encoding and the delimiter that these bytes show. Null for a file that cannot be read.',
    v.nullable(shownDialect),
  ),
  header: described('The names of the columns.', v.array(v.string())),
  sample: described('The cells of the first 20 rows, as they are in the file.', v.array(v.array(v.string()))),
  hidden: described(
    'Why the answer hides cells, which it shows as `[hidden]`. Null if it shows all cells.',
    v.nullable(v.string()),
  ),
  suggestion: described('An import definition that fits the file.', suggestion),
  failure: described('Why an import of the file would fail. Null if it would not.', v.nullable(shownFailure)),
  rows: described(
    'The first 20 rows as an import with the definition would read them, fewer if they are too large for one answer. Empty if the import would fail or all cells are hidden.',
    v.array(judgedRow),
  ),
});
