/** Schemas of exports: the bodies that the API accepts. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { noticeEntries } from '../../deliveries/notice-fields.ts';
import { fullListUpTo, listUpTo } from '../../http/bounded-list.ts';
import { choice } from '../../http/choice.ts';
import { described } from '../../http/described.ts';
import { rule } from '../../http/rule.ts';
import { plural } from '../../http/schema-places.ts';
import { idSchema, oneLine, isCalendarDate } from '../../http/text.ts';
import { consentFilter } from '../../profiles/consent-schema.ts';
import { segmentRef } from '../../catalogue/segment-refs.ts';
import { segmentTypes } from '../../catalogue/types.ts';
import { scheduleSchema } from '../../schedules/schedule.ts';
import { isExportField } from './fields.ts';
import { isSftpUser } from '../../sftp/destination.ts';
import { fingerprintForm } from '../../sftp/host-key.ts';
import { temporaryNames, verifications } from '../../sftp/outgoing.ts';
import { isBucketName, isRegion, isRoleArn, ROLE_NAME_PREFIX } from './s3-destination.ts';
import { changeKinds, compressions, dataFormats, firstChanges, sftpAuthentications } from './items.ts';
import { definitionSentences as sentences } from './sentences.ts';

const { exports: bounds } = limits;

/** An optional field. Answers show an absent field as null, so a request may send null too. */
const optional = <In, Out>(schema: v.GenericSchema<In, Out>) => v.nullish(schema, null);

/** An optional text. An empty text counts as absent, so every rule accepts it. */
const optionalText = (schema: v.GenericSchema<string, string>) =>
  optional(
    v.pipe(
      schema,
      v.transform((text) => (text === '' ? null : text)),
    ),
  );

const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));
const blankOr = (holds: (value: string) => boolean) => (value: string) => value === '' || holds(value);
const date = v.pipe(
  v.string(),
  rule('not_a_date', blankOr(isCalendarDate), 'Must be a date such as 2026-05-17.'),
);

const secret = v.pipe(v.string(), v.maxBytes(bounds.secretBytes));

/** A column of an exported file. */
export const column = v.strictObject({
  umbel_field_name: described(
    sentences.umbel_field_name,
    v.pipe(
      text(limits.profiles.extraDataKeyLength + 'extra_data.'.length),
      rule('unknown_attribute', isExportField, 'Is not an attribute of a profile.'),
    ),
  ),
  destination_field_name: described(sentences.destination_field_name, text(bounds.columnNameLength)),
});

/** A name for people, in one line: mails show it in their subject. */
const exportName = v.pipe(
  v.string(),
  v.maxLength(bounds.nameLength),
  rule(
    'blank',
    blankOr((name) => name.trim() !== ''),
    'Must not be blank.',
  ),
  oneLine,
);

/**
 * A template of names. It is stored in composed form (NFC), so that all names made from it agree with the permission
 * policy of a bucket.
 */
const template = v.pipe(v.string(), v.maxLength(bounds.templateLength), v.normalize('NFC'));

/** An SFTP server that files are pushed to. */
export const server = v.strictObject({
  domain: described(sentences.domain, text(bounds.hostLength)),
  client_id: described(
    sentences.client_id,
    v.pipe(
      text(bounds.hostLength),
      rule('not_a_user', isSftpUser, 'Must be a user name: one line, without white space at its ends.'),
    ),
  ),
  authentication: described(
    'How the service logs in. By default, this follows from the secrets that are sent; without a secret, it is `service_key`. A server that wants a key and a password needs both.',
    optional(v.picklist(sftpAuthentications)),
  ),
  private_key: described(
    'A private key for the login, as `ssh-keygen` writes it, without a passphrase. No answer shows it.',
    optionalText(secret),
  ),
  password: described(
    'A password for the login. It is sent only to a server whose host key you named. No answer shows it.',
    optionalText(secret),
  ),
  temporary_name: described(sentences.temporary_name, choice(temporaryNames, 'rename')),
  verify: described(sentences.verify, choice(verifications, 'size')),
});

