import { inspect, isDeepStrictEqual } from 'node:util';

/** Throws where what was found differs from what the model says. */
export const same = (what: string, found: unknown, wanted: unknown): void => {
  if (!isDeepStrictEqual(found, wanted))
    throw new Error(`${what}: ${inspect(found, { depth: 9 })} instead of ${inspect(wanted, { depth: 9 })}`);
};
