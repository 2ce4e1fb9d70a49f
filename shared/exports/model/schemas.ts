/** Schemas of exports: the bodies that the API accepts, and the answers that it documents. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { noticeEntries } from '../../deliveries/notice-fields.ts';
import { shownDeliveryOf, shownLog } from '../../deliveries/views.ts';
import { paging } from '../../http/list-schemas.ts';
import { rule } from '../../http/rule.ts';
import { plural } from '../../http/schema-example.ts';
import { idSchema, isCleanIdentifier } from '../../http/text.ts';
import { consentFilter } from '../../profiles/consent-schema.ts';
import { consentStates } from '../../profiles/consent.ts';
import { isCalendarDate } from '../../profiles/text-rules.ts';
import { segmentRef } from '../../catalogue/segment-refs.ts';
import { segmentTypes } from '../../catalogue/types.ts';
import { scheduleSchema, scheduleShape } from '../../schedules/schedule.ts';
import { isExportField } from './fields.ts';
import { isSftpUser } from '../../sftp/destination.ts';
import { fingerprintForm } from '../../sftp/host-key.ts';
import { isBucketName, isRegion, isRoleArn, ROLE_NAME_PREFIX } from './s3-destination.ts';
import {
  compressions,
  dataFormats,
  deliveryKinds,
  exportStatuses,
  jobStatuses,
  pinnedBy,
  sftpAuthentications,
  testResults,
  testSteps,
} from './items.ts';

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

/** An optional choice with a default. An empty text counts as absent. */
const choice = <const Option extends string>(options: readonly Option[], otherwise: Option) =>
  v.pipe(
    v.optional(v.picklist(['', ...options]), otherwise),
    v.transform((chosen) => options.find((option) => option === chosen) ?? otherwise),
  );
const text = (most: number) => v.pipe(v.string(), v.minLength(1), v.maxLength(most));
const blankOr = (holds: (value: string) => boolean) => (value: string) => value === '' || holds(value);
const listUpTo = <T>(most: number, element: v.GenericSchema<T>) =>
  v.pipe(v.array(v.unknown()), v.maxLength(most), v.array(element));
const date = v.pipe(
  v.string(),
  rule('not_a_date', blankOr(isCalendarDate), 'Must be a day of the calendar, written YYYY-MM-DD.'),
);

const secret = v.pipe(v.string(), v.maxBytes(bounds.secretBytes));

