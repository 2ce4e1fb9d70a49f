import { domainToASCII } from 'node:url';

/** ASCII without white space and controls: the characters that the mail service accepts before the @. */
const asciiOnly = /^[!-~]+$/;

/**
 * An address in the form of the mail service: ASCII before the @, and the domain in Punycode (RFC 5891). `undefined`
 * for an address that the service does not accept: SES does not support SMTPUTF8 (RFC 6531).
 */
export const mailboxOf = (address: string): string | undefined => {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at), domainToASCII(address.slice(at + 1))];
  return at > 0 && domain !== '' && asciiOnly.test(local) ? `${local}@${domain}` : undefined;
};
