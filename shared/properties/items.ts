import * as v from 'valibot';

/** A property in the table of data: when it was made, and its master key, wrapped by KMS. */
export const propertyItem = v.object({ created: v.number(), wrappedKey: v.instance(Uint8Array) });

/** A property in the list of its account, and in that of all. */
export const listedPropertyItem = v.object({ property: v.pipe(v.number(), v.safeInteger()) });
