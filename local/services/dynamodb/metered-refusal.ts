import { ServiceError } from '../../core/service-error.ts';
import type { Usage } from '../../core/types.ts';

/** A refused request with its lines for the meter: the cost of a failed condition, or the throttled items. */
export class MeteredRefusal extends ServiceError {
  readonly usage: readonly Usage[];

  constructor({ code, message, status, extra }: ServiceError, usage: readonly Usage[]) {
    super(code, message, status, extra);
    this.usage = usage;
  }
}
