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
import type { Key } from '../table/keys.ts';
import { rateKeys } from '../table/request-keys.ts';
import type { Table } from '../table/table.ts';
import { addToWindow } from './count-in-window.ts';

/** An account, with the rate that an operator has set for it; without, it has the rate of the stage. */
export interface RatedAccount {
  readonly account: number;
  readonly requestsPerSecond?: number | undefined;
}

/** Rate limiter of accounts. */
export interface AccountRate {
  /** 429 `rate_limited` when the account has used up its requests of the current window; `Retry-After` names its end. */
  admit(account: RatedAccount): Promise<Result<undefined, Problem>>;
  /**
   * Charges an admitted request for the request units that it has consumed: those beyond `limits.rates.unitsPerRequest` count
   * as further requests, of this window and, when it is full, of the next ones. `settled` waits for the charge.
   */
  charge(account: RatedAccount, units: number): void;
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

const milliseconds = limits.rates.windowSeconds * 1_000;

/** The counters of windows in the table. */
const windowCounter = ({ rates, clock, log, perSecond }: RateDeps) => {
  const mostOf = ({ requestsPerSecond = perSecond }: RatedAccount): number =>
    requestsPerSecond * limits.rates.windowSeconds;
  /** Requests that the counter still granted. */
  const take = async (rated: RatedAccount, window: number, wanted: number): Promise<number> => {
    const key = (of: number): Key => rateKeys.window(rated.account, of);
    const count = { key, amount: wanted, milliseconds, now: window * milliseconds };
    const { held } = await withinMilliseconds(clock, limits.rates.waitMilliseconds, () =>
      addToWindow(rates, count),
    );
    return Math.min(wanted, Math.max(0, mostOf(rated) - (held - wanted)));
  };
  /** Runs a count; `missed` instead when the table cannot count now. */
  const counting = async (account: number, count: () => Promise<void>, missed = () => {}): Promise<void> => {
    try {
      await count();
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      log('rates.unavailable', { account, error: errorFacts(error) });
      missed();
    }
  };
  return { take, counting };
};

/**
 * Counts the requests of an account in windows of `limits.rates.windowSeconds`. A counter in a table holds the
 * requests that all processes have leased of a window. A process that is busy, or was in the window before, leases more
 * requests at once, so that one write serves several requests, and the processes do not all write at the beginning of a
 * window. A process leases more while it serves the last request of its lease, so that only the first request of a
 * window waits. Unused leases are lost: an account may be refused up to a fifth below its rate, never above it. When the
 * counter cannot be reached in time the request passes: a rate limit must not become an outage.
 *
 * What a request costs is known only after it: a page of a thousand people takes 1,002 read units when they are scattered, and
 * far fewer otherwise. So an expensive request is charged afterwards, and later requests wait for what it took.
 */
export const accountRate = (deps: RateDeps): AccountRate => {
  const { clock } = deps;
  const leases = new BoundedMap<number, Lease>(REMEMBERED);
  const { take, counting } = windowCounter(deps);

  const leaseOf = (account: number, window: number): Lease => {
    const known = leases.get(account);
    if (known?.window === window) return known;
    const usedBefore = known?.window === window - 1 ? known.used : 0;
    const lease: Lease = { window, left: 0, used: 0, usedBefore, over: false, refilling: undefined };
    leases.set(account, lease);
    return lease;
  };
  const chargeRequests = (rated: RatedAccount, requests: number): Promise<void> =>
    counting(rated.account, async () => {
      const first = Math.floor(clock() / milliseconds);
      let due = requests;
      for (let ahead = 0; due > 0 && ahead < limits.rates.chargedWindows; ahead += 1)
        due -= await take(rated, first + ahead, due);
    });
  const leaseMore = async (rated: RatedAccount, lease: Lease): Promise<void> => {
    const used = Math.max(lease.used, lease.usedBefore);
    const wanted = used === 0 ? FIRST_LEASE : Math.max(2, Math.ceil(used / LEASED_SHARE));
    await counting(
      rated.account,
      async () => {
        lease.left += await take(rated, lease.window, wanted);
      },
      () => {
        lease.left += 1;
      },
    );
    lease.over = lease.left === 0;
  };
  const ahead = new Pending();
  /** Leases further requests; one write of a lease at a time. */
  const refill = (rated: RatedAccount, lease: Lease): Promise<void> => {
    lease.refilling ??= leaseMore(rated, lease).finally(() => {
      lease.refilling = undefined;
    });
    return lease.refilling;
  };
  return {
    admit: async (rated) => {
      const now = clock();
      const window = Math.floor(now / milliseconds);
      const lease = leaseOf(rated.account, window);
      if (lease.left === 0 && !lease.over) await refill(rated, lease);
      if (lease.left === 0)
        return err(problems.rateLimited('rate_limited', ((window + 1) * milliseconds - now) / 1_000));
      lease.left -= 1;
      lease.used += 1;
      if (lease.left === 0) ahead.add(refill(rated, lease));
      return ok(undefined);
    },
    charge: (rated, units) => {
      const further = Math.ceil(units / limits.rates.unitsPerRequest) - 1;
      if (further > 0) ahead.add(chargeRequests(rated, further));
    },
    settled: () => ahead.settled(),
  };
};
