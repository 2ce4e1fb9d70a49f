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

/** The entries of an object with one schema under all names, each with the sentence of its name. */
export const describedEntries = <Name extends string, const Schema extends v.GenericSchema>(
  names: readonly Name[],
  sentences: Readonly<Record<Name, string>>,
  schema: Schema,
) => {
  const entries = v.entriesFromList(names, described('', schema));
  for (const name of names) entries[name] = described(sentences[name], schema);
  return entries;
};
