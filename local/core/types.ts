/**
 * Shared types of the embedded cloud. Every AWS call of a function arrives at the gateway. The gateway identifies the
 * caller, checks the IAM policies of the template, counts the call, may inject a fault, and passes the call to its
 * service.
 */

/** The signer of a call. `name` is a function name of the manifest, a workflow name, or `operator`. */
export interface Caller {
  readonly accessKeyId: string;
  readonly name: string;
  /** ARN of the assumed role, as in AWS's AccessDenied messages. */
  readonly principal: string;
  readonly policy: readonly PolicyStatement[];
}

/** The session of an assumed role: calls carry its token, until it expires (epoch milliseconds). */
export interface Session {
  readonly token: string;
  readonly expires: number;
}

/** One statement of an IAM policy, without intrinsic functions. */
export interface PolicyStatement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** One HTTP request of an AWS SDK. */
export interface AwsRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** A buffer for small bodies, a stream for S3 uploads. */
  readonly body: Buffer | NodeJS.ReadableStream;
}

/** The answer of a service. */
export interface AwsResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | NodeJS.ReadableStream;
  /** The cost of the call, one entry per action and item kind. Without it, the meter counts one call. */
  readonly usage?: readonly Usage[];
}

/** The cost of one call: a meter entry without its caller. */
export type Usage = Omit<MeterEntry, 'caller'>;

/** One permission that a call needs: the IAM action and the resource ARN. */
export interface NeededPermission {
  readonly action: string;
  readonly resource: string;
  /** Condition keys of the request (`kms:ViaService`, …), for the conditions of statements. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** The head of a request that a web page may have sent. */
export type PageRequest = Omit<AwsRequest, 'body'>;

/** How a service answers web pages of other origins. */
export interface CrossOrigin {
  /** The answer to the question of a browser whether a page may make a call. It has no signature. */
  preflight(request: PageRequest): AwsResponse;
  /** The headers that let a page read the answer to its call. */
  headersFor(request: PageRequest): Readonly<Record<string, string>>;
}

/** A service behind the gateway. */
export interface AwsService {
  /**
   * Service name of the SigV4 credential scope: `dynamodb`, `s3`, `sqs`, `kms`, `logs`, `states`, `lambda`, `ses`, `scheduler`, `sts`.
   */
  readonly name: string;
  permissions(request: AwsRequest): readonly NeededPermission[];
  /** Throws a ServiceError for what the service refuses. The gateway answers it in the protocol of the service. */
  handle(request: AwsRequest, caller: Caller): Promise<AwsResponse>;
  /** Without it, no page can read an answer of the service. */
  readonly crossOrigin?: CrossOrigin;
}

/** One line of the meter: the cost of a caller's calls. Request units follow the DynamoDB pricing rules. */
export interface MeterEntry {
  readonly caller: string;
  readonly action: string;
  /** Item kind for table calls (from the form of the key), otherwise the name of the bucket or queue. */
  readonly kind: string;
  calls: number;
  readUnits: number;
  writeUnits: number;
  /** The part of the write units that writes with a failed condition cost. */
  refusedUnits: number;
  /** Reads and writes that the table throttled. They are not among the calls. */
  throttles: number;
  bytes: number;
}

/** A call that IAM refused. The least-privilege tests look for denials. */
export interface Denial {
  readonly caller: string;
  readonly action: string;
  readonly resource: string;
  /** The error message in the answer, as in AWS. */
  readonly message: string;
}
