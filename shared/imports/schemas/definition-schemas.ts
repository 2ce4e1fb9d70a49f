/** Definition schemas: bodies and answers of the routes of import definitions. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { delimiterChoices, encodingNames } from '../../csv/dialect.ts';
import { noticeEntries, shownNoticeEntries, shownWebhookSecret } from '../../deliveries/notice-fields.ts';
import { fullListUpTo, listUpTo } from '../../http/bounded-list.ts';
import { choice } from '../../http/choice.ts';
import { described } from '../../http/described.ts';
import { paging } from '../../http/list-schemas.ts';
import { rule } from '../../http/rule.ts';
import { idSchema, isCleanIdentifier, uncleanDetail } from '../../http/text.ts';
import { grantedTiers } from '../../profiles/types.ts';
import { fieldMap, targetName } from '../mapping/field-map.ts';
import { importName } from './names.ts';

const { imports } = limits;

/** What the fields of a definition mean, in bodies and in answers. */
const sentences = {
  name: 'The name of the import definition. Several definitions may have the same name.',
  mapping_fields: 'How the columns of a file become the fields of a profile.',
  required_fields:
    'The target fields that no row may lack. The service refuses a row without a value for one of them.',
  field_maps: 'One entry for each field that the import fills. Two entries must not fill the same field.',
  delimiter:
    'The character between two cells of a file. `auto`: the header of each file shows it. A job shows what the service found.',
  encoding:
    'The encoding of the files. `auto`: the bytes of each file prove it. `utf-16`: the file shows its byte order. `latin1` is read as `windows-1252`, `cp850` as `ibm850`.',
  header_line:
    'The line of the file with the names of the columns, from 1. The service leaves out the lines before it. Null: the first line that is not blank and does not state the delimiter (`sep=;`).',
  trim: 'Whether to leave out white space around cells, also before and after their quotes.',
  attribute_source:
    'The trust in records that do not name their own: `stated` by the person, or from a `third_party`, which counts less.',
  skip_appends:
    'Whether to store only identities and consent of records whose trust is `third_party` or `provider_1` to `provider_3`.',
  tags_mode:
    '`add`: the tags of a row are added. `replace`: they replace all tags that earlier rows of this definition gave the person.',
  test_mode:
    'Whether every job of the definition is a dry run, which reports a result and stores no profile.',
  file_match_rule:
    'A pattern for file names, with `*` and `?`. An upload with another name is refused, and a file over SFTP is ignored. Null accepts every name.',
  result_files: 'Whether the service puts the result of an import beside its file in the SFTP directory.',
  max_new_segments:
    'A guard: a job fails if it would make more new segments than this, for example because of a wrong separator. Null switches the guard off.',
  max_refused_share:
    'A guard: a job of 100 rows or more fails if the service would refuse a larger share of them, 0 to 1. Null switches the guard off.',
  not_identities:
    "Values that are nobody's identity, such as `null` or `*@venue.example`. The service leaves such a `unique_id`, `email` or `social_id` out of its record. `*` stands for any characters; case does not matter.",
  max_addresses_per_id:
    'A guard: a job fails if one `unique_id` or `social_id` comes with more different e-mail addresses than this in a file or a batch. Null switches the guard off.',
} as const;

const mappingFields = v.strictObject({
  required_fields: described(sentences.required_fields, listUpTo(imports.fieldMaps, targetName)),
  field_maps: described(sentences.field_maps, fullListUpTo(imports.fieldMaps, fieldMap)),
});

// An empty text counts as not supplied.
const fileMatchRule = v.pipe(
  v.string(),
  v.maxLength(imports.nameLength),
  v.transform((glob) => (glob === '' ? null : glob)),
);

const headerLine = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(imports.headerBytes));
const maxNewSegments = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(imports.newSegmentsMost));
const maxRefusedShare = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

/** A value that is nobody's identity. */
export const notIdentity = v.pipe(
  v.string(),
  v.maxLength(imports.notIdentityCharacters),
  rule('bad_characters', isCleanIdentifier, uncleanDetail),
  // A pattern of stars alone would leave out every identity.
  rule('wrong_format', (text) => /[^*\s]/u.test(text), 'Must have a character besides `*` and white space.'),
);
const notIdentities = v.pipe(
  listUpTo(imports.notIdentities, notIdentity),
  rule(
    'too_long',
    (texts) => Buffer.byteLength(JSON.stringify(texts)) <= imports.notIdentitiesBytes,
    `Is over ${imports.notIdentitiesBytes} bytes of JSON.`,
  ),
);
const maxAddressesPerId = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(1),
  v.maxValue(imports.addressesPerIdMost),
);

