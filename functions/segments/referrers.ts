import { collectionReferrers } from '../../shared/collections/collection-referrers.ts';
import { exportUsers } from '../../shared/exports/definitions/export-users.ts';
import { segmentReferrers } from '../../shared/segments/segment-referrers.ts';
import type { Table } from '../../shared/table/table.ts';
import { timelineUsers } from '../../shared/timelines/timeline-users.ts';
import type { DeleteDeps } from '../../shared/references/delete-unreferenced.ts';

/** The states of all kinds of referrers, read from the table. */
export const referrersOf = (table: Table): DeleteDeps['referrers'] => ({
  segment: segmentReferrers(table),
  collection: collectionReferrers(table),
  export: exportUsers(table),
  timeline: timelineUsers(table),
});
