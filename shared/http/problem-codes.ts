/**
 * Problem codes: every `code` of an error answer, with its status, its meaning and its remedy. The types of problems, the
 * routes' `codes`, the OpenAPI document and `docs/errors.md` come from here. Handlers import types only, so that no
 * sentence is in a bundle.
 */

import type { CodeFacts } from './code-facts.ts';

/** Codes of one area, each with its status, and the other status on routes without a token, if there is one. */
type Registry = Readonly<
  Record<string, CodeFacts & { readonly status: number; readonly withoutToken?: number }>
>;

const requestCodes = {
  bad_request: {
    status: 400,
    meaning: 'The request is malformed: its body, a query parameter, a header or a cursor.',
    remedy: 'Correct what `detail` and `errors` name.',
  },
  unauthorized: {
    status: 401,
    meaning: 'The request has no valid access token.',
    remedy: 'Get a token from `POST /oauth/token` and send it as `Authorization: Bearer <token>`.',
  },
  not_permitted: {
    status: 403,
    meaning:
      'The token may not do this: its scope, or the role of its user, lacks the permission of the route.',
    remedy: 'Use a token with the permission that `detail` names. `GET /v1/me` shows what a token may do.',
  },
  not_found: {
    status: 404,
    meaning: 'The address names something that does not exist or belongs to another account.',
    remedy: 'Check the property, the ids and the words of the address.',
  },
  method_not_allowed: {
    status: 405,
    meaning: 'The address exists, but does not accept this method.',
    remedy: 'Use a method that the Allow header names.',
  },
  too_large: {
    status: 413,
    meaning: 'The body is larger than the service accepts.',
    remedy: 'Send less data at once, or upload it as a file.',
  },
  unsupported_media_type: {
    status: 415,
    meaning: 'The route does not accept a body of this media type or character set.',
    remedy: 'Send a `Content-Type` that `detail` names.',
  },
  invalid: {
    status: 422,
    meaning: 'The body is valid JSON, but breaks rules.',
    remedy: 'Correct each place that `errors` names.',
  },
  idempotency_in_progress: {
    status: 409,
    meaning: 'The first request with this `Idempotency-Key` is still running.',
    remedy: 'Send the same request again after the time in `Retry-After`.',
  },
  idempotency_key_reused: {
    status: 422,
    meaning: 'The `Idempotency-Key` belongs to a different request.',
    remedy: 'Use a new key for a new request, and repeat a request without any change.',
  },
  rate_limited: {
    status: 429,
    meaning: 'The account, or the link of a chart, has received too many requests.',
    remedy: 'Wait for the time in `Retry-After`.',
  },
  internal_error: {
    status: 500,
    meaning: 'The service has a bug.',
    remedy: 'Repeat a POST under the same `Idempotency-Key`, and report `request_id` if the error stays.',
  },
  unavailable: {
    status: 503,
    meaning: 'The service or a dependency is busy.',
    remedy: 'Repeat the request after the time in `Retry-After`, a POST under the same `Idempotency-Key`.',
  },
} as const satisfies Registry;

const profileCodes = {
  several_people: {
    status: 409,
    meaning: 'Several people have this telephone number.',
    remedy: 'Look one of them up by `profile_uuid`; `errors` lists their ids.',
  },
} as const satisfies Registry;

const segmentCodes = {
  several_segments: {
    status: 409,
    meaning: 'Several segments of this type have this name.',
    remedy: 'Use the id of one of them; `detail` lists the ids.',
  },
  state_conflict: {
    status: 409,
    meaning: 'This segment cannot be edited or deleted, because of its type or because it was replaced.',
    remedy: 'Read `detail`: it says what the segment depends on, or which segment replaced it.',
  },
  segment_limit: {
    status: 409,
    meaning: 'The property has as many segments as it may have.',
    remedy: 'Delete segments that you do not need.',
  },
  conditions_off: {
    status: 409,
    meaning: 'The operator has not switched conditions on, so that an upgrade can be taken back.',
    remedy: 'Ask the operator. Combinations of other segments, and previews of rules, work meanwhile.',
  },
  names_off: {
    status: 409,
    meaning: 'The operator has not switched the search by name on for this property.',
    remedy: 'Look the person up by an identity, or ask the operator.',
  },
  segment_preparing: {
    status: 409,
    meaning: 'The request names a condition that is still being prepared, without some of its profiles.',
    remedy:
      'Send the same request again after the time in `Retry-After`. `GET …/segments/{segment_id}` shows the progress.',
  },
  count_changed: {
    status: 409,
    meaning: 'The segment has another number of profiles than the request says, so nobody was forgotten.',
    remedy: 'Look at the segment again, and send the number that `detail` names.',
  },
  index_behind: {
    status: 409,
    meaning:
      'The index does not show all records yet that were stored before, so the members of the segment are not certain, and nobody was forgotten.',
    remedy: 'Send the same request again after the time in `Retry-After`.',
  },
  too_expensive: {
    status: 422,
    meaning: 'The segment consists of too many segments to be counted in one request.',
    remedy: 'Use fewer segments in its definition.',
  },
  in_use: {
    status: 409,
    meaning: 'Something else uses this, so it cannot be deleted.',
    remedy: 'Change or delete what `errors` names first.',
  },
} as const satisfies Registry;

const timelineCodes = {
  duplicate_name: {
    status: 409,
    meaning: 'Another timeline has this name.',
    remedy: 'Choose another name, or rename the other timeline.',
  },
  moment_too_early: {
    status: 429,
    meaning: 'The last moment of the timeline is too recent.',
    remedy: 'Wait for the time in `Retry-After`.',
  },
  link_closed: {
    status: 403,
    meaning: 'The link does not work, was withdrawn, has expired or was used already.',
    remedy: 'Get a new link.',
  },
} as const satisfies Registry;