/** Body of `POST imports`. `checkMapping` checks the rules that span several fields. */
export const importBody = v.strictObject({
  name: described(sentences.name, importName),
  mapping_fields: described(sentences.mapping_fields, mappingFields),
  delimiter: described(sentences.delimiter, choice(delimiterChoices, 'comma')),
  encoding: described(sentences.encoding, choice(encodingNames, 'utf-8')),
  header_line: described(sentences.header_line, v.optional(v.nullable(headerLine), null)),
  trim: described(sentences.trim, v.optional(v.boolean(), false)),
  attribute_source: described(sentences.attribute_source, choice(['stated', 'third_party'], 'stated')),
  skip_appends: described(sentences.skip_appends, v.optional(v.boolean(), false)),
  tags_mode: described(sentences.tags_mode, v.optional(v.picklist(['add', 'replace']), 'add')),
  test_mode: described(sentences.test_mode, v.optional(v.boolean(), false)),
  file_match_rule: described(sentences.file_match_rule, v.nullish(fileMatchRule, null)),
  ...noticeEntries,
  result_files: described(sentences.result_files, v.optional(v.boolean(), true)),
  max_new_segments: described(
    sentences.max_new_segments,
    v.optional(v.nullable(maxNewSegments), imports.newSegments),
  ),
  max_refused_share: described(sentences.max_refused_share, v.optional(v.nullable(maxRefusedShare), null)),
  not_identities: described(sentences.not_identities, v.optional(notIdentities, [])),
  max_addresses_per_id: described(
    sentences.max_addresses_per_id,
    v.optional(v.nullable(maxAddressesPerId), imports.addressesPerId),
  ),
});
export type ImportBody = v.InferOutput<typeof importBody>;

const definitionId = described('The id of the import definition.', idSchema);
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The mapping of an import definition in an answer. */
export const shownMapping = v.object({
  required_fields: described(sentences.required_fields, v.array(v.string())),
  field_maps: described(sentences.field_maps, v.array(fieldMap)),
});

/** An import definition in an answer. */
export const importAnswer = v.object({
  id: definitionId,
  name: described(sentences.name, v.string()),
  mapping_fields: described(sentences.mapping_fields, shownMapping),
  action: described('The kind of the import. There is only one kind.', v.literal('import_csv_generic')),
  created: described(
    'When the definition was created. A replacement does not change it.',
    v.pipe(v.string(), v.isoTimestamp()),
  ),
  test_mode: described(sentences.test_mode, v.boolean()),
  tags_mode: described(sentences.tags_mode, v.picklist(['add', 'replace'])),
  file_match_rule: described(sentences.file_match_rule, v.nullable(v.string())),
  ...shownNoticeEntries,
  result_files: described(sentences.result_files, v.boolean()),
  property: described(
    'The id of the property that the definition belongs to.',
    v.pipe(v.number(), v.integer()),
  ),
  delimiter: described(sentences.delimiter, v.picklist(delimiterChoices)),
  encoding: described(sentences.encoding, v.picklist(encodingNames)),
  header_line: described(sentences.header_line, v.nullable(count)),
  trim: described(sentences.trim, v.boolean()),
  attribute_source: described(sentences.attribute_source, v.picklist(['stated', 'third_party'])),
  granted_tier: described(
    'The trust that an operator granted to the values of the import, in place of `attribute_source`. Null without a grant. Clients cannot set it.',
    v.nullable(v.picklist(grantedTiers)),
  ),
  skip_appends: described(sentences.skip_appends, v.boolean()),
  max_new_segments: described(sentences.max_new_segments, v.nullable(count)),
  max_refused_share: described(sentences.max_refused_share, v.nullable(v.number())),
  not_identities: described(sentences.not_identities, v.array(v.string())),
  max_addresses_per_id: described(sentences.max_addresses_per_id, v.nullable(count)),
});

/** A new or replaced definition. Only this answer shows a new webhook secret. */
export const storedImportAnswer = v.object({
  ...importAnswer.entries,
  webhook_secret: shownWebhookSecret,
});
export const deletedImportAnswer = v.object({
  id: described('The id of the deleted definition.', idSchema),
});
export const importsAnswer = v.object({
  imports: described('The import definitions of this page.', v.array(importAnswer)),
  paging,
});
