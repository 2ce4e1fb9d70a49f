import * as v from 'valibot';

/**
 * A property in the table of data: its creation time, and its master key, wrapped by KMS. It has its account, which never
 * changes, too: after a restore of one table the owner may be gone.
 */
export const propertyItem = v.object({
  account: v.pipe(v.number(), v.safeInteger()),
  created: v.number(),
  wrappedKey: v.instance(Uint8Array),
});

/** A property in the list of its account, and in the list of all properties. */
export const listedPropertyItem = v.object({ property: v.pipe(v.number(), v.safeInteger()) });
