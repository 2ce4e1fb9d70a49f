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
  const [, id, noted] = /^\d+#(\d+)#SCHEDULE#(\d+)$/.exec(pk.startsWith('EXPORT-OUTBOX#') ? sk : '') ?? [];
  return noted === undefined ? undefined : { export: Number(id), revision: Number(noted) };
};
