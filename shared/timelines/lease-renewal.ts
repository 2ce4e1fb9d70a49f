import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';

const { leaseSeconds, leaseRenewalSeconds } = limits.timelines;

/** A heartbeat for a lease: `renew` extends the lease to a new end (epoch ms), at most once in `leaseRenewalSeconds`. */
export const leaseRenewal = (
  { clock, since }: { readonly clock: Clock; readonly since: number },
  extend: (until: number) => Promise<void>,
): { readonly renew: () => Promise<void> } => {
  let renewed = since;
  return {
    renew: async () => {
      const now = clock();
      if (now - renewed < leaseRenewalSeconds * 1000) return;
      renewed = now;
      await extend(now + leaseSeconds * 1000);
    },
  };
};