/** A bucket of the client that files are put into. */
export const bucket = v.strictObject({
  bucket: described(
    sentences.bucket,
    v.pipe(
      v.string(),
      rule(
        'not_a_bucket',
        isBucketName,
        'Must be the name of a bucket: 3 to 63 lower-case letters, digits, hyphens and dots, for example crm-inbox.',
      ),
    ),
  ),
  region: described(
    sentences.region,
    v.pipe(v.string(), rule('not_a_region', isRegion, 'Must be a region of AWS, for example eu-central-1.')),
  ),
  role_arn: described(
    sentences.role_arn,
    v.pipe(
      v.string(),
      rule(
        'not_a_role',
        isRoleArn,
        `Must be the ARN of a role whose name begins with ${ROLE_NAME_PREFIX}, for example arn:aws:iam::111122223333:role/${ROLE_NAME_PREFIX}crm.`,
      ),
    ),
  ),
});

/** The receiver of the changes of a delta. */
export const changesTarget = v.strictObject({
  url: described(sentences.changes_url, text(bounds.urlLength)),
  kinds: described(
    sentences.changes_kinds,
    v.optional(fullListUpTo(changeKinds.length, v.picklist(changeKinds)), ['added', 'removed']),
  ),
  first: described(sentences.changes_first, choice(firstChanges, 'none')),
});

/**
 * Body of `PUT exports/{export_id}`. `checkDefinition` checks the rules over several fields, and the segments
 * and collections.
 */
export const exportBody = v.strictObject({
  name: described(sentences.name, optionalText(exportName)),
  // As many ids as `tile_types` may resolve to, so that a client can send an answer back.
  segment: described(sentences.segment, optional(listUpTo(bounds.planNodes, segmentRef))),
  collection: described(
    sentences.collection,
    optional(listUpTo(bounds.targets, v.pipe(idSchema, plural('collection ids')))),
  ),
  tile_types: described(sentences.tile_types, optional(listUpTo(bounds.targets, v.picklist(segmentTypes)))),
  consent: described(sentences.consent, optional(consentFilter)),
  field_set: described(sentences.field_set, choice(['all', 'email', 'custom'], 'all')),
  data_format: described(sentences.data_format, choice(dataFormats, 'csv')),
  compression: described(sentences.compression, choice(compressions, 'none')),
  file_name: described(sentences.file_name, optionalText(template)),
  directory: described(sentences.directory, optionalText(template)),
  scope: described(sentences.scope, choice(['full', 'delta'], 'full')),
  custom_result_format: described(
    sentences.custom_result_format,
    optional(fullListUpTo(bounds.columns, column)),
  ),
  start_date: described(sentences.start_date, optionalText(date)),
  end_date: described(sentences.end_date, optionalText(date)),
  formula_guard: described(sentences.formula_guard, v.optional(v.boolean(), true)),
  skip_empty: described(sentences.skip_empty, v.optional(v.boolean(), false)),
  changes: described(sentences.changes, optional(changesTarget)),
  schedule: described(sentences.schedule, optional(scheduleSchema)),
  ...noticeEntries,
  pgp_public_key: described(
    sentences.pgp_public_key,
    optionalText(v.pipe(v.string(), v.maxLength(limits.pgp.keyLength))),
  ),
  destination_credentials: described(sentences.destination_credentials, optional(server)),
  s3_destination: described(sentences.s3_destination, optional(bucket)),
});
export type ExportBody = v.InferOutput<typeof exportBody>;

/** The id of an export as answers show it, or as a number. */
const exportId = v.union([idSchema, v.pipe(v.string(), v.regex(/^[1-9]\d{0,14}$/), v.transform(Number))]);

/** Body of `POST exports`: a definition, and whether its first job starts at once. */
export const newExportBody = v.strictObject({
  ...exportBody.entries,
  start: described(
    'Whether the first job starts at once if there is no `schedule`. With false, you can set up and test a destination before the first job.',
    v.optional(v.boolean(), true),
  ),
  destination_of: described(
    'An export whose destination the new one shares: its server or bucket, with the login, the pinned host key, `directory` and `pgp_public_key` where this body has none. It is copied once.',
    optional(exportId),
  ),
});
export type NewExportBody = v.InferOutput<typeof newExportBody>;

/** Body of `PUT exports/{export_id}/host-key`. */
export const hostKeyBody = v.strictObject({
  fingerprint: described(
    'The SHA-256 fingerprint of the host key that the server must have, as `ssh-keygen -l` prints it.',
    v.pipe(
      v.string(),
      rule(
        'not_a_fingerprint',
        (value) => fingerprintForm.test(value),
        'Must be SHA256: and 43 characters of base64, as ssh-keygen -l prints it.',
      ),
    ),
  ),
});
export type HostKeyBody = v.InferOutput<typeof hostKeyBody>;
