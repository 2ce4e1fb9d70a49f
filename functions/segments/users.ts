import { collectionUsers } from '../../shared/collections/collection-users.ts';
import { exportUsers } from '../../shared/exports/definitions/export-users.ts';
import { segmentUsers } from '../../shared/segments/segment-users.ts';
import type { Table } from '../../shared/table/table.ts';
import { timelineUsers } from '../../shared/timelines/timeline-users.ts';
import type { DeleteDeps } from '../../shared/references/delete-unused.ts';

/** How users of each kind stand to what is to be deleted. */
export const usersOf = (table: Table): DeleteDeps['users'] => ({
  segment: segmentUsers(table),
  collection: collectionUsers(table),
  export: exportUsers(table),
  timeline: timelineUsers(table),
});
