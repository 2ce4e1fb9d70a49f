import * as v from 'valibot';

/**
 * A schema with a sentence for readers of the API document. The sentence changes neither what the schema takes nor
 * whether a field may be left out.
 */
export const described = <const Schema extends v.GenericSchema>(sentence: string, schema: Schema) =>
  v.pipe(schema, v.description<v.InferOutput<Schema>, string>(sentence));
