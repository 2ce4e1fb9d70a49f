/** What the check of a record takes and returns. */
import type { ProfilePatch } from '../../profiles/profile-patch.ts';
import type { Result } from '../../runtime/result.ts';
import type { ColumnOf, RowRefusal } from '../mapping/mapped-column.ts';
import type { MappedRow } from '../mapping/row-map.ts';
import type { RowWarning } from '../reports/reported-row.ts';

/** A valid record: its changes to a profile, and warnings about cells and identities. */
export interface CheckedRecord {
  readonly patch: ProfilePatch;
  readonly warnings: readonly RowWarning[];
  readonly columnOf: ColumnOf;
}

/** Checks a parsed row: returns the valid record, or the faults for which the row is refused. */
export type RecordCheck = (
  row: Result<MappedRow, RowRefusal>,
) => Result<CheckedRecord, readonly RowRefusal[]>;
