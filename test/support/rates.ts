import { accountRate, type AccountRate } from '../../shared/rates/account-rate.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Log } from '../../shared/runtime/log.ts';
import { MemoryTable } from './memory-table.ts';

/** A rate counted in memory; only tests of rates pass a rate that can be reached. */
export const memoryRate = (
  { clock, log }: { readonly clock: Clock; readonly log: Log },
  perSecond = 10_000,
): AccountRate => accountRate({ rates: new MemoryTable(), clock, log, perSecond });
