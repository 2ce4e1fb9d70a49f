/**
 * The shapes that hold the embedded cloud together. Every AWS call of a function arrives at the gateway, is
 * identified, checked against the IAM policies of the template, metered, perhaps disturbed by a fault, and
 * then answered by the service that owns it.
 */

/** Who signed a call. `name` is a function name of the manifest, a workflow name, or `operator`. */
export interface Caller {
  readonly accessKeyId: string;
  readonly name: string;
  /** ARN of the assumed role as AWS would print it in an AccessDenied message. */
  readonly principal: string;
  readonly policy: readonly PolicyStatement[];
}

/** One statement of an IAM policy, its intrinsics already resolved to local names. */
export interface PolicyStatement {
  readonly effect: 'Allow' | 'Deny';
  readonly actions: readonly string[];
  readonly resources: readonly string[];
  readonly conditions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** One HTTP request of an AWS SDK, as the gateway received it. */
export interface AwsRequest {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
  /** Small bodies are buffered; S3 uploads stream. */
  readonly body: Buffer | NodeJS.ReadableStream;
}

/** What a service answers; the gateway writes it to the wire. */
export interface AwsResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | NodeJS.ReadableStream;
  /** What the call spent, a line per action and item kind; without it the meter counts one call. */
  readonly usage?: readonly Usage[];
}

/** What one call spent: a meter entry without its caller. */
export type Usage = Omit<MeterEntry, 'caller'>;

/** One permission that a call needs, as IAM names it: action and resource ARN. */
export interface NeededPermission {
  readonly action: string;
  readonly resource: string;
  /** Condition keys of the request (`kms:ViaService`, …) that a statement may test. */
  readonly context?: Readonly<Record<string, readonly string[]>>;
}

/** Where the embedded cloud pretends to be: what ARNs and queue URLs are made of. */
export interface Scope {
  readonly region: string;
  readonly accountId: string;
}

/** A service behind the gateway: what a call needs, and how it is answered. */
export interface AwsService {
  /** Service name of the SigV4 credential scope: `dynamodb`, `s3`, `sqs`, `kms`, `states`, `lambda`, `ses`, `scheduler`. */
  readonly name: string;
  permissions(request: AwsRequest): readonly NeededPermission[];
  handle(request: AwsRequest, caller: Caller): Promise<AwsResponse>;
}

/** One line of the meter: what a caller spent. Request units follow the DynamoDB pricing rules. */
export interface MeterEntry {
  readonly caller: string;
  readonly action: string;
  /** Item kind for table calls (from the key's shape), bucket or queue name otherwise. */
  readonly kind: string;
  calls: number;
  readUnits: number;
  writeUnits: number;
  bytes: number;
}

/** A call that IAM refused: what the least-privilege tests look for. */
export interface Denial {
  readonly caller: string;
  readonly action: string;
  readonly resource: string;
  /** The sentence that the caller was answered, as AWS words it. */
  readonly message: string;
}