const importCodes = {
  file_job: {
    status: 409,
    meaning: 'The job imports a file and accepts no batches.',
    remedy: 'Create a job for batches with `POST imports/{import_id}/jobs`.',
  },
  job_closed: {
    status: 409,
    meaning: 'The job has ended or was cancelled, and accepts no more rows.',
    remedy: 'Create another job.',
  },
  job_ended: {
    status: 409,
    meaning: 'The job has already ended, so it cannot be cancelled.',
    remedy: 'Nothing is left to do; read the job for its result.',
  },
  job_undone: {
    status: 409,
    meaning: 'The job was undone and accepts no more rows.',
    remedy: 'Create another job.',
  },
  job_running: {
    status: 409,
    meaning: 'The job has not ended, or workers still store rows of it, so it cannot be undone.',
    remedy: 'Cancel the job, or wait until it has ended and no row is processing.',
  },
  dry_run: {
    status: 409,
    meaning: 'The job was a dry run and stored nothing that could be undone.',
    remedy: 'Nothing is left to do.',
  },
  dry_run_full: {
    status: 409,
    meaning: 'The dry run has as many batches as a dry run may have.',
    remedy: 'Create another job for the other batches.',
  },
  too_old: {
    status: 409,
    meaning: 'The job is too old to be undone.',
    remedy: 'Correct the data with another import, or forget the people concerned.',
  },
  still_reading: {
    status: 409,
    meaning: 'The service is still reading the file of the job.',
    remedy: 'Send the corrected rows when the job has processed its rows.',
  },
  uploaded: {
    status: 409,
    meaning: 'The file of the job has already arrived.',
    remedy: 'Nothing is left to upload; read the job for its progress.',
  },
  upload_gone: {
    status: 409,
    meaning: 'The upload was completed a moment ago, or was left incomplete for days.',
    remedy: 'Read the job; if it is still waiting for its file, begin a new upload.',
  },
  no_parts: {
    status: 409,
    meaning: 'The file is uploaded as a whole, so there are no parts to complete.',
    remedy: 'Send the file to the address of the upload; the job starts by itself.',
  },
  parts_missing: {
    status: 409,
    meaning: 'Parts of the upload are missing or have the wrong size.',
    remedy: 'Get new addresses from the upload, and send the parts that `detail` names.',
  },
  no_file: {
    status: 409,
    meaning: 'The job has no file that could be inspected, or its file has not arrived.',
    remedy: 'Upload the file first, or send the beginning of the file in the request.',
  },
  file_gone: {
    status: 409,
    meaning: 'The file of the job was deleted or replaced.',
    remedy: 'Upload the file again.',
  },
  rows_gone: {
    status: 409,
    meaning: 'The refused or warned rows of the job are no longer kept.',
    remedy: 'Import the corrected rows as a new file, or as a batch of a new job.',
  },
} as const satisfies Registry;

const exportCodes = {
  targets_gone: {
    status: 409,
    meaning: 'A segment or collection of the export was deleted.',
    remedy: 'Replace the export definition with segments and collections that exist.',
  },
  no_location: {
    status: 409,
    meaning: 'The job has no file, so it has no location that could be withdrawn.',
    remedy: 'Cancel the job if it must not make a file.',
  },
  location_closed: {
    status: 403,
    meaning: 'The location does not open a file, was withdrawn or has expired.',
    remedy: 'Read the export job for a current location.',
  },
  delivery_in_progress: {
    status: 409,
    meaning: 'An attempt of this delivery is running.',
    remedy: 'Read the delivery for the outcome of the attempt.',
  },
  superseded: {
    status: 409,
    meaning: 'A newer job has delivered its file to the same place, or has other changes to tell.',
    remedy: 'Replay the delivery of the newest job, or run the export again.',
  },
  members_forgotten: {
    status: 409,
    withoutToken: 403,
    meaning:
      'A person whose data may be in the file was forgotten, so the file is not given to anybody any more.',
    remedy: 'Run the export again.',
  },
  job_not_ended: {
    status: 409,
    meaning: 'The job has not ended with a result that could be delivered again.',
    remedy: 'Wait until the job has ended.',
  },
  too_many_tests: {
    status: 429,
    meaning: 'The export was tested too often in this minute.',
    remedy: 'Wait for the time in `Retry-After`.',
  },
} as const satisfies Registry;

/** The codes by area. */
export const problemAreas = {
  'All routes': requestCodes,
  Profiles: profileCodes,
  'Segments and collections': segmentCodes,
  Timelines: timelineCodes,
  Imports: importCodes,
  Exports: exportCodes,
} as const satisfies Readonly<Record<string, Registry>>;

/** Every problem code. */
export const problemCodes = {
  ...requestCodes,
  ...profileCodes,
  ...segmentCodes,
  ...timelineCodes,
  ...importCodes,
  ...exportCodes,
} as const;

/** The `code` of a problem. */
export type ProblemCode = keyof typeof problemCodes;

/** The status of a problem. */
export type ProblemStatus = (typeof problemCodes)[ProblemCode]['status'];

/** The codes of problems with a status. */
export type CodeOf<Status extends ProblemStatus> = {
  [Code in ProblemCode]: (typeof problemCodes)[Code] extends
    { readonly status: Status } | { readonly withoutToken: Status }
    ? Code
    : never;
}[ProblemCode];
