/** E-mail form: the one form of an address that can be written in several ways. */
import { domainToASCII, domainToUnicode } from 'node:url';

const beyondAscii = /[\u0080-\u{10ffff}]/u;

/**
 * The canonical form of a lower-cased address: an internationalised domain in Unicode, whether it was written so or in
 * Punycode (`xn--…`; UTS 46, as in URLs). A domain that cannot be read stays as it is. `visibleText` has composed the rest.
 */
export const canonicalEmail = (address: string): string => {
  if (!beyondAscii.test(address) && !address.includes('xn--')) return address;
  const at = address.lastIndexOf('@') + 1;
  const domain = address.slice(at);
  const canonical = domainToUnicode(domainToASCII(domain));
  return at === 0 || canonical === '' ? address : address.slice(0, at) + canonical;
};
