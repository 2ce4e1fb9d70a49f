import * as v from 'valibot';
import { isTransformation, type TransformationName } from './transformations.ts';

const transformationName = v.custom<TransformationName>(
  (name) => typeof name === 'string' && isTransformation(name),
);

/** A field map as stored in a definition. */
export const fieldMap = v.object({
  /** Columns of the file, joined by a space. */
  sources: v.array(v.object({ type: v.literal('source_field'), name: v.string() })),
  transformations: v.exactOptional(v.array(v.object({ name: transformationName }))),
  target_field: v.string(),
});

/** Field map: maps columns of a file to one attribute. */
export type FieldMap = Readonly<v.InferOutput<typeof fieldMap>>;
