import * as v from 'valibot';

/**
 * A schema with a sentence for readers of the API document. The sentence changes neither what the schema takes nor
 * whether a field may be left out.
 */
export const described = <const Schema extends v.GenericSchema>(
  sentence: string,
  schema: Schema,
): v.SchemaWithPipe<readonly [Schema, v.DescriptionAction<v.InferOutput<Schema>, string>]> =>
  // The schema itself judges values: walking through a pipe would make each record of an import 8 % dearer.
  Object.assign(v.pipe(schema, v.description<v.InferOutput<Schema>, string>(sentence)), {
    '~run': schema['~run'],
  });
