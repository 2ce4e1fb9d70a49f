/**
 * Placeholder identities: values that programs and people write where nobody's identity is known. Many records share
 * them, so they would make one person of many.
 */
import type { IdentityKind } from '../table/keys.ts';
import type { Identity, Warning } from './types.ts';
import { isErrorOfSheet, isWordForNothing } from './words-for-nothing.ts';

/** Why a value looks like nobody's identity. */
export type PlaceholderKind = 'nothing' | 'address' | 'rounded' | 'decimal';

/** Longer values are no placeholders, except for addresses. */
const LONGEST = 48;

/** A number in scientific form, as spreadsheets show a long one: most of its digits are lost. */
const rounded = /^-?\d(?:[.,]\d+)?E\+\d+$/i;

/** A whole number with a decimal part of zeros. Three zeros may be thousands. */
const decimal = /^\d+[.,]0{1,2}$/;

/** The text of a template that nobody filled in: `{{id}}`, `${id}`, `*|ID|*`, `%%id%%`, `<%= id %>`. */
const template = /^(?:\{\{.*\}\}|\$\{.*\}|\*\|.*\|\*|%%.*%%|<%.*%>)$/;

const ZERO = 48;
const NINE = 57;

/** Why a `unique_id` or `social_id` looks like nobody's; `undefined` for every other value. */
const placeholderId = (value: string): PlaceholderKind | undefined => {
  if (value.length > LONGEST) return undefined;
  if (isWordForNothing(value) || isErrorOfSheet(value) || template.test(value)) return 'nothing';
  const last = value.charCodeAt(value.length - 1);
  if (last < ZERO || last > NINE) return undefined;
  if (rounded.test(value)) return 'rounded';
  return decimal.test(value) ? 'decimal' : undefined;
};

/** Names of mailboxes that nobody reads, and of those that stand for no address at all. */
const mailboxes: ReadonlySet<string> = new Set(
  (
    'noreply, no-reply, no.reply, no_reply, donotreply, do-not-reply, do.not.reply, do_not_reply, dontreply, nomail, ' +
    'no-mail, no.mail, no_mail, noemail, no-email, no.email, no_email, noemailaddress, nomailaddress, noemailprovided, ' +
    'keinemail, keine-mail, keine.mail, keine_mail, keineemail, keine-email, keine.email, keine_email, kein-email, ' +
    'ohnemail, ohne-mail, ohne.mail, pasdemail, pas-de-mail, pas.de.mail, pasdemel, sansmail, sans-mail, sans.mail, ' +
    'sinmail, sinemail, sin-email, sincorreo, sin-correo, notiene, nessunamail, senzamail, senza-mail, geenmail, ' +
    'geen-mail, geenemail, geen-email, brakmaila, brak-maila, ingenmail, ingen-mail'
  ).split(', '),
);

/** Names of mailboxes that are placeholders only at a domain of this kind: `test@test.de`, `a@a.com`. */
const samples: ReadonlySet<string> = new Set(
  (
    'test, tests, tester, testing, example, sample, muster, beispiel, guest, gast, anon, anonym, a, aa, aaa, x, xx, xxx, ' +
    'abc, asdf, qwerty, no, non, nein, na, ka, email, mail, user, name, mustermann'
  ).split(', '),
);

const isTest = (word: string): boolean => /^(?:test(?:s|er|ing)?|example|sample)$/.test(word);

/** Why an e-mail address looks like nobody's. */
const placeholderEmail = (value: string): PlaceholderKind | undefined => {
  const at = value.indexOf('@');
  if (at === -1) return placeholderId(value);
  const mailbox = value.slice(0, at);
  if (mailboxes.has(mailbox)) return 'address';
  const domain = value.slice(at + 1);
  if (domain.endsWith('.invalid')) return 'address';
  const [label = ''] = domain.split('.', 1);
  if (mailboxes.has(label)) return 'address';
  if (!samples.has(mailbox)) return isWordForNothing(mailbox) ? 'address' : undefined;
  return label === mailbox || (isTest(mailbox) && isTest(label)) ? 'address' : undefined;
};

/** Why an identity looks like nobody's; `undefined` for every other identity. Case does not matter. */
export const placeholderKind = ({ kind, value }: Identity): PlaceholderKind | undefined =>
  kind === 'email' ? placeholderEmail(value.toLowerCase()) : placeholderId(value);

const sentences = {
  nothing: 'is a word for nothing, so records of other people may have it too',
  address: 'is a placeholder for an address, so records of other people may have it too',
  rounded: 'is a number that a spreadsheet has rounded, so records of other people may have it too',
  decimal:
    'is a whole number that a program has made decimal, so the same person may have another id elsewhere',
} as const satisfies Readonly<Record<PlaceholderKind, string>>;

/** Warnings about the identities of a record that look like nobody's. They are stored as stated all the same. */
export const placeholderWarnings = (identities: readonly Identity[]): readonly Warning[] => {
  let warnings: readonly Warning[] = none;
  for (const identity of identities) {
    const found = placeholderKind(identity);
    if (found) warnings = [...warnings, warningOf(identity.kind, found)];
  }
  return warnings;
};

const none: readonly Warning[] = [];

const warningOf = (field: IdentityKind, found: PlaceholderKind): Warning => ({
  code: 'looks_like_no_identity',
  detail: `The ${field} ${sentences[found]}. It was stored as stated.`,
  field,
});
