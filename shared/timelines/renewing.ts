import { limits } from '../config/limits.ts';
import type { Clock } from '../runtime/clock.ts';

const { leaseSeconds, leaseRenewalSeconds } = limits.timelines;

/** A lease that is renewed while work goes on: `renew` is asked for a new end (epoch ms) once every second at most. */
export const renewing = (
  { clock, since }: { readonly clock: Clock; readonly since: number },
  renew: (until: number) => Promise<void>,
): { readonly goOn: () => Promise<void> } => {
  let renewed = since;
  return {
    goOn: async () => {
      const now = clock();
      if (now - renewed < leaseRenewalSeconds * 1000) return;
      renewed = now;
      await renew(now + leaseSeconds * 1000);
    },
  };
};