const column = v.strictObject({
  umbel_field_name: v.pipe(
    text(limits.profiles.extraDataKeyLength + 'extra_data.'.length),
    rule('unknown_attribute', isExportField, 'Is not an attribute of a profile.'),
  ),
  destination_field_name: text(bounds.columnNameLength),
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
  rule('bad_characters', isCleanIdentifier, 'Must be one line of text, without control characters.'),
);

/**
 * A template of names. It is stored in composed form (NFC), so that all names made from it agree with the permission
 * policy of a bucket.
 */
const template = v.pipe(v.string(), v.maxLength(bounds.templateLength), v.normalize('NFC'));

/**
 * Body of `POST exports`. `checkDefinition` checks the rules over several fields, `findNamedTargets` the segments and
 * collections.
 */
export const exportBody = v.strictObject({
  name: optionalText(exportName),
  // As many ids as `tile_types` may resolve to, so that a client can send an answer back.
  segment: optional(listUpTo(bounds.planNodes, segmentRef)),
  collection: optional(listUpTo(bounds.targets, v.pipe(idSchema, plural('collection ids')))),
  tile_types: optional(
    v.pipe(v.array(v.unknown()), v.maxLength(bounds.targets), v.array(v.picklist(segmentTypes))),
  ),
  consent: optional(consentFilter),
  field_set: choice(['all', 'email', 'custom'], 'all'),
  data_format: choice(dataFormats, 'csv'),
  compression: choice(compressions, 'none'),
  file_name: optionalText(template),
  directory: optionalText(template),
  scope: choice(['full', 'delta'], 'full'),
  custom_result_format: optional(
    v.pipe(v.array(v.unknown()), v.minLength(1), v.maxLength(bounds.columns), v.array(column)),
  ),
  start_date: optionalText(date),
  end_date: optionalText(date),
  formula_guard: v.optional(v.boolean(), true),
  schedule: optional(scheduleSchema),
  ...noticeEntries,
  pgp_public_key: optionalText(v.pipe(v.string(), v.maxLength(limits.pgp.keyLength))),
  destination_credentials: optional(
    v.strictObject({
      domain: text(bounds.hostLength),
      client_id: v.pipe(
        text(bounds.hostLength),
        rule('not_a_user', isSftpUser, 'Must be a user name: letters, digits and _.@+- only.'),
      ),
      /** The default follows from the secret that is sent; without one it is the service's own key. */
      authentication: optional(v.picklist(sftpAuthentications)),
      /** Never shown again. */
      private_key: optionalText(secret),
      password: optionalText(secret),
    }),
  ),
  s3_destination: optional(
    v.strictObject({
      bucket: v.pipe(
        v.string(),
        rule(
          'not_a_bucket',
          isBucketName,
          'Must be the name of a bucket: 3 to 63 lower-case letters, digits, hyphens and dots, for example crm-inbox.',
        ),
      ),
      region: v.pipe(
        v.string(),
        rule('not_a_region', isRegion, 'Must be a region of AWS, for example eu-central-1.'),
      ),
      role_arn: v.pipe(
        v.string(),
        rule(
          'not_a_role',
          isRoleArn,
          `Must be the ARN of a role whose name begins with ${ROLE_NAME_PREFIX}, for example arn:aws:iam::111122223333:role/${ROLE_NAME_PREFIX}crm.`,
        ),
      ),
    }),
  ),
});
export type ExportBody = v.InferOutput<typeof exportBody>;

/** Body of `POST exports`: a definition, and whether its first job starts at once. */
export const newExportBody = v.strictObject({
  ...exportBody.entries,
  /** `false` only stores the definition, so that a client can install its public key and test it before the first run. */
  start: v.optional(v.boolean(), true),
});
export type NewExportBody = v.InferOutput<typeof newExportBody>;

const time = v.pipe(v.string(), v.isoTimestamp());
const nullableTime = v.nullable(time);
const id = v.pipe(v.string(), v.digits());
const count = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0)));

/** A policy document of IAM, as JSON. */
const policyDocument = v.object({
  Version: v.string(),
  Statement: v.array(v.record(v.string(), v.unknown())),
});

const shownDefinition = {
  id,
  name: v.nullable(v.string()),
  property: v.number(),
  created: time,
  segment: v.array(idSchema),
  collection: v.array(idSchema),
  tile_types: v.array(v.string()),
  consent: v.nullable(v.object({ channel: v.string(), state: v.picklist(consentStates) })),
  field_set: v.picklist(['all', 'email', 'custom']),
  data_format: v.picklist(dataFormats),
  compression: v.picklist(compressions),
  file_name: v.nullable(v.string()),
  directory: v.nullable(v.string()),
  scope: v.picklist(['full', 'delta']),
  custom_result_format: v.nullable(
    v.array(v.object({ umbel_field_name: v.string(), destination_field_name: v.string() })),
  ),
  start_date: v.nullable(v.string()),
  end_date: v.nullable(v.string()),
  formula_guard: v.boolean(),
  schedule: v.nullable(scheduleShape),
  notification_email: v.nullable(v.string()),
  webhook_url: v.nullable(v.string()),
  pgp_public_key: v.nullable(v.string()),
  destination_credentials: v.nullable(
    v.object({
      domain: v.string(),
      client_id: v.string(),
      authentication: v.picklist(sftpAuthentications),
      public_key: v.nullable(v.string()),
    }),
  ),
  s3_destination: v.nullable(
    v.object({
      bucket: v.string(),
      region: v.string(),
      role_arn: v.string(),
      external_id: v.string(),
      /** The trust policy that the role needs. */
      trust_policy: policyDocument,
      /** The permission policy that the role needs. */
      permission_policy: policyDocument,
    }),
  ),
  location: v.nullable(v.string()),
};

