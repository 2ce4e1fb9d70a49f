/** Judge unnamed: the field that the values of a column show where its name does not mean one. */
import { nameKey } from './column-names.ts';
import type { FileColumn } from './file-column.ts';
import { type Candidate, type Judgement, nothing, strengths } from './judge-names.ts';
import { meaningOfName } from './consent-names.ts';
import { misfit, MOST, shareOf } from './judge-values.ts';
import { channelIn, hasConsentWord, isAboutMails, optOutChannel, optOutTimeChannel } from './opt-outs.ts';
import { readsAsConsent } from './suggest-consent.ts';
import { looksInternational, looksLikeDate, looksLikeEmail, looksLikePhone, yearOf } from './value-shapes.ts';

/** Words in the names of columns about somebody else than the person of the row. */
const somebodyElse =
  /\b(?:owner|assistant|emergency|spouse|partner|parent|mother|father|child|kids?|agent|manager|reports? to|referr\w*|created|modified|updated|assigned|author|staff|employee|sales ?rep|supplier|notfall|kind|ehepartner|eltern|mutter|vater|bearbeiter|betreuer|erstellt|besitzer|inhaber|verantwortlich\w*|urgence|conjoint|parrain|gestionnaire|proprietaire|urgencia|padre|madre|propietario|responsable|responsabile|by|von|par|por|fax|telefax)\b/u;

/** Words in the names of columns, and the field that they mean if the values agree. */
const hints = {
  phone_number:
    /\b(?:tel|tels|telefon|telefoon|telephone|telefono|telefone|phones?|phone|fon|mobil|mobile|mobiel|movil|handy|gsm|cell|cellulare|celular|portable|tlf|komorka|puhelin|whatsapp)(?:\b|\w*nummer|\w*nr|\w*number)/u,
  birthday:
    /\b(?:geb|birth|dob|naiss|nasc|nacim|nac|urodz|fodd|fodel|fodsel|fodt|narozen|syntym|geboor|cumple|annivers|complean)/u,
} as const;
const japaneseHints = {
  phone_number: /電話|携帯|tel/u,
  birthday: /生年|誕生/u,
} as const;

const hasHint = (name: string, hint: keyof typeof hints): boolean =>
  hints[hint].test(nameKey(name)) || japaneseHints[hint].test(name.normalize('NFKC').toLowerCase());

const FIRST_YEAR = 1_900;
/** The share of cells that must look right where the name of the column has a word for the field. */
const HALF = 0.5;

/** The field that values show: with a word in the name, or without. */
export const judgeUnnamed = (column: FileColumn, year: number): Judgement => {
  const { name, values } = column;
  if (values.length === 0) return nothing;
  const consent = judgeConsent(column);
  if (consent) return { candidates: [consent], against: [] };
  if (somebodyElse.test(nameKey(name))) return nothing;
  const count = (fits: (value: string) => boolean): string =>
    `${values.filter(fits).length} of ${values.length} cells`;
  const seen = (target: string, strength: number, why: string): Judgement => ({
    candidates: [{ target, strength, why }],
    against: [],
  });
  // A column that names few people in many rows says who looks after them.
  const isOwn = new Set(values).size * 2 > values.length;
  if (isOwn && shareOf(values, looksLikeEmail) >= MOST)
    return seen('email', strengths.seen, `${count(looksLikeEmail)} look like e-mail addresses.`);
  const isBirth = (value: string): boolean => {
    const born = yearOf(value);
    return looksLikeDate(value) && (born === undefined || born === 0 || (born >= FIRST_YEAR && born <= year));
  };
  if (hasHint(name, 'birthday') && shareOf(values, isBirth) >= HALF) {
    return seen(
      'birthday',
      strengths.hinted,
      `Its name has a word for birthdays, and ${count(isBirth)} are dates.`,
    );
  }
  if (hasHint(name, 'phone_number') && shareOf(values, looksLikePhone) >= HALF) {
    return seen(
      'phone_number',
      strengths.hinted,
      `Its name has a word for telephone numbers, and ${count(looksLikePhone)} look like them.`,
    );
  }
  if (isOwn && shareOf(values, looksInternational) >= MOST)
    return seen('phone_number', strengths.seen, `${count(looksInternational)} look like telephone numbers.`);
  if (shareOf(values, looksLikeDate) >= MOST)
    return { candidates: [], against: ['Its cells are dates, and its name does not say of what.'] };
  return nothing;
};

/** The consent that a column gives or withdraws by the words of its name, if its cells say so. */
const judgeConsent = ({ name, values }: FileColumn): Candidate | undefined => {
  const channel = optOutChannel(name) ?? optOutTimeChannel(name);
  if (channel !== undefined) {
    const target = `consent.${channel}`;
    return somebodyElse.test(nameKey(name)) || misfit({ name, values }, target) !== undefined
      ? undefined
      : { target, strength: strengths.hinted, why: 'Its name says that people have opted out.' };
  }
  const isAgreed = hasConsentWord(name) && !isAboutMails(name) && meaningOfName(name).kind === 'agreed';
  if (!isAgreed || !readsAsConsent(values)) return undefined;
  const why = 'Its name has a word for consent, and its cells say yes or no.';
  return { target: `consent.${channelIn(name) ?? 'email'}`, strength: strengths.hinted, why };
};
