/** Words: what files write for yes and no, for consent that was given, withdrawn or never asked, and for statuses. */
import { readYesOrNo } from '../../../http/text.ts';
import type { Advice, ColumnValues } from './advice.ts';
import { nameKey, noWords, yesWords, givenWords, nothingWords, withdrawnWords } from './column-names.ts';

/** The keys of words that are delimited by commas. */
export const keysOf = (words: string): readonly string[] => words.split(',').map(nameKey);

/** Words for yes. */
export const yes: ReadonlySet<string> = new Set(keysOf(yesWords));
/** Words for no. */
export const no: ReadonlySet<string> = new Set(keysOf(noWords));

/** More or longer words are no words for yes and no. */
export const MOST_WORDS = 20;
const WORD_CHARACTERS = 20;

/** Words for yes and no in other languages, if all values are such words. */
export const suggestWords = ({ values }: ColumnValues, otherwise: Advice): Advice => {
  const words = [...new Set(values)];
  const keys = words.map(nameKey);
  if (words.length > MOST_WORDS || words.some((word) => word.length > WORD_CHARACTERS)) return otherwise;
  const isText = keys.some((key) => /\p{L}/u.test(key) && key !== 'x');
  if (!isText || !keys.every((key) => yes.has(key) || no.has(key))) return otherwise;
  if (words.every((word) => readYesOrNo(word) !== undefined)) return otherwise;
  const map = Object.fromEntries(words.map((word) => [word, yes.has(nameKey(word)) ? 'Yes' : 'No']));
  return {
    options: { ...otherwise.options, transformations: [{ name: 'map', values: map }] },
    why: ['The cells are words for yes and no.', ...otherwise.why],
  };
};

const given: ReadonlySet<string> = new Set([...yes, ...keysOf(givenWords)]);
const withdrawn: ReadonlySet<string> = new Set([...no, ...keysOf(withdrawnWords)]);
const nothing: ReadonlySet<string> = new Set(keysOf(nothingWords));

/** What a word says about consent; `undefined` for a word that is not known. */
export const meaningOf = (word: string): 'given' | 'withdrawn' | 'nothing' | undefined => {
  const key = nameKey(word);
  if (nothing.has(key)) return 'nothing';
  if (withdrawn.has(key)) return 'withdrawn';
  return given.has(key) ? 'given' : undefined;
};

/** The words of a column, and whether a letter alone is yes: `I` beside `N`, for the Hungarian `igen` and `nem`. */
export const hasLetterForYes = (words: readonly string[]): boolean => {
  const keys = new Set(words.map(nameKey));
  return keys.size === 2 && keys.has('i') && keys.has('n');
};

/** Tells what each word of a column says about consent. */
export const meaningIn = (words: readonly string[]): typeof meaningOf => {
  const isYes = hasLetterForYes(words);
  return (word) => (isYes && nameKey(word) === 'i' ? 'given' : meaningOf(word));
};

const optInTimes: ReadonlySet<string> = new Set(
  keysOf(
    'optin time, confirm time, opt in time, opt in date, opt in timestamp, double opt in date, optin date',
  ),
);

/** Whether a column has the time of an opt-in only, which would date a later withdrawal too early. */
export const isOptInTime = (name: string): boolean => optInTimes.has(nameKey(name));

/** Words that one system writes into one column. A part of a file may lack some of them. */
const vocabularies: readonly (readonly string[])[] = [
  ['subscribed', 'unsubscribed', 'never_subscribed', 'not_subscribed', 'pending', 'cleaned'],
  ['yes', 'no'],
  ['true', 'false'],
  ['ja', 'nein'],
  ['oui', 'non'],
  ['1', '0'],
  ['da', 'nu'],
  ['igen', 'nem'],
  ['ano', 'ne'],
  ['evet', 'hayır'],
  ['kyllä', 'ei'],
  ['ναι', 'όχι'],
];

/** The words that occur beside a word, in its case. */
export const consentVocabulary = (word: string): readonly string[] => {
  const found = vocabularies.find((words) => words.includes(word.toLowerCase())) ?? [];
  if (word === word.toLowerCase()) return found;
  if (word === word.toUpperCase()) return found.map((text) => text.toUpperCase());
  return found.map((text) => text.charAt(0).toUpperCase() + text.slice(1));
};

/** Words for the state of an order, an account or a subscription, which is no part of an address. */
const statuses: ReadonlySet<string> = new Set(
  [
    'active, inactive, paid, unpaid, pending, open, opened, closed, new, enabled, disabled, subscribed, unsubscribed',
    'cleaned, complete, completed, cancelled, canceled, draft, shipped, delivered, returned, refunded, processing, on hold',
    'archived, deleted, confirmed, unconfirmed, error, failed, success, invited, approved, rejected, blocked, expired',
    'done, in progress, won, lost, registered, verified, unverified, live, sent, bounced, yes, no, true, false',
    'aktiv, inaktiv, offen, geschlossen, bezahlt, unbezahlt, storniert, abgeschlossen, bestatigt, gesperrt, geliefert',
    'versandt, neu, erledigt, gekundigt, actif, inactif, actifs, paye, payee, impaye, en attente, annule, annulee, expedie',
    'expediee, livre, livree, ferme, ouvert, nouveau, termine, activo, inactivo, pagado, pendiente, cancelado, enviado',
    'entregado, abierto, cerrado, nuevo, attivo, inattivo, pagato, in attesa, annullato, spedito, consegnato, aperto, chiuso',
    'actief, inactief, betaald, openstaand, geannuleerd, verzonden, geleverd, aktywny, nieaktywny, oplacony, ativo, inativo',
    'pago, pendente, betald, avslutad, aktivni, neaktivni',
  ].flatMap(keysOf),
);

/** Whether a text is a word for a status. */
export const isStatus = (value: string): boolean => statuses.has(nameKey(value));
