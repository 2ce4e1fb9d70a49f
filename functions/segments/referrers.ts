import { collectionReferrers } from '../../shared/collections/collection-referrers.ts';
import { exportReferrers } from '../../shared/exports/definitions/export-referrers.ts';
import { segmentReferrers } from '../../shared/segments/segment-referrers.ts';
import type { Table } from '../../shared/table/table.ts';
import { timelineReferrers } from '../../shared/timelines/timeline-referrers.ts';
import type { DeleteDeps } from '../../shared/references/delete-unreferenced.ts';

/** The states of all kinds of referrers, read from the table. */
export const referrersOf = (table: Table): DeleteDeps['referrers'] => ({
  segment: segmentReferrers(table),
  collection: collectionReferrers(table),
  export: exportReferrers(table),
  timeline: timelineReferrers(table),
});
