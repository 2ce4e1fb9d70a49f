import { isUint8Array } from 'node:util/types';
import * as v from 'valibot';
import { grantedTiers, tiers, type Tier } from '../../profiles/types.ts';
import { delimiterChoices, encodingNames } from '../../csv/dialect.ts';
import { fieldMap } from '../mapping/field-map.ts';

/** The definition as stored, without its key. */
export const definitionItem = v.object({
  id: v.number(),
  property: v.number(),
  /** Account of the property. Only its users can upload files over SFTP. */
  account: v.number(),
  name: v.string(),
  mapping_fields: v.object({
    required_fields: v.array(v.string()),
    field_maps: v.array(fieldMap),
  }),
  delimiter: v.picklist(delimiterChoices),
  encoding: v.picklist(encodingNames),
  /** The line of the header; `null` for the first line that is a row. */
  header_line: v.nullable(v.number()),
  /** Whether white space around a cell is no part of it. */
  trim: v.boolean(),
  attribute_source: v.picklist(['stated', 'third_party']),
  /** Overrides `attribute_source` once the operator has granted it. */
  granted_tier: v.nullable(v.picklist(grantedTiers)),
  skip_appends: v.boolean(),
  /** Whether the tags of a row replace those that earlier rows of this definition gave the person. */
  tags_mode: v.picklist(['add', 'replace']),
  test_mode: v.boolean(),
  file_match_rule: v.nullable(v.string()),
  /** Told when the job of a file has ended. */
  notification_email: v.nullable(v.string()),
  webhook_url: v.nullable(v.string()),
  /** Encrypted with KMS under `importSecretContext`. */
  webhook_secret: v.nullable(v.custom<Uint8Array>(isUint8Array)),
  /** Whether the service puts the result of a file from SFTP beside the file. */
  result_files: v.boolean(),
  /** The most new segments that a job may make; `null` for any number. */
  max_new_segments: v.nullable(v.number()),
  /** The largest share of refused rows of a job, 0 to 1; `null` for any share. */
  max_refused_share: v.nullable(v.number()),
  /** Texts and patterns with `*` that are nobody's identity. */
  not_identities: v.array(v.string()),
  /** The most different e-mail addresses with which one id may come; `null` for any number. */
  max_addresses_per_id: v.nullable(v.number()),
  /** Epoch milliseconds. */
  created: v.number(),
  /** Number of replacements. A job keeps the revision that it was created with. */
  revision: v.number(),
});

/** Import definition: how files are parsed, how columns map to attributes, and how much the records are trusted. */
export type ImportDefinition = Readonly<v.InferOutput<typeof definitionItem>>;

/** The tier (trust) of records that state none themselves. It is fixed at the acceptance of a batch or file. */
export const tierOf = ({
  granted_tier,
  attribute_source,
}: Pick<ImportDefinition, 'granted_tier' | 'attribute_source'>): Tier =>
  tiers[granted_tier ?? attribute_source];
