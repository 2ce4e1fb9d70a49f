/** Account rate limit: bounds the requests of an account over all functions and processes. */
import { limits } from '../config/limits.ts';
import { problems, type Problem } from '../http/problem.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { Pending } from '../runtime/pending.ts';
import type { Clock } from '../runtime/clock.ts';
import { isUnavailable } from '../runtime/aws-errors.ts';
import { withinMilliseconds } from '../runtime/deadline.ts';
import { errorFacts, type Log } from '../runtime/log.ts';
import { err, ok, type Result } from '../runtime/result.ts';
import { rateKeys } from '../table/rate-keys.ts';
import type { Table } from '../table/table.ts';

/** Rate limiter of accounts. */
export interface AccountRate {
  /** 429 `rate_limited` when the account has used up its requests of the current window; `Retry-After` names its end. */
  admit(account: number): Promise<Result<undefined, Problem>>;
  /**
   * Resolves once no lease is under way. A request waits for it before its answer, because Lambda freezes a function
   * that has answered.
   */
  settled(): Promise<void>;
}

interface RateDeps {
  readonly rates: Pick<Table, 'increment'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Requests per second that an account may send on average over a window. */
  readonly perSecond: number;
}

/** A process's share of an account's window. */
interface Lease {
  readonly window: number;
  /** Requests that the process may still admit. */
  left: number;
  /** Requests that the process has admitted. */
  used: number;
  /** Requests that it has admitted in the window before. */
  readonly usedBefore: number;
  /** The account's requests of this window are used up. */
  over: boolean;
  /** The write that leases further requests. */
  refilling: Promise<void> | undefined;
}

/** Accounts that a process remembers. */
const REMEMBERED = 1_000;

/** A process leases this fraction of its admitted requests at once: at most so much is leased and unused. */
const LEASED_SHARE = 4;

/**
 * The first lease of a process that was idle: the first request, and the requests of the next lease. A cold start then
 * writes one lease instead of two.
 */
const FIRST_LEASE = 3;

/**
 * Counts the requests of an account in windows of `limits.rates.windowSeconds`. A counter in a table holds the
 * requests that all processes have leased of a window. A process that is busy, or was in the window before, leases more
 * requests at once, so that one write serves several requests, and the processes do not all write at the beginning of a
 * window. A process leases more while it serves the last request of its lease, so that only the first request of a
 * window waits. Unused leases are lost: an account may be refused up to a fifth below its rate, never above it. When the
 * counter cannot be reached in time the request passes: a rate limit must not become an outage.
 */
export const accountRate = ({ rates, clock, log, perSecond }: RateDeps): AccountRate => {
  const leases = new BoundedMap<number, Lease>(REMEMBERED);
  const milliseconds = limits.rates.windowSeconds * 1_000;
  const most = perSecond * limits.rates.windowSeconds;

  const leaseOf = (account: number, window: number): Lease => {
    const known = leases.get(account);
    if (known?.window === window) return known;
    const usedBefore = known?.window === window - 1 ? known.used : 0;
    const lease: Lease = { window, left: 0, used: 0, usedBefore, over: false, refilling: undefined };
    leases.set(account, lease);
    return lease;
  };
  /** Requests that the counter still granted. */
  const take = async (account: number, window: number, wanted: number): Promise<number> => {
    const ttl = Math.ceil(((window + 1) * milliseconds) / 1_000) + limits.rates.keptSeconds;
    const taken = await withinMilliseconds(clock, limits.rates.waitMilliseconds, () =>
      rates.increment(rateKeys.window(account, window), wanted, { ttl }),
    );
    return Math.min(wanted, Math.max(0, most - (taken - wanted)));
  };
  const leaseMore = async (account: number, lease: Lease): Promise<void> => {
    const used = Math.max(lease.used, lease.usedBefore);
    const wanted = used === 0 ? FIRST_LEASE : Math.max(2, Math.ceil(used / LEASED_SHARE));
    try {
      lease.left += await take(account, lease.window, wanted);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log('rates.unavailable', { account, error: errorFacts(error) });
      lease.left += 1;
    }
    lease.over = lease.left === 0;
  };
  const ahead = new Pending();
  /** Leases further requests; one write of a lease at a time. */
  const refill = (account: number, lease: Lease): Promise<void> => {
    lease.refilling ??= leaseMore(account, lease).finally(() => {
      lease.refilling = undefined;
    });
    return lease.refilling;
  };
  return {
    admit: async (account) => {
      const now = clock();
      const window = Math.floor(now / milliseconds);
      const lease = leaseOf(account, window);
      if (lease.left === 0 && !lease.over) await refill(account, lease);
      if (lease.left === 0)
        return err(problems.rateLimited('rate_limited', ((window + 1) * milliseconds - now) / 1_000));
      lease.left -= 1;
      lease.used += 1;
      if (lease.left === 0) ahead.add(refill(account, lease));
      return ok(undefined);
    },
    settled: () => ahead.settled(),
  };
};
