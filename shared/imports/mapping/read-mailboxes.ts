/** Mailboxes: reads the address in a mailbox of RFC 5322, such as `Ann Lee <ann@example.org>`, for `mailbox`. */
import { isEmail } from '../../http/text.ts';
import { visibleText } from '../../runtime/visible-text.ts';

/** The longest text that is searched: a name, and an address. */
const MOST_CHARACTERS = 1_024;

/** An address, and the text beside it. */
interface Mailbox {
  readonly address: string;
  /** The name, with its quotes; an empty text for none. */
  readonly name: string;
}

/** The mailbox that a text is: one address with a name, a comment, brackets or `mailto:`. An address alone is none. */
export const mailboxIn = (text: string): Mailbox | undefined => {
  if (text.length > MOST_CHARACTERS || !text.includes('@')) return undefined;
  const whole = visibleText(text);
  if (isAddress(whole)) return undefined;
  const { body, comment } = withoutComment(whole.replace(/[;,]$/u, '').trimEnd());
  const bare = bareAddress(body);
  const found = bare === undefined ? bracketed(body) : { address: bare, name: '' };
  if (!found) return undefined;
  const name = `${found.name} ${comment}`.trim();
  return hasOtherAddress(name, found.address) ? undefined : { address: found.address, name };
};

/** The address of a mailbox. Any other text stays as it is, also one with two addresses. */
export const readMailbox = (text: string): string => mailboxIn(text)?.address ?? text;

const isAddress = (text: string): boolean => isEmail(text.toLowerCase());

/** An address with or without `mailto:`. A link with a query or with escapes (RFC 6068) may mean another address. */
const bareAddress = (text: string): string | undefined => {
  const address = text.replace(/^mailto:(?!.*[%?])/iu, '').trim();
  return isAddress(address) ? address : undefined;
};

/** A text without the comment at its end, if that has no address. */
const withoutComment = (text: string): { readonly body: string; readonly comment: string } => {
  const start = text.endsWith(')') ? text.lastIndexOf('(') : -1;
  const comment = text.slice(start + 1, -1);
  return start === -1 || comment.includes('@')
    ? { body: text, comment: '' }
    : { body: text.slice(0, start).trim(), comment };
};

const closers: Readonly<Record<string, string>> = { '>': '<', ')': '(' };

/** The address in brackets at the end of a text, and what stands before it. */
const bracketed = (text: string): Mailbox | undefined => {
  const open = closers[text.slice(-1)];
  const start = open === undefined ? -1 : text.lastIndexOf(open);
  if (start === -1) return undefined;
  const address = bareAddress(text.slice(start + 1, -1).trim());
  return address === undefined ? undefined : { address, name: text.slice(0, start) };
};

/** Whether a name has something like an address, unless it is the address once more. */
const hasOtherAddress = (name: string, address: string): boolean =>
  name
    .split(/[\s<>()",;:[\]]+/u)
    .map((word) => word.replace(/^'|'$/gu, ''))
    .some((word) => /.@./u.test(word) && !isSame(word, address));

const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();
