/** Concurrency: counts the running invocations of an account, and refuses those beyond its limits. */
import { ServiceError } from '../../core/service-error.ts';

/** The limits of an account. */
export interface ConcurrencyLimits {
  /** Concurrent executions of all functions. */
  readonly account: number;
  /** Reserved concurrent executions, by the name of the function. */
  readonly reserved: ReadonlyMap<string, number>;
}

/**
 * Lambda keeps this much unreserved, or the whole limit of a smaller account ("Configuring reserved concurrency for a
 * function", Lambda Developer Guide).
 */
const LEAST_UNRESERVED = 100;

/** The reason why Lambda would refuse the reserved concurrency of these functions; undefined for none. */
export const reservationProblem = ({ account, reserved }: ConcurrencyLimits): string | undefined => {
  const least = Math.min(LEAST_UNRESERVED, account);
  if (account - totalOf(reserved) >= least) return undefined;
  const names = [...reserved.keys()].join(', ');
  return `the reserved concurrency of ${names} decreases the account's UnreservedConcurrentExecution below its minimum value of [${least}]`;
};

const totalOf = (reserved: ReadonlyMap<string, number>): number =>
  [...reserved.values()].reduce((sum, count) => sum + count, 0);

/** A function with reserved concurrency has a pool of its own; the other functions share the rest of the account. */
export const createConcurrency = ({ account, reserved }: ConcurrencyLimits) => {
  const unreserved = account - totalOf(reserved);
  const running = new Map<string, number>();
  return {
    /** Admits an invocation. Returns the function that ends it. Throws Lambda's TooManyRequestsException. */
    enter: (functionName: string): (() => void) => {
      const own = reserved.get(functionName);
      const pool = own === undefined ? '' : functionName;
      const inside = running.get(pool) ?? 0;
      if (inside >= (own ?? unreserved)) throw throttled(own !== undefined);
      running.set(pool, inside + 1);
      return () => running.set(pool, (running.get(pool) ?? 0) - 1);
    },
  };
};

/** Admits invocations within the limits. */
export type Concurrency = ReturnType<typeof createConcurrency>;

const CODE = 'TooManyRequestsException';

/** Lambda's throttle, by the reserved concurrency of the function or by that of the account. */
export const throttled = (byReservation: boolean): ServiceError => {
  const Reason = byReservation
    ? 'ReservedFunctionConcurrentInvocationLimitExceeded'
    : 'ConcurrentInvocationLimitExceeded';
  return new ServiceError(CODE, 'Rate Exceeded.', 429, { Reason, Type: 'User' });
};

/** Whether an error is Lambda's throttle. */
export const isThrottle = (error: unknown): boolean => error instanceof ServiceError && error.code === CODE;
