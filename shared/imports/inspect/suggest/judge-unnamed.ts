/** Judge unnamed: the field that the values of a column show where its name does not mean one. */
import { nameKey } from './column-names.ts';
import type { FileColumn } from './file-column.ts';
import { type Judgement, nothing, strengths } from './judge-names.ts';
import { MOST, shareOf } from './judge-values.ts';
import { channelIn } from './opt-outs.ts';
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
  consent:
    /newsletter|consent|einwillig|opt ?in|permission|subscrib|abonn|werbung|werbe|(?:mail|sms) marketing|nieuwsbrief|nyhetsbrev|nyhedsbrev|toestemming|consens|consentim|suscri|zgod|samtyk|suostum|souhlas|hirlevel|acord|bulten|uutiskir|δελτιο|boletin|infolettre|gdpr|dsgvo|rgpd/u,
} as const;
const japaneseHints = {
  phone_number: /電話|携帯|tel/u,
  birthday: /生年|誕生/u,
  consent: /メルマガ|メールマガジン|配信|購読|ニュースレター|同意/u,
} as const;

const hasHint = (name: string, hint: keyof typeof hints): boolean =>
  hints[hint].test(nameKey(name)) || japaneseHints[hint].test(name.normalize('NFKC').toLowerCase());

/** Words in the names of columns about mails that were sent, and about statements, which say nothing about consent. */
const aboutMails =
  /\b(?:sent|delivered|opened|clicked|bounced|gesendet|versendet|versandt|geoffnet|geklickt|envoye|ouvert|unsub\w*|opt(?:ed)? ?out|reason|count|source|date|grund|anzahl|quelle|datum)\b/u;

const FIRST_YEAR = 1_900;
/** The share of cells that must look right where the name of the column has a word for the field. */
const HALF = 0.5;

/** The field that values show: with a word in the name, or without. */
export const judgeUnnamed = ({ name, values }: FileColumn, year: number): Judgement => {
  if (values.length === 0 || somebodyElse.test(nameKey(name))) return nothing;
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
  const channel = channelIn(name) ?? 'email';
  if (hasHint(name, 'consent') && !aboutMails.test(nameKey(name)) && readsAsConsent(values)) {
    return seen(
      `consent.${channel}`,
      strengths.hinted,
      'Its name has a word for consent, and its cells say yes or no.',
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
