/** Capability: a secret in an address that opens one thing for everyone who has the address. */
import { createHmac } from 'node:crypto';
import { sha256 } from './hash.ts';

/** A capability has 32 bytes, in base64url. */
const form = /^[\w-]{43}$/;

/** Whether a text of an address has the form of a capability. Other texts need no look into the table. */
export const isCapability = (text: string): boolean => form.test(text);

/** A capability made of facts: the same facts always give the same capability, so no table has to hold it. */
export const keyedCapability = (key: Uint8Array, facts: readonly (string | number)[]): string =>
  createHmac('sha256', key).update(facts.join('\n')).digest('base64url');

/** The hash that leads from a capability to its item, in hex. A copy of the table therefore opens nothing. */
export const capabilityHash = (capability: string): string => sha256(capability);
