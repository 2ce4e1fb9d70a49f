import { isIP } from 'node:net';
import type { Result } from '../runtime/result.ts';
import { err, ok } from '../runtime/result.ts';
import { mayConnect, type PrivateTargets } from './addresses.ts';
import { isWebhookPort } from './ports.ts';
import type { WebhookStage } from './stage.ts';

/** Why an address is no webhook. */
export type WebhookUrlFault =
  | 'not_a_url'
  | 'scheme_not_allowed'
  | 'credentials_in_url'
  | 'private_target'
  | 'loops_back'
  | 'port_not_allowed'
  | 'not_in_normal_form';

/** Each of these as a sentence. */
export const webhookUrlDetails: Readonly<Record<WebhookUrlFault, string>> = {
  not_a_url: 'Must be an absolute address.',
  scheme_not_allowed: 'Must be an https address.',
  credentials_in_url: 'Must not hold a user name or password.',
  private_target: 'Must not lead to a private or local address.',
  loops_back: 'Must not lead to this service.',
  port_not_allowed: 'Must have the port 443, or one from 1024 on that no other service is known by.',
  not_in_normal_form:
    'Must be written as browsers show it: the host in small letters and Punycode, no port 443, no backslash, no fragment, no dot segments.',
};

/** A host without the brackets of an IPv6 literal and the final dot of a name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Whether a name means this machine wherever it is resolved. */
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/**
 * Names that only a private network knows: names of one label, and the domains that are reserved for such networks (RFC 6762,
 * RFC 8375, ICANN's `internal`). The metadata services of clouds have such names.
 */
const insideNames = /^[^.]+$|\.(?:internal|local|localdomain|home\.arpa|intranet|lan)$/;

/** Whether a host's name may be connected to, before anybody resolves it. */
export const mayName = (host: string, privateTargets: PrivateTargets): boolean => {
  const name = host.toLowerCase();
  return isLocalName(name) ? privateTargets === 'loopback' : !insideNames.test(name);
};

/**
 * Checks a webhook address as far as it can be without asking the network: https (http only to this machine, where the
 * stage allows that), no credentials, no private address or name written out, a port for webhooks, not this service itself,
 * and in its own normal form, so that every program that reads it reads the same host. Names are resolved and checked at
 * each send.
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
    if (!mayName(host, privateTargets)) return err('private_target');
    if (!secure && !isLocalName(host)) return err('scheme_not_allowed');
  } else if (!mayConnect(host, secure, privateTargets))
    return err(mayConnect(host, true, privateTargets) ? 'scheme_not_allowed' : 'private_target');
  if (url.host === URL.parse(baseUrl)?.host) return err('loops_back');
  if (!isWebhookPort(url.port)) return err('port_not_allowed');
  return isNormal(text, url) ? ok(url) : err('not_in_normal_form');
};

/** Whether a text is how the parser itself writes the address. The slash of an empty path may be missing; a fragment may not be there. */
const isNormal = (text: string, { href, pathname, search }: URL): boolean =>
  !text.includes('#') && (text === href || (pathname === '/' && search === '' && `${text}/` === href));
