import type { FieldMap } from './field-map.ts';

/**
 * Indexes of the columns of a file that are mapped to social tokens. Reports and messages hide their cells. `picks` has
 * the indexes of the source columns of each field map.
 */
export const hiddenColumns = (
  fieldMaps: readonly Pick<FieldMap, 'target_field'>[],
  picks: readonly (readonly number[])[],
): ReadonlySet<number> =>
  new Set(
    fieldMaps.flatMap(({ target_field }, index) =>
      target_field === 'social_token' ? (picks[index] ?? []) : [],
    ),
  );
