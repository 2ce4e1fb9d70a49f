import { domainToASCII } from 'node:url';

/** ASCII without white space and controls: what the mail service takes before the @. */
const asciiOnly = /^[!-~]+$/;

/**
 * An address as the mail service takes it: ASCII before the @, and the domain in Punycode (RFC 5891). `undefined` for an
 * address that it does not take: SES speaks no SMTPUTF8 (RFC 6531).
 */
export const mailboxOf = (address: string): string | undefined => {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), domainToASCII(address.slice(at + 1))];
  return at > 0 && domain !== '' && asciiOnly.test(local) ? `${local}@${domain}` : undefined;
};
