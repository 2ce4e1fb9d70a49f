/** Webhook URL: checks the address of a webhook when a client sends it. */
import { isIP } from 'node:net';
import { err, ok, type Result } from '../runtime/result.ts';
import { mayConnect, type PrivateTargets } from './addresses.ts';
import { type AddressSettings, privateTargetDetail } from './address-settings.ts';

/**
 * Well-known ports of other services from 1024 on: the bad ports of the Fetch standard, which browsers refuse, and the
 * ports of databases, caches, queues and control planes.
 */
const otherServices = new Set([
  ...[1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679],
  ...[6697, 10_080],
  ...[1433, 1521, 1883, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369, 5432, 5672, 5900, 5984, 5985, 5986],
  ...[6379, 6380, 6443, 7000, 7001, 8883, 9042, 9092, 9200, 9300, 10_250, 11_211, 15_672, 27_017, 27_018],
]);

/**
 * Whether webhooks may use the port of a URL: the default port of the scheme (empty), or a port from 1024 on that is
 * not the well-known port of another service.
 */
const isWebhookPort = (port: string): boolean =>
  port === '' || (Number(port) >= 1024 && !otherServices.has(Number(port)));

/** Faults of a text as the address of a webhook. */
export type WebhookUrlFault =
  | 'not_a_url'
  | 'scheme_not_allowed'
  | 'credentials_in_url'
  | 'private_target'
  | 'loops_back'
  | 'port_not_allowed'
  | 'not_in_normal_form';

const details: Readonly<Record<Exclude<WebhookUrlFault, 'private_target'>, string>> = {
  not_a_url: 'Must be an absolute address.',
  scheme_not_allowed: 'Must be an https address.',
  credentials_in_url: 'Must not hold a user name or password.',
  loops_back: 'Must not lead to this service.',
  port_not_allowed: 'Must have the port 443, or one from 1024 on that no other service is known by.',
  not_in_normal_form:
    'Must be written as browsers show it: the host in lower-case letters and Punycode, no port 443, no backslash, no fragment, no dot segments.',
};

/** A fault as a sentence. */
export const webhookUrlDetail = (fault: WebhookUrlFault, settings: AddressSettings): string =>
  fault === 'private_target' ? privateTargetDetail(settings) : details[fault];

/** A host without the brackets of an IPv6 literal and the final dot of a name. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Whether a name means this machine, whatever resolves it. */
const isLocalName = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/**
 * Names of private networks: names of one label, and the domains reserved for such networks (RFC 6762, RFC 8375,
 * ICANN's `internal`). The metadata services of clouds have such names.
 */
const insideNames = /^[^.]+$|\.(?:internal|local|localdomain|home\.arpa|intranet|lan)$/;

/** Whether a host name is allowed, before its resolution. */
export const mayName = (host: string, privateTargets: PrivateTargets): boolean => {
  const name = host.toLowerCase();
  return isLocalName(name) ? privateTargets === 'loopback' : !insideNames.test(name);
};

/**
 * Checks a webhook address without network access: https (http only to this machine, if the stage allows that), no
 * credentials, no literal private address and no private name, an allowed port, not this service itself, and in normal
 * form, so that every program reads the same host. The sender resolves names and checks their addresses at each call.
 */
export const checkWebhookUrl = (
  text: string,
  { baseUrl, privateTargets }: AddressSettings,
): Result<URL, WebhookUrlFault> => {
  // The URL parser would silently drop surrounding spaces and inner line breaks.
  const url = /[\s\u0000-\u001f]/.test(text) ? null : URL.parse(text);
  if (url === null) return err('not_a_url');
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return err('scheme_not_allowed');
  if (url.username !== '' || url.password !== '') return err('credentials_in_url');
  const host = hostOf(url);
  const secure = url.protocol === 'https:';
  if (isIP(host) === 0) {
    if (!mayName(host, privateTargets)) return err('private_target');
    if (!secure && !isLocalName(host)) return err('scheme_not_allowed');
  } else if (!mayConnect(host, secure, privateTargets)) {
    return err(mayConnect(host, true, privateTargets) ? 'scheme_not_allowed' : 'private_target');
  }
  if (url.host === URL.parse(baseUrl)?.host) return err('loops_back');
  if (!isWebhookPort(url.port)) return err('port_not_allowed');
  return isNormal(text, url) ? ok(url) : err('not_in_normal_form');
};

/**
 * Whether a text equals the address as the URL parser writes it. The slash of an empty path is optional; a fragment is
 * not allowed.
 */
const isNormal = (text: string, { href, pathname, search }: URL): boolean =>
  !text.includes('#') && (text === href || (pathname === '/' && search === '' && `${text}/` === href));
