/**
 * An error with the code and message of the real service. The gateway and the services write it in the protocol of the
 * service.
 */
export class ServiceError extends Error {
  readonly code: string;
  readonly status: number;
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, status = 400, extra: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.extra = extra;
  }
}
