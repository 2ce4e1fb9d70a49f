import * as v from 'valibot';
import type { Env } from '../runtime/env.ts';
import type { PrivateTargets } from './addresses.ts';

/** What decides, besides an address itself, whether it may be called. */
export interface WebhookStage {
  /** Address of this service, which is no webhook. */
  readonly baseUrl: string;
  readonly privateTargets: PrivateTargets;
}

/** Which private targets the stage of the environment allows. */
export const privateTargets = (env: Env<'PRIVATE_TARGETS'>): PrivateTargets =>
  v.parse(v.picklist(['none', 'loopback']), env('PRIVATE_TARGETS'));

/** The stage of the environment. */
export const webhookStage = (env: Env<'BASE_URL' | 'PRIVATE_TARGETS'>): WebhookStage => ({
  baseUrl: env('BASE_URL'),
  privateTargets: privateTargets(env),
});
