/**
 * An error with the code and message of the real service. The gateway and the services write it in the protocol of the
 * service.
 */
export class ServiceError extends Error {
  readonly code: string;
  readonly status: number;
  /** More members of a body of JSON, and more headers. */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    message: string,
    status = 400,
    extra: ServiceError['extra'] = {},
    headers: ServiceError['headers'] = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.extra = extra;
    this.headers = headers;
  }
}