/**
 * A definition in an answer: the fields of the request, the status of the latest job (`scheduled` before the first job)
 * and the location of the latest file.
 */
export const exportAnswer = v.object({
  ...shownDefinition,
  status: v.picklist(exportStatuses),
});

/** A replaced definition. Only this answer shows a new webhook secret. */
export const replacedExportAnswer = v.object({
  ...exportAnswer.entries,
  webhook_secret: v.exactOptional(v.string()),
});

/** A deleted definition. */
export const deletedExportAnswer = v.object({ id });

/** A new definition. Only this answer shows the webhook secret. */
export const createdExportAnswer = v.object({
  ...shownDefinition,
  status: v.literal('received'),
  webhook_secret: v.exactOptional(v.string()),
});

/** A page of definitions. */
export const exportsAnswer = v.object({ exports: v.array(exportAnswer), paging });

/** A delivery in an answer. */
export const deliveryAnswer = shownDeliveryOf(deliveryKinds);

/** A delivery with its newest attempts, the newest first. */
export const loggedDeliveryAnswer = v.object({ ...deliveryAnswer.entries, log: shownLog });

/** Body of `PUT exports/{export_id}/host-key`: the fingerprint as `ssh-keygen -l` prints it. */
export const hostKeyBody = v.strictObject({
  fingerprint: v.pipe(
    v.string(),
    rule(
      'not_a_fingerprint',
      (value) => fingerprintForm.test(value),
      'Must be SHA256: and 43 characters of base64, as ssh-keygen -l prints it.',
    ),
  ),
});
export type HostKeyBody = v.InferOutput<typeof hostKeyBody>;

/** The pinned key of an export's SFTP server; nulls until the first connection. */
export const hostKeyAnswer = v.object({
  domain: v.string(),
  fingerprint: v.nullable(v.string()),
  type: v.nullable(v.string()),
  pinned: nullableTime,
  pinned_by: v.nullable(v.picklist(pinnedBy)),
});

const testedStep = v.object({
  step: v.picklist(testSteps),
  result: v.picklist(testResults),
  /** What failed, and what to do about it; null for a step that succeeded or did not run. */
  message: v.nullable(v.string()),
});

/** The result of a test of an export's destinations. */
export const exportTestAnswer = v.object({
  ok: v.boolean(),
  /** In the order in which they ran; `skipped` after a failed step. Empty without a destination. */
  steps: v.array(testedStep),
  /** The host key that the SFTP server showed. */
  host_key: v.nullable(v.object({ fingerprint: v.string(), type: v.nullable(v.string()) })),
});

/** The deliveries of a job, in the order in which they begin. */
export const deliveriesAnswer = v.object({ deliveries: v.array(deliveryAnswer), paging });

/** An export job in an answer. */
export const jobAnswer = v.object({
  id,
  export: id,
  property: v.number(),
  /** The number of this run of the export, from 1. */
  run: v.number(),
  status: v.picklist(jobStatuses),
  created: time,
  started: nullableTime,
  finished: nullableTime,
  progress: v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  rows: count,
  rows_skipped: count,
  file_name: v.nullable(v.string()),
  bytes: count,
  sha256: v.nullable(v.string()),
  /** The base of a delta, an earlier job; null when the file has all members. */
  delta_from: v.nullable(id),
  location: v.nullable(v.string()),
  /** Opens as long as the location. */
  manifest: v.nullable(v.string()),
  error: v.nullable(v.object({ code: v.string(), detail: v.string() })),
  deliveries: v.array(deliveryAnswer),
});

/** A page of jobs, newest first. */
export const jobsAnswer = v.object({ jobs: v.array(jobAnswer), paging });
