import type { FieldMap } from '../../shared/imports/mapping/field-map.ts';
import { compileRowMap } from '../../shared/imports/mapping/row-map.ts';
import { recordCheck } from '../../shared/imports/rows/check-records.ts';
import { ok } from '../../shared/runtime/result.ts';
import { NOW } from '../profiles/harness.ts';
import { mappingOf } from '../support/field-map.ts';

/** When the rows of these tests arrive. */
export const AT = '2026-01-15 12:00:00';

interface RowOptions {
  readonly required_fields?: readonly string[];
  readonly tags_mode?: 'add' | 'replace';
  /** The cells that each field map reads: the one at its own place, unless told otherwise. */
  readonly picks?: readonly (readonly number[])[];
}

/** Maps the cells of one row to a record. */
export const mapRow = async (
  maps: readonly FieldMap[],
  cells: readonly string[],
  { required_fields, tags_mode = 'add', picks = maps.map((_, index) => [index]) }: RowOptions = {},
) => (await compileRowMap({ ...mappingOf(maps, required_fields), tags_mode }, picks, AT))(cells);

/** Maps the cells of one row, and checks the record. */
export const checkRow = async (
  maps: readonly FieldMap[],
  cells: readonly string[],
  required_fields: readonly string[] = [],
) => {
  const record = ok(await mapRow(maps, cells, { required_fields }));
  return recordCheck(
    { ...mappingOf(maps, required_fields), not_identities: [] },
    { now: NOW, tier: 1 },
  )(record);
};
