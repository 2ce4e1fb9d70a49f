/**
 * Placeholder identities: values that programs and people write where nobody's identity is known. Many records share
 * them, so they would make one person of many.
 */
import type { IdentityKind } from '../table/keys.ts';
import type { Identity, Warning } from './types.ts';

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

/** Words, delimited by a comma and a space. */
const words = [
  // Programs and databases.
  'null, nul, none, nil, nan, na, n/a, undefined, undef, void, nullptr, dbnull, system.dbnull, object object, false, true, -1, -nan, 1.#ind, notset, notfound',
  // Empty values by name.
  'blank, empty, leer, vide, vacio, vacío, vuoto, leeg, puste, boş, пусто, 空',
  // People who are not known.
  'unknown, unbekannt, unbek, inconnu, inconnue, desconocido, desconocida, sconosciuto, sconosciuta, desconhecido, desconhecida, onbekend, nieznany, nieznana, neznámý, neznámá, okänd, ukjent, ukendt, tuntematon, ismeretlen, necunoscut, bilinmiyor, неизвестно, неизвестный, неизвестная, невідомо, άγνωστο, 不明, 未知, 알 수 없음',
  'anonymous, anonym, anonyme, anonimo, anónimo, anônimo, anoniem, anonymus, anon, guest, gast, invité, invitado, ospite, hóspede, gość, not_authenticated',
  // Nothing is there.
  'nothing, nichts, keine, keiner, keines, kein, aucun, aucune, néant, neant, sans, ninguno, ninguna, ningun, nessuno, nessuna, niente, nulla, nenhum, nenhuma, geen, brak, žádný, žádné, ingen, inget, ingenting, ei ole, nincs, nema, yok, нет, немає, なし, 无, 無, 없음',
  'not available, not applicable, not provided, not specified, not set, not known, not given, no value, no data, no id, no number, no email, no e-mail, no mail, none given, missing, k.a, k. a, keine angabe, keine angaben, nicht vorhanden, nicht bekannt, nicht angegeben, ohne angabe, ohne, entfällt, n.v, n. v, non renseigné, non renseignée, non disponible, non communiqué, n.c, n. c, no disponible, no aplica, sin datos, sin especificar, s/d, non disponibile, non specificato, n.d, n. d, n/d, não disponível, não informado, niet bekend, niet beschikbaar, n.v.t, nvt, n.b, brak danych, nie dotyczy, saknas, ej angivet, ikke oppgitt, н/д, нет данных',
  // To be filled in.
  'tbd, tba, tbc, tbd., to be determined, to be defined, to do, todo, to follow, pending, wird nachgereicht, à définir, a définir, por definir, da definire, xxx, xxxx, xxxxx, xxxxxx',
  'test, tests, testing, tester, dummy, placeholder, platzhalter, sample, muster, beispiel, exemple, ejemplo, esempio, lorem, ipsum, asdf, qwerty',
].join(', ');

const known: ReadonlySet<string> = new Set(words.split(', '));

/** The errors of a cell in spreadsheets, in several languages: `#N/A`, `#NAME?`, `#BEZUG!`. */
const errors: ReadonlySet<string> = new Set(
  (
    '#n/a, #na, #n/v, #nv, #nd, #n/d, #name?, #nom?, #nome?, #nombre?, #¿nombre?, #naam?, #nazwa?, #ref!, #bezug!, #rif!, #verw!, #adr!, #value!, #wert!, ' +
    '#valeur!, #valor!, #¡valor!, #valore!, #waarde!, #arg!, #div/0!, #¡div/0!, #null!, #nul!, #nulo!, #¡nulo!, #nullo!, #leeg!, ' +
    '#num!, #nombre!, #zahl!, #núm!, #¡num!, #getal!, #liczba!, #spill!, #überlauf!, #calc!, #error!, #error, #fehler!, #fehlt, #blocked!, #unknown!, ' +
    '#field!, #getting_data, #########'
  ).split(', '),
);

/** Whether a text is an error that a spreadsheet shows in a cell. */
const isErrorOfSheet = (text: string): boolean => text.startsWith('#') && errors.has(text.toLowerCase());

/** Zeros with any marks between them, as in an empty UUID. */
const onlyZeros = /^[0.,-]+$/;
const lettersOrDigits = /[\p{L}\p{N}]/u;
/** A word without the brackets, quotes and marks around it: `(blank)`, `<null>`, `"none"`, `k.A.`. */
const bareWord = /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su;
const plainEnds = /^[a-z\d].*[a-z\d]$/;

/** Whether a text is a word for nothing. Case, brackets and quotes do not matter. */
const isWordForNothing = (text: string): boolean => {
  const word = text.toLowerCase();
  if (known.has(word)) return true;
  const first = word.charAt(0);
  if ((first === '0' || first === '-') && onlyZeros.test(word)) return true;
  if (plainEnds.test(word)) return false;
  // `\N` is what MySQL writes for a missing value.
  if (word === '\\n' || !lettersOrDigits.test(word)) return true;
  const [bare = ''] = bareWord.exec(word) ?? [];
  return known.has(bare);
};
