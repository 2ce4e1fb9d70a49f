import { isIP } from 'node:net';
import { err, ok, type Result } from '../runtime/result.ts';
import { type AddressSettings, privateTargetDetail } from '../webhooks/address-settings.ts';
import { mayConnect, type PrivateTargets } from '../webhooks/addresses.ts';
import { hostOf, mayName } from '../webhooks/url.ts';

/** The host and port of an SFTP server. */
export interface SftpHost {
  /** A name, or an address without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Faults of a text as the address of an SFTP server. */
export type SftpDomainFault = 'not_a_host' | 'private_target';

/** A fault as a sentence. */
export const sftpDomainDetail = (fault: SftpDomainFault, settings: AddressSettings): string =>
  fault === 'private_target'
    ? privateTargetDetail(settings)
    : 'Must be a host name or address, with a port if it is not 22: host or host:port, without sftp://.';

const SSH_PORT = 22;
const form = /^(\[[\da-f:.]+\]|[^\s\u0000-\u001f[\]:/@?#\\%]+)(?::(\d{1,5}))?$/iu;

/**
 * Reads `host[:port]` and checks it without network access: literal addresses, in any spelling, must be allowed. Names
 * are resolved and checked at each connection.
 */
export const readSftpDomain = (
  domain: string,
  privateTargets: PrivateTargets,
): Result<SftpHost, SftpDomainFault> => {
  const [, written = '', portText] = form.exec(domain) ?? [];
  const port = portText === undefined ? SSH_PORT : Number(portText);
  // The URL parser knows all spellings of an address: 0x7f.1 is 127.0.0.1.
  const url = written === '' ? null : URL.parse(`https://${written}/`);
  if (url === null || port < 1 || port > 65_535) return err('not_a_host');
  const host = hostOf(url);
  if (host === '') return err('not_a_host');
  const allowed = isIP(host) === 0 ? mayName(host, privateTargets) : mayConnect(host, true, privateTargets);
  return allowed ? ok({ host, port }) : err('private_target');
};

/** Bytes of the longest user name. */
const USER_BYTES = 255;

/**
 * Whether a text may be a user name. Names belong to the server, and servers have domains (`PARTNER\ann`), addresses
 * (`ann@example.org`) and other signs in them. No name is blank, begins or ends with white space, or holds a control or
 * a character that nobody sees.
 */
export const isSftpUser = (text: string): boolean =>
  text !== '' &&
  text.trim() === text &&
  Buffer.byteLength(text) <= USER_BYTES &&
  !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
