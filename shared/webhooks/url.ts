import { isIP } from 'node:net';
import type { Result } from '../runtime/result.ts';
import { err, ok } from '../runtime/result.ts';
import { mayConnect } from './addresses.ts';
import type { WebhookStage } from './stage.ts';

/** Why an address is no webhook. */
export type WebhookUrlFault =
  'not_a_url' | 'scheme_not_allowed' | 'credentials_in_url' | 'private_target' | 'loops_back';

/** Each of these as a sentence. */
export const webhookUrlDetails: Readonly<Record<WebhookUrlFault, string>> = {
  not_a_url: 'Must be an absolute address.',
  scheme_not_allowed: 'Must be an https address.',
  credentials_in_url: 'Must not hold a user name or password.',
  private_target: 'Must not lead to a private or local address.',
  loops_back: 'Must not lead to this service.',
};

/** A host without the brackets of an IPv6 literal and the final dot of a name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Whether a name means this machine wherever it is resolved. */
export const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/**
 * Checks a webhook address as far as it can be without asking the network: https (http only to this machine, where the
 * stage allows that), no credentials, no private address written out, not this service itself. Names are resolved and
 * checked at each send.
 */
export const checkWebhookUrl = (
  text: string,
  { baseUrl, privateTargets }: WebhookStage,
): Result<URL, WebhookUrlFault> => {
  // Spaces around and line breaks inside would be dropped silently by the parser.
  const url = /[\s\u0000-\u001f]/.test(text) ? null : URL.parse(text);
  if (url === null) return err('not_a_url');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return err('scheme_not_allowed');
  if (url.username !== '' || url.password !== '') return err('credentials_in_url');
  const host = hostOf(url);
  const secure = url.protocol === 'https:';
  if (isIP(host) === 0) {
    if (isLocalName(host)) {
      if (privateTargets !== 'loopback') return err('private_target');
    } else if (!secure) return err('scheme_not_allowed');
  } else if (!mayConnect(host, secure, privateTargets))
    return err(mayConnect(host, true, privateTargets) ? 'scheme_not_allowed' : 'private_target');
  return url.host === URL.parse(baseUrl)?.host ? err('loops_back') : ok(url);
};
