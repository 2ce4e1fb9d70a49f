/** Counts the cells of the list columns of a file, for the warning about values that seem to be split wrongly. */
import type { ProfilePatch } from '../../profiles/profile-patch.ts';
import { columnsOf, type FieldMap } from '../mapping/field-map.ts';
import { type ListCells, noCells, withCell } from '../items/list-cells.ts';
import type { BatchAttempt } from './batch-attempt.ts';
import type { ValidRow } from '../rows/check-records.ts';

/** The values of a list target in a valid row. They cannot contain the separator at which the cell was split. */
const valuesOf: ReadonlyMap<string, (patch: ProfilePatch) => readonly string[]> = new Map([
  ['tags', ({ tags }: ProfilePatch) => tags?.map(({ tag }) => tag) ?? []],
  ['social_likes', ({ likes }: ProfilePatch) => likes ?? []],
  ['source', ({ labels }: ProfilePatch) => labels ?? []],
]);

/**
 * Compiles a function that counts the list cells of valid rows. Only rows of a file count: records of the API have their
 * values in lists, and corrected rows would count twice.
 */
export const listCounter = ({
  batch,
  definition: { mapping_fields },
}: Pick<BatchAttempt, 'batch' | 'definition'>): ((rows: readonly ValidRow[]) => readonly ListCells[]) => {
  const maps = batch.source.kind === 'rows' ? mapping_fields.field_maps : [];
  const counters = maps.flatMap(counterOf);
  return (rows) => counters.map((count) => count(rows));
};

const counterOf = (map: FieldMap): readonly ((rows: readonly ValidRow[]) => ListCells)[] => {
  const values = valuesOf.get(map.target_field);
  const columns = columnsOf(map);
  if (!values || columns.length === 0) return [];
  const none: ListCells = { field: map.target_field, column: columns.join(' + '), ...noCells };
  return [(rows) => rows.reduce((counted, { patch }) => withCell(counted, values(patch)), none)];
};
