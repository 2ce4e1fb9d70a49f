import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { transformation } from './transformation-schema.ts';

const { imports } = limits;

const columnName = v.pipe(v.string(), v.minLength(1), v.maxLength(imports.nameLength));

const source = v.variant(
  'type',
  [v.strictObject({ type: v.literal('source_field'), name: columnName })],
  'Must be an object like {"type": "source_field", "name": "E-Mail"}.',
);

/** The name of a target as sent. `parseTarget` tells whether records have the field. */
export const targetName = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(imports.nameLength + 'extra_data.'.length),
);

/** A field map, in requests, answers and stored definitions. */
export const fieldMap = v.strictObject({
  /** Columns of the file, joined by a space. */
  sources: v.pipe(v.array(source), v.minLength(1), v.maxLength(imports.sourcesPerField)),
  /** They run in order. */
  transformations: v.exactOptional(
    v.pipe(v.array(transformation), v.maxLength(imports.transformationsPerField)),
  ),
  target_field: targetName,
});

/** Field map: maps columns of a file to one attribute. */
export type FieldMap = Readonly<v.InferOutput<typeof fieldMap>>;
