import * as v from 'valibot';
import { isObject } from './json.ts';

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
