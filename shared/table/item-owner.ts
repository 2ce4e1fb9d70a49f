/** Item owner: finds the property that an item belongs to by the item's key, for the deletion of a property. */
import { keys } from './keys.ts';
import type { ScannedItem } from './table-scan.ts';

/** The position of the padded property number in the sort keys of lists that all properties share. */
const sharedLists: readonly (readonly [RegExp, number])[] = [
  [/^(MAKING|WATCHED|J|EXPORT-OUTBOX)#/, 0],
  [/^(DUE|TASKS)#/, 1],
];

/** The property that an item of the table of data belongs to; `undefined` for an item of the service itself. */
export const propertyOfItem = ({ pk, sk, property }: ScannedItem): number | undefined => {
  const own = /^P#(\d+)(?:#|$)/.exec(pk)?.[1];
  if (own !== undefined) return Number(own);
  if (pk === keys.properties) return Number(sk);
  // These items are found by the hash of what a client sends, so their key does not name the property.
  if (/^(DOWNLOAD|CHART|CONFIRMATION|IDEM)#/.test(pk)) return property;
  const place = sharedLists.find(([pattern]) => pattern.test(pk))?.[1];
  return place === undefined ? undefined : Number(sk.split('#')[place]);
};
