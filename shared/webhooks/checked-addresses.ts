import { isIP } from 'node:net';
import type { PrivateTargets } from './addresses.ts';
import { mayConnect } from './addresses.ts';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Addresses of one name that are tried, in order. */
const MOST_ADDRESSES = 4;

/** Where a connection may go: `refused` when one of the name's addresses is not allowed, `none` when it has none. */
export type CheckedAddresses = readonly [string, ...string[]] | 'refused' | 'none';

/**
 * Resolves a host once and checks every address that comes: the connection must then go to these very addresses. `secure`
 * tells whether what speaks over it is encrypted.
 */
export const checkedAddresses = async (
  host: string,
  { resolve, privateTargets, secure }: { resolve: Resolve; privateTargets: PrivateTargets; secure: boolean },
): Promise<CheckedAddresses> => {
  const addresses = isIP(host) === 0 ? await resolve(host) : [host];
  if (!addresses.every((address) => mayConnect(address, secure, privateTargets))) return 'refused';
  const [first, ...others] = addresses.slice(0, MOST_ADDRESSES);
  return first === undefined ? 'none' : [first, ...others];
};
