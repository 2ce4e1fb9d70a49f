import * as v from 'valibot';

/** A property in the table of data: its creation time, and its master key, wrapped by KMS. */
export const propertyItem = v.object({ created: v.number(), wrappedKey: v.instance(Uint8Array) });

/** A property in the list of its account, and in the list of all properties. */
export const listedPropertyItem = v.object({ property: v.pipe(v.number(), v.safeInteger()) });
