import * as v from 'valibot';
import { grantedTiers, tiers, type Tier } from '../../profiles/types.ts';
import { delimiterNames, encodings } from '../../csv/dialect.ts';
import { fieldMap } from '../mapping/field-map.ts';

/** The definition as stored, without its key. */
export const definitionItem = v.object({
  id: v.number(),
  property: v.number(),
  /** Of the property: its users alone can drop files for it. */
  account: v.number(),
  name: v.string(),
  mapping_fields: v.object({
    required_fields: v.array(v.string()),
    field_maps: v.array(fieldMap),
  }),
  delimiter: v.picklist(delimiterNames),
  encoding: v.picklist(encodings),
  attribute_source: v.picklist(['stated', 'third_party']),
  /** Takes the place of `attribute_source` once the operator has granted it. */
  granted_tier: v.nullable(v.picklist(grantedTiers)),
  skip_appends: v.boolean(),
  test_mode: v.boolean(),
  file_match_rule: v.nullable(v.string()),
  /** Epoch milliseconds. */
  created: v.number(),
  /** How often it has been replaced. A job keeps the revision that it was made under. */
  revision: v.number(),
});
/** An import definition: how its files are read and what its records are taken for. */
export type ImportDefinition = Readonly<v.InferOutput<typeof definitionItem>>;

/** The trust of a definition's records that name none themselves. It is fixed when a batch or file is accepted. */
export const tierOf = ({
  granted_tier,
  attribute_source,
}: Pick<ImportDefinition, 'granted_tier' | 'attribute_source'>): Tier =>
  tiers[granted_tier ?? attribute_source];
