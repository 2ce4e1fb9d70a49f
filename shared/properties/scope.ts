/**
 * Property scope: the tenant that a rule or repository works in, for multi-tenant isolation
 * (docs/internals/tenancy.md).
 */

import type { PropertyRules } from './rules.ts';

/** Keys of one property, derived from its wrapped master key; in memory only. */
export interface PropertyKeys {
  readonly uuid: { readonly k1: Uint8Array; readonly k2: Uint8Array };
  readonly claims: Uint8Array;
  readonly cursors: Uint8Array;
  /** Makes the capabilities in the locations of export files. */
  readonly downloads: Uint8Array;
  /** Makes the capabilities in the addresses of charts. */
  readonly charts: Uint8Array;
  /** Makes the external id under which the service assumes roles of clients. */
  readonly externalIds: Uint8Array;
  /** Seals social tokens and the questions to enrichers while they wait. */
  readonly tokens: Uint8Array;
}

/** The tenant of a call, with its keys unwrapped and its rules. */
export interface PropertyScope {
  readonly id: number;
  readonly keys: PropertyKeys;
  /** The rules as they were up to `limits.rules.refreshSeconds` ago. */
  readonly rules: PropertyRules;
}
