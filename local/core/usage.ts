import type { Usage } from './types.ts';

/** The cost of one call without request units and bytes. */
export const oneCall = {
  calls: 1,
  readUnits: 0,
  writeUnits: 0,
  refusedUnits: 0,
  throttles: 0,
  bytes: 0,
} as const satisfies Omit<Usage, 'action' | 'kind'>;

/** A read or write that the table throttled: it costs nothing, and no call was served. */
export const oneThrottle = { ...oneCall, calls: 0, throttles: 1 } as const;

/** Adds the cost of a call to a line. */
export const addUsage = (line: Usage, usage: Usage): void => {
  line.calls += usage.calls;
  line.readUnits += usage.readUnits;
  line.writeUnits += usage.writeUnits;
  line.refusedUnits += usage.refusedUnits;
  line.throttles += usage.throttles;
  line.bytes += usage.bytes;
};
