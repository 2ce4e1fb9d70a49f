/**
 * Ids of a property's entities (segments, collections, timelines, imports, exports, jobs) are integers that contain
 * the property: `property × 10⁹ + n`. So a foreign id is recognised without a read, and no id is issued twice in
 * the service.
 */
const IDS_PER_PROPERTY = 1_000_000_000;

/** The largest property whose ids all stay below 2⁵³. */
export const MAX_PROPERTY = 9_007_198;

/** The id of the `n`-th entity (from 1) of a property. */
export const scopedId = (property: number, n: number): number => property * IDS_PER_PROPERTY + n;

/** Whether this property can have issued an id. */
export const belongsTo = (property: number, id: number): boolean =>
  Number.isSafeInteger(id) && Math.floor(id / IDS_PER_PROPERTY) === property;
