/**
 * Login failures: counts failed logins per user, client id and network, and slows down guessing (brute-force
 * protection).
 */
import ipaddr from 'ipaddr.js';
import * as v from 'valibot';
import { limits } from '../config/limits.ts';
import { ttlAt, type Clock } from '../runtime/clock.ts';
import { credentialKeys } from '../table/credential-keys.ts';
import type { Table } from '../table/table.ts';
import { userHash } from './credential-items.ts';
import { sha256 } from '../runtime/hash.ts';

/** The keys of the counters. Every counter includes the source network, so that nobody is locked out from elsewhere. */
export interface LoginSource {
  /** The client id as given, known or unknown, or the name of an entrance without client ids. */
  readonly client: string;
  readonly username: string;
  readonly sourceIp: string;
}

const slice = limits.auth.failureSliceSeconds;
const SLICES = limits.auth.failureWindowSeconds / slice;

const counter = v.object({ value: v.number() });

/** The failed logins of the last 15 minutes: counted in the table in slices of a minute, so that the window slides. */
export const loginFailures = ({ credentials, clock }: { credentials: Table; clock: Clock }) => {
  const current = (): number => Math.floor(clock() / 1000 / slice);
  /** The failures of each slice of the window, newest first. A query costs 1 read unit; its items, read by key, cost 1 each. */
  const failuresOf = async (hash: string, newest: number): Promise<readonly number[]> => {
    const { pk, sk: to } = credentialKeys.loginFailures(hash, newest);
    const { sk: from } = credentialKeys.loginFailures(hash, newest - SLICES + 1);
    const { items } = await credentials.query(pk, { from, to });
    const values = new Map(items.map((item) => [item.sk, v.parse(counter, item).value]));
    return Array.from(
      { length: SLICES },
      (_, age) => values.get(credentialKeys.loginFailures(hash, newest - age).sk) ?? 0,
    );
  };
  const waitOf = async (hash: string, most: number): Promise<number> => {
    const newest = current();
    const failures = await failuresOf(hash, newest);
    let left = failures.reduce((a, b) => a + b, 0);
    let wait = 0;
    // The oldest slices leave the window first; wait until enough of them have left.
    for (let age = SLICES - 1; left >= most && age >= 0; age -= 1) {
      left -= failures[age] ?? 0;
      wait = (newest - age + SLICES) * slice - Math.floor(clock() / 1000);
    }
    return wait;
  };
  return {
    /**
     * Seconds to wait after too many failures for the user name, for the client id (password spraying) or from the network;
     * otherwise 0.
     */
    wait: async (source: LoginSource): Promise<number> => {
      const { user, client, network } = hashesOf(source);
      const waits = await Promise.all([
        waitOf(user, limits.auth.failuresPerUser),
        waitOf(client, limits.auth.failuresPerClient),
        waitOf(network, limits.auth.failuresPerNetwork),
      ]);
      return Math.max(...waits);
    },
    /** Counts one more failure. Atomic: racing failures are all counted. */
    add: async (source: LoginSource): Promise<void> => {
      const ttl = ttlAt(clock() + limits.auth.failureWindowSeconds * 1_000);
      await Promise.all(
        Object.values(hashesOf(source)).map((hash) =>
          credentials.increment(credentialKeys.loginFailures(hash, current()), 1, { ttl }),
        ),
      );
    },
  };
};

/**
 * The user counter includes the client id: locking out a user requires the client id of the account, and works
 * only from a shared network.
 */
const hashesOf = ({ client, username, sourceIp }: LoginSource) => {
  const network = networkOf(sourceIp);
  return {
    user: sha256(`user\n${network}\n${client}\n${userHash(username)}`),
    client: sha256(`client\n${network}\n${client}`),
    network: sha256(`network\n${network}`),
  };
};

/**
 * The network of a client's address. One IPv6 subscriber holds a whole /64, so all addresses of a /64 count as
 * one source.
 */
export const networkOf = (address: string): string => {
  if (!ipaddr.IPv6.isValid(address)) return address;
  const parsed = ipaddr.IPv6.parse(address);
  return parsed.isIPv4MappedAddress()
    ? parsed.toIPv4Address().toString()
    : parsed.parts.slice(0, 4).join(':');
};
