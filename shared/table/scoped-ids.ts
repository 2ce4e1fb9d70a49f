/**
 * Ids of a property's things (segments, imports, jobs, exports, timelines) are integers that carry their property:
 * `property × 10⁹ + n`. So an id of another property is told from the id alone, without a read, and no id is
 * ever issued twice in the service.
 */
const IDS_PER_PROPERTY = 1_000_000_000;

/** The largest property whose ids all stay below 2⁵³. */
export const MAX_PROPERTY = 9_007_198;

/** The id of the `n`-th thing (from 1) of a property. */
export const scopedId = (property: number, n: number): number => property * IDS_PER_PROPERTY + n;

/** Whether an id can have been issued by this property. */
export const belongsTo = (property: number, id: number): boolean =>
  Number.isSafeInteger(id) && Math.floor(id / IDS_PER_PROPERTY) === property;
