/** E-mail fault: says what is wrong with a text that is no e-mail address, without the text itself. */
import { limits } from '../config/limits.ts';
import { hasAtMost, LOCAL_PART } from './text.ts';

const notBefore = /[^\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~.-]/u;
const notBehind = /[^\p{L}\p{M}\p{N}.-]/u;
const printable = /^[!-~]$/;

/** A sign in words. A letter of the text is never named. */
const nameOf = (sign: string): string => {
  if (/\s/u.test(sign)) return 'a space';
  if (sign === '"') return 'a quote';
  return printable.test(sign) ? `"${sign}"` : 'a sign that no address has';
};

/** The second half of the sentence. The first rule that a text breaks is the first to mend. */
const wrongIn = (text: string): string => {
  if (!hasAtMost(text, limits.profiles.emailLength))
    return `it has over ${limits.profiles.emailLength} characters`;
  const [local = '', domain, ...more] = text.split('@');
  if (domain === undefined) return 'it has no "@"';
  if (more.length > 0) return `it has ${more.length === 1 ? 'two' : 'several'} "@"`;
  const [sign] = notBefore.exec(local) ?? notBehind.exec(domain) ?? [];
  if (sign !== undefined) return `it has ${nameOf(sign)} in it`;
  if (local === '') return 'nothing stands before the "@"';
  if (domain === '') return 'nothing follows the "@"';
  if (local.length > LOCAL_PART) return `over ${LOCAL_PART} characters stand before the "@"`;
  if ([local, domain].some((part) => `.${part}.`.includes('..')))
    return 'a dot stands at an end or beside another dot';
  return domain.includes('.') ? 'such a domain cannot exist' : 'its domain has no dot';
};

/**
 * The sentence about a text that is no address: `Is not an e-mail address: it has no "@".` It holds nothing of the text but one
 * sign that no address has.
 */
export const emailFault = (text: string): string => `Is not an e-mail address: ${wrongIn(text)}.`;

/** The sentence about letters that lower-casing would turn into others, such as the Kelvin sign. */
export const oddLetters = 'Is not an e-mail address: a letter only looks like one of A to Z.';
