import * as v from 'valibot';

const awsError = v.looseObject({
  name: v.string(),
  message: v.string(),
  $metadata: v.looseObject({ httpStatusCode: v.optional(v.number()) }),
});

/** How often a call was sent, and the status of its last answer. */
interface AnswerMetadata {
  readonly httpStatusCode: number;
  readonly attempts: number;
}

/** An AWS service refused a call, or failed. Named and shaped like the errors of the SDK's clients. */
export class AwsServiceError extends Error {
  override readonly name: string;
  readonly $metadata: AnswerMetadata;

  constructor(name: string, message: string, metadata: AnswerMetadata) {
    super(message);
    this.name = name;
    this.$metadata = metadata;
  }
}

const statusOf = (error: unknown): number =>
  v.is(awsError, error) ? (error.$metadata.httpStatusCode ?? 0) : 0;

/** Whether an AWS service answered with the error of this name. */
export const isNamed = (error: unknown, name: string): boolean =>
  error instanceof AwsServiceError && error.name === name;

/** Whether an AWS service answered with this HTTP status. */
export const isStatus = (error: unknown, status: number): boolean => statusOf(error) === status;

/** Whether an AWS service refused the request itself: it answered with a status from 400 to 499. */
export const isClientError = (error: unknown): boolean => statusOf(error) >= 400 && statusOf(error) < 500;

/** Whether an AWS service refused the call for a missing permission; its message names the action. */
export const isAccessDenied = (error: unknown): boolean =>
  v.is(awsError, error) && error.name.startsWith('AccessDenied');

/** Names of the errors with which AWS services refuse a call because of their load. */
const throttles: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'TooManyRequestsException',
  'SlowDown',
]);

/** Whether an AWS service throttled a call. It has carried out nothing of the call. */
export const isThrottle = (error: unknown): boolean => error instanceof Error && throttles.has(error.name);

const passing = new Set([
  ...throttles,
  'TimeoutError',
  'UnavailableError',
  'InternalServerError',
  'ServiceUnavailable',
]);

/**
 * Whether an error is transient: a throttled, timed-out or failing AWS service, or a broken connection. The API
 * answers 503 for it, and 500 for a bug.
 */
export const isUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false;
  if (passing.has(error.name)) return true;
  if (v.is(v.looseObject({ code: v.picklist(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']) }), error))
    return true;
  return statusOf(error) >= 500;
};

/** An AWS service kept failing, or other writers kept changing an item, until the retry budget was used up. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError';
}
