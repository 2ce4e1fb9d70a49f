/**
 * Scheduled revision: reads from a scanned item which revision of an export has schedules, for the deletion of a
 * property.
 */
import type { ScannedItem } from './table-scan.ts';

/** The revision of an export that has schedules, or had some, according to this item. */
export const scheduledRevisionOf = ({
  pk,
  sk,
  revision,
}: ScannedItem): { readonly export: number; readonly revision: number } | undefined => {
  if (/^P#\d+#EXPORTS$/.test(pk))
    return revision === undefined ? undefined : { export: Number(sk), revision };
  // `EXPORT-OUTBOX` is the list of release 0.2.0.
  const [, id, noted] =
    /^EXPORT-OUTBOX#\d+#\d+#(\d+)#SCHEDULE#(\d+)$/.exec(`${pk}#${sk}`) ??
    /^TASKS#\d+#export-schedule#\d+#(\d+)#(\d+)$/.exec(`${pk}#${sk}`) ??
    [];
  return noted === undefined ? undefined : { export: Number(id), revision: Number(noted) };
};
