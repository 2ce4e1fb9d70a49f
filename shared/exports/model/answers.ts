/** Answers of exports: the schemas of the answers that the API documents. */
import * as v from 'valibot';
import { shownNoticeEntries, shownWebhookSecret } from '../../deliveries/notice-fields.ts';
import { shownDeliveryOf, shownLog } from '../../deliveries/views.ts';
import { exportFailureCode } from '../../http/code-schemas.ts';
import { described } from '../../http/described.ts';
import { paging } from '../../http/list-schemas.ts';
import { idSchema } from '../../http/text.ts';
import { consentStates } from '../../profiles/consent.ts';
import { scheduleShape } from '../../schedules/schedule.ts';
import {
  changeKinds,
  compressions,
  dataFormats,
  deliveryKinds,
  exportStatuses,
  firstChanges,
  jobStatuses,
  sftpAuthentications,
  testResults,
  testSteps,
} from './items.ts';
import { pinnedBy } from '../../sftp/host-key.ts';
import { temporaryNames, verifications } from '../../sftp/outgoing.ts';
import { definitionSentences as sentences } from './sentences.ts';

const time = v.pipe(v.string(), v.isoTimestamp());
const nullableTime = v.nullable(time);
const nullableText = v.nullable(v.string());
const id = v.pipe(v.string(), v.digits());
const count = v.nullable(v.pipe(v.number(), v.integer(), v.minValue(0)));

const property = described(
  'The id of the property that the export belongs to.',
  v.pipe(v.number(), v.integer()),
);
const exportId = described('The id of the export.', id);

/** A policy document of IAM, as JSON. */
export const policyDocument = v.object({
  Version: described('The version of the policy language.', v.string()),
  Statement: described(
    'The statements of the policy, in the form of IAM.',
    v.array(v.record(v.string(), v.unknown())),
  ),
});

const shownConsent = v.object({
  channel: described(sentences.consent_channel, v.string()),
  state: described(sentences.consent_state, v.picklist(consentStates)),
});

export const shownColumn = v.object({
  umbel_field_name: described(sentences.umbel_field_name, v.string()),
  destination_field_name: described(sentences.destination_field_name, v.string()),
});

export const shownServer = v.object({
  domain: described(sentences.domain, v.string()),
  client_id: described(sentences.client_id, v.string()),
  authentication: described(
    'How the service logs in: with its own key pair, with the key or the password that you sent, or with a key and a password.',
    v.picklist(sftpAuthentications),
  ),
  public_key: described(
    'The public key of the login, as a line for `authorized_keys` on the server. Null for a password alone.',
    nullableText,
  ),
  temporary_name: described(sentences.temporary_name, v.picklist(temporaryNames)),
  verify: described(sentences.verify, v.picklist(verifications)),
});

export const shownBucket = v.object({
  bucket: described(sentences.bucket, v.string()),
  region: described(sentences.region, v.string()),
  role_arn: described(sentences.role_arn, v.string()),
  external_id: described(
    'The external id that the service sends when it assumes the role. It belongs to your property.',
    v.string(),
  ),
  trust_policy: described('The trust policy for the role: who may assume it.', policyDocument),
  permission_policy: described('The permission policy for the role: what it may do.', policyDocument),
});

export const shownChanges = v.object({
  url: described(sentences.changes_url, v.string()),
  kinds: described(sentences.changes_kinds, v.array(v.picklist(changeKinds))),
  first: described(sentences.changes_first, v.picklist(firstChanges)),
  told_job: described(
    'The id of the last job all of whose changes the receiver took: the next job builds on it. Null if the receiver knows of nobody.',
    v.nullable(id),
  ),
});

const shownDefinition = {
  id: exportId,
  name: described(sentences.name, nullableText),
  property,
  created: described('When the export was created.', time),
  segment: described(sentences.segment, v.array(idSchema)),
  collection: described(sentences.collection, v.array(idSchema)),
  tile_types: described(sentences.tile_types, v.array(v.string())),
  consent: described(sentences.consent, v.nullable(shownConsent)),
  field_set: described(sentences.field_set, v.picklist(['all', 'email', 'custom'])),
  data_format: described(sentences.data_format, v.picklist(dataFormats)),
  compression: described(sentences.compression, v.picklist(compressions)),
  file_name: described(sentences.file_name, nullableText),
  directory: described(sentences.directory, nullableText),
  scope: described(sentences.scope, v.picklist(['full', 'delta'])),
  custom_result_format: described(sentences.custom_result_format, v.nullable(v.array(shownColumn))),
  start_date: described(sentences.start_date, nullableText),
  end_date: described(sentences.end_date, nullableText),
  formula_guard: described(sentences.formula_guard, v.boolean()),
  skip_empty: described(sentences.skip_empty, v.boolean()),
  changes: described(sentences.changes, v.nullable(shownChanges)),
  schedule: described(sentences.schedule, v.nullable(scheduleShape)),
  next_run: described(
    'When the schedule runs the export next. Null without a schedule, and after the only run of a schedule with `once`.',
    v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  ),
  ...shownNoticeEntries,
  pgp_public_key: described(sentences.pgp_public_key, nullableText),
  destination_credentials: described(sentences.destination_credentials, v.nullable(shownServer)),
  s3_destination: described(sentences.s3_destination, v.nullable(shownBucket)),
  location: described(
    'The address of the newest file. Anyone can open it, without a token, for 7 days. Null without such a file, and for a token without `exports.write`.',
    nullableText,
  ),
};

/**
 * A definition in an answer: the fields of the request, the status of the latest job (`scheduled` before the first job)
 * and the location of the latest file.
 */
