/** A refusal as the real service words it; the gateway and the services turn it into their wire's shape. */
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
