import { isIP } from 'node:net';
import { mayConnect, type PrivateTargets } from './addresses.ts';

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Number of addresses of a name that a caller tries, in order. */
const MOST_ADDRESSES = 4;

/** The allowed addresses of a host: `refused` when one of its addresses is not allowed, `none` when it has no address. */
export type CheckedAddresses = readonly [string, ...string[]] | 'refused' | 'none';

/**
 * Resolves a host once and checks each of its addresses (protection against SSRF and DNS rebinding): the caller must
 * connect to these addresses and not resolve the host again. `secure` says whether the connection is encrypted.
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