export const exportAnswer = v.object({
  ...shownDefinition,
  status: described(
    'The status of the newest job; `scheduled` before the first job.',
    v.picklist(exportStatuses),
  ),
});

/** A replaced definition. Only this answer shows a new webhook secret. */
export const replacedExportAnswer = v.object({
  ...exportAnswer.entries,
  webhook_secret: shownWebhookSecret,
});

/** A deleted definition. */
export const deletedExportAnswer = v.object({ id: exportId });

/** A new definition. Only this answer shows the webhook secret. */
export const createdExportAnswer = v.object({
  ...shownDefinition,
  status: described('The definition is stored.', v.literal('received')),
  webhook_secret: shownWebhookSecret,
});

/** A page of definitions. */
export const exportsAnswer = v.object({
  exports: described('The exports of this page.', v.array(exportAnswer)),
  paging,
});

/** A delivery in an answer. */
export const deliveryAnswer = v.object({
  ...shownDeliveryOf(deliveryKinds).entries,
  part: described(
    'The number of the last call with changes that the receiver took, from 1. 0 before the first, null for other kinds.',
    count,
  ),
  sent: described('How many changes the receiver took. Null for other kinds.', count),
});

/** A delivery with its newest attempts, the newest first. */
export const loggedDeliveryAnswer = v.object({ ...deliveryAnswer.entries, log: shownLog });

/** The pinned key of an export's SFTP server; nulls until the first connection. */
export const hostKeyAnswer = v.object({
  domain: described(sentences.domain, v.string()),
  fingerprint: described(
    'The SHA-256 fingerprint of the host key that the server must have. Null before the first connection.',
    nullableText,
  ),
  type: described(
    'The type of the key, such as `ssh-ed25519`. Null until the server has shown the key.',
    nullableText,
  ),
  pinned: described(
    'When the service first saw the key, or a request named it. From then on, it connects with no other key. Null before that.',
    nullableTime,
  ),
  pinned_by: described(
    'Where the key comes from: the first connection to the server, or a request that named the fingerprint. Null before that.',
    v.nullable(v.picklist(pinnedBy)),
  ),
});

export const testedStep = v.object({
  step: described('What the step did.', v.picklist(testSteps)),
  result: described(
    'How the step ended. It is `skipped` if an earlier step failed, or if the server refused a step that pushes do not need.',
    v.picklist(testResults),
  ),
  message: described(
    'What failed, and what to do about it; or what you should know of a step that did not fail. Null without such a text.',
    nullableText,
  ),
});

const shownHostKey = v.object({
  fingerprint: described('The SHA-256 fingerprint of the key, as `ssh-keygen -l` prints it.', v.string()),
  type: described('The type of the key, such as `ssh-ed25519`.', nullableText),
});

/** The result of a test of an export's destinations. */
export const exportTestAnswer = v.object({
  ok: described('Whether no step failed.', v.boolean()),
  steps: described(
    'The steps, in the order in which they ran. Empty for an export without a destination.',
    v.array(testedStep),
  ),
  host_key: described(
    'The host key that the SFTP server showed. Null without a server, or if it showed none.',
    v.nullable(shownHostKey),
  ),
});

/** The deliveries of a job, in the order in which they begin. */
export const deliveriesAnswer = v.object({
  deliveries: described(
    'The deliveries of the job, in the order in which they begin.',
    v.array(deliveryAnswer),
  ),
  paging,
});

/** An export job in an answer. */
export const jobAnswer = v.object({
  id: described('The id of the job.', id),
  export: exportId,
  property,
  run: described('The number of this run of the export, from 1.', v.pipe(v.number(), v.integer())),
  status: described('Where the job stands. A `pending` job waits for its turn.', v.picklist(jobStatuses)),
  created: described('When the run was requested.', time),
  started: described('When the job began to run. Null while it waits.', nullableTime),
  finished: described('When the job ended. Null until then.', nullableTime),
  progress: described(
    'How much of the work is done, from 0 to 1.',
    v.pipe(v.number(), v.minValue(0), v.maxValue(1)),
  ),
  rows: described('How many rows the file has. Null until the job is complete.', count),
  rows_skipped: described(
    'How many members have no row: they have no e-mail address (`field_set` `email`), or were forgotten meanwhile.',
    count,
  ),
  file_name: described('The name of the file. Null until there is a file.', nullableText),
  bytes: described('The size of the file in bytes, as it is delivered. Null until there is a file.', count),
  sha256: described(
    'The SHA-256 hash of the file in hexadecimal. Null until there is a file, and for a token without `exports.write`.',
    nullableText,
  ),
  delta_from: described(
    'The id of the earlier job whose file this delta builds on. Null if the file has everyone.',
    v.nullable(id),
  ),
  location: described(
    'The address of the file. Anyone can open it, without a token, for 7 days. Null without a file, after these 7 days, and for a token without `exports.write`.',
    nullableText,
  ),
  manifest: described(
    'The address of the manifest, which describes the file. It opens as long as `location`, and is null when that is null.',
    nullableText,
  ),
  error: described(
    'Why the job failed. Null for a job that has not failed.',
    v.nullable(
      v.object({
        code: described('A fixed code for programs.', exportFailureCode),
        detail: described('A sentence for people.', v.string()),
      }),
    ),
  ),
  deliveries: described(
    'The deliveries of the job, in the order in which they begin.',
    v.array(deliveryAnswer),
  ),
});

/** A page of jobs, newest first. */
export const jobsAnswer = v.object({
  jobs: described('The jobs of this page.', v.array(jobAnswer)),
  paging,
});
