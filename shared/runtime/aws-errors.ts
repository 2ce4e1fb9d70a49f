import { isThrottlingError, isTransientError } from '@smithy/core/retry';
import * as v from 'valibot';

const awsError = v.looseObject({
  name: v.string(),
  message: v.string(),
  $metadata: v.looseObject({
    httpStatusCode: v.optional(v.number()),
    requestId: v.optional(v.string()),
    extendedRequestId: v.optional(v.string()),
  }),
});

/** How often a call was sent, the status of its last answer, and the id by which AWS Support finds it. */
export interface AnswerMetadata {
  readonly httpStatusCode: number;
  readonly attempts: number;
  readonly requestId?: string | undefined;
}

/** An AWS service refused a call, or failed. Named and shaped like the errors of the SDK's clients. */
export class AwsServiceError extends Error {
  override readonly name: string;
  readonly $metadata: AnswerMetadata;
  /** Of a cancelled transaction of DynamoDB: what became of each of its statements. */
  readonly CancellationReasons: unknown;

  constructor(name: string, message: string, metadata: AnswerMetadata, reasons?: unknown) {
    super(message);
    this.name = name;
    this.$metadata = metadata;
    this.CancellationReasons = reasons;
  }
}

const statusOf = (error: unknown): number =>
  v.is(awsError, error) ? (error.$metadata.httpStatusCode ?? 0) : 0;

/** The ids that AWS gave a call that failed, as AWS Support asks for them; S3 gives two. `undefined` for other errors. */
export const awsRequestOf = (error: unknown): string | undefined => {
  if (!v.is(awsError, error)) return undefined;
  const { requestId, extendedRequestId } = error.$metadata;
  return [requestId, extendedRequestId].filter((id) => id !== undefined).join(' ') || undefined;
};

/** Whether an AWS service answered with the error of this name. */
export const isNamed = (error: unknown, name: string): boolean =>
  v.is(awsError, error) && error.name === name;

/** Whether an AWS service answered with this HTTP status. */
export const isStatus = (error: unknown, status: number): boolean => statusOf(error) === status;

/** Whether an AWS service refused the request itself: it answered with a status from 400 to 499. */
export const isClientError = (error: unknown): boolean => statusOf(error) >= 400 && statusOf(error) < 500;

/** Whether an AWS service refused the call for a missing permission; its message names the action. */
export const isAccessDenied = (error: unknown): boolean =>
  v.is(awsError, error) && error.name.startsWith('AccessDenied');

/** An error as the rules of the SDK's retries take it. They read only properties that it may lack. */
const judged = v.custom<Parameters<typeof isTransientError>[0]>((error) => error instanceof Error);

/** Whether an error is one of those for which the SDK has a rule, or has one of these names. */
const isOneOf =
  (rule: (error: v.InferOutput<typeof judged>) => boolean, names: ReadonlySet<string>) =>
  (error: unknown): boolean =>
    v.is(judged, error) && (names.has(error.name) || rule(error));

/** The SDK's rule judges causes down to this depth. Whoever wraps an error has judged it, so here the rule begins below. */
const BELOW_CAUSES = 11;

/**
 * Whether an AWS service throttled a call. It has carried out nothing of the call. The names are those that the SDK lacks:
 * the key of a queue or bucket that KMS throttles, and a queue with too many messages in flight.
 */
export const isThrottle = isOneOf(
  isThrottlingError,
  new Set(['KmsThrottled', 'KMS.ThrottlingException', 'OverLimit']),
);

/**
 * Whether a call failed in a way that another attempt may mend at once: a timed-out or failing AWS service, a name that
 * does not resolve, or a broken connection. The names are those that the SDK lacks: failures of a service, and
 * two calls of S3 at once for one object.
 */
export const isTransient = isOneOf(
  (error) => isTransientError(error, BELOW_CAUSES),
  new Set(['InternalServerError', 'ServiceUnavailable', 'OperationAborted']),
);

/** Why an attempt failed, as the SDK's retries tell it apart. */
export type ErrorType = 'THROTTLING' | 'TRANSIENT' | 'CLIENT_ERROR';

/** Why an attempt failed. */
export const errorTypeOf = (error: unknown): ErrorType => {
  if (isThrottle(error)) return 'THROTTLING';
  return isTransient(error) ? 'TRANSIENT' : 'CLIENT_ERROR';
};

/** A key that is switched off, as KMS and the services that use it say. Somebody must switch it on. */
const keyStates = [
  ...['DisabledException', 'KMSInvalidStateException', 'KmsDisabled', 'KmsInvalidState'],
  ...['KMS.DisabledException', 'KMS.KMSInvalidStateException'],
];
const isOurs = isOneOf(() => false, new Set(['UnavailableError', ...keyStates]));

/**
 * Whether an error passes: a throttled, failing or unreachable AWS service, a key that is switched off, or a budget of
 * retries that was used up. The API answers 503 for it, and 500 for a bug.
 */
export const isUnavailable = (error: unknown): boolean =>
  isThrottle(error) || isTransient(error) || isOurs(error) || statusOf(error) >= 500;

/** An AWS service kept failing, or other writers kept changing an item, until the retry budget was used up. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}
