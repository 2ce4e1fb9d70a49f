import * as v from 'valibot';
import { isObject } from './json.ts';

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

const SHOWN = 'shown';

/**
 * Shows another schema in the API document: for the pipe of a schema whose own form says too little, such as a number
 * in a query, which arrives as text. It has no effect on what the pipe takes.
 */
export const shownAs = <T>(
  schema: v.GenericSchema,
): v.MetadataAction<T, { readonly shown: v.GenericSchema }> => v.metadata({ [SHOWN]: schema });

/** The schema that an action of a pipe shows in the API document; `undefined` for every other action. */
export const shownBy = (action: unknown): v.GenericSchema | undefined => {
  const metadata = isObject(action) ? action['metadata'] : undefined;
  const shown = isObject(metadata) ? metadata[SHOWN] : undefined;
  return isSchema(shown) ? shown : undefined;
};

/** Whether a value is a schema of the schema library. */
export const isSchema = (value: unknown): value is v.GenericSchema =>
  isObject(value) && value['kind'] === 'schema';
