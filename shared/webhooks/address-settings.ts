/** Address settings: reads from the environment which addresses the service may call. */
import * as v from 'valibot';
import type { Env } from '../runtime/env.ts';
import type { PrivateTargets } from './addresses.ts';

/** The settings of a stage that decide which addresses the service may call. */
export interface AddressSettings {
  /** Address of this service, which cannot be a webhook. */
  readonly baseUrl: string;
  readonly privateTargets: PrivateTargets;
}

/** The private targets that the stage of the environment allows. */
export const privateTargets = (env: Env<'PRIVATE_TARGETS'>): PrivateTargets =>
  v.parse(v.picklist(['none', 'loopback']), env('PRIVATE_TARGETS'));

/**
 * The sentence about a private or local address. A service on one machine has an `http` address; it can be started so that
 * it may call this machine.
 */
export const privateTargetDetail = ({ baseUrl, privateTargets: allowed }: AddressSettings): string => {
  const refused = 'Must not lead to a private or local address';
  const isLocal = URL.parse(baseUrl)?.protocol === 'http:';
  return isLocal && allowed === 'none'
    ? `${refused}; on one machine start with --allow-private-targets.`
    : `${refused}.`;
};

/** The settings from the environment. */
export const addressSettings = (env: Env<'BASE_URL' | 'PRIVATE_TARGETS'>): AddressSettings => ({
  baseUrl: env('BASE_URL'),
  privateTargets: privateTargets(env),
});
