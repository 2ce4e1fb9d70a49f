/**
 * Judge names: the fields that a column may fill because of its name, if its values can be those of the fields. Where the
 * name does not mean a field, the values may show one.
 */
import { parseTarget } from '../../mapping/field-targets.ts';
import type { FileColumn } from './file-column.ts';
import { misfit, proves, MOST, shareOf } from './judge-values.ts';
import { isOptInTime } from './words.ts';
import { channelIn, hasConsentWord, isAboutMails, optOutOf } from './opt-outs.ts';
import { qualifiedTarget } from './qualified-names.ts';
import { nameKey } from './column-names.ts';
import { meaningOfName } from './consent-names.ts';
import { readsAsConsent } from './suggest-consent.ts';
import { looksInternational, looksLikeDate, looksLikeEmail, looksLikePhone, yearOf } from './value-shapes.ts';

/** A field that a column may fill, and the reason. */
export interface Candidate {
  readonly target: string;
  /** How sure it is that the column means the field; a surer candidate comes first. */
  readonly strength: number;
  readonly why: string;
  /** Which of several addresses, numbers or names it is. */
  readonly group?: string;
}

/** How sure candidates are: a name says more than a part of a name, and that more than values. */
export const strengths = { demanded: 4, named: 3, qualified: 2, hinted: 1, seen: 0 } as const;

/** The fields that a column may fill, and why it does not fill others that come to mind. */
export interface Judgement {
  readonly candidates: readonly Candidate[];
  readonly against: readonly string[];
}

/** A column with the fields that it may fill. */
export interface JudgedColumn extends FileColumn, Judgement {}

/** No field, and nothing to say. */
export const nothing: Judgement = { candidates: [], against: [] };

/** The field that the name of a column means. */
export const judgeName = (column: FileColumn): Judgement => {
  if (!column.named) return judgeQualified(column);
  const { target, isDoubtful } = column.named;
  if (isDoubtful && !proves(column, target))
    return against(`Its name may mean ${target}, but the other columns have no names of that language.`);
  return judged(column, { target, strength: strengths.named, why: `Its name means ${target}.` });
};

/** The field that a name means without its qualifier. */
const judgeQualified = (column: FileColumn): Judgement => {
  const found = qualifiedTarget(column.name);
  if (!found) return nothing;
  const { target, group } = found;
  return judged(column, {
    target,
    group,
    strength: strengths.qualified,
    why: `Its name means ${target} (${group}).`,
  });
};

const judged = (column: FileColumn, candidate: Candidate): Judgement => {
  const noun = misfit(column, candidate.target);
  if (noun === undefined) return { candidates: [candidate], against: [] };
  return against(`${candidate.why.slice(0, -1)}, but most of its values are no ${noun}.`);
};

const against = (why: string): Judgement => ({ candidates: [], against: [why] });

/**
 * Candidates without times of consent that no column gives or withdraws. The time of an opt-in dates no opt-out, and a
 * column with the times of opt-outs has its own.
 */
export const withConsent = (columns: readonly JudgedColumn[]): readonly JudgedColumn[] => {
  const channelsWhere = (says: (name: string) => boolean): ReadonlySet<string> =>
    new Set(
      columns.flatMap(({ name, candidates }) =>
        candidates.flatMap(({ target }) => {
          const parsed = parseTarget(target);
          return parsed?.kind === 'consent' && says(name) ? [parsed.name] : [];
        }),
      ),
    );
  const said = channelsWhere((name) => optOutOf(name)?.isTime !== true);
  const given = channelsWhere((name) => optOutOf(name) === undefined);
  return columns.map((column) => ({
    ...column,
    candidates: column.candidates.filter(({ target, strength }) => {
      const parsed = parseTarget(target);
      if (strength === strengths.demanded || parsed?.kind !== 'consentTime') return true;
      return (isOptInTime(column.name) ? given : said).has(parsed.name);
    }),
  }));
};

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
  const optOut = optOutOf(name);
  if (optOut) {
    const target = `consent.${optOut.channel}`;
    return somebodyElse.test(nameKey(name)) || misfit({ name, values }, target) !== undefined
      ? undefined
      : { target, strength: strengths.hinted, why: 'Its name says that people have opted out.' };
  }
  const isAgreed = hasConsentWord(name) && !isAboutMails(name) && meaningOfName(name).kind === 'agreed';
  if (!isAgreed || !readsAsConsent(values)) return undefined;
  const why = 'Its name has a word for consent, and its cells say yes or no.';
  return { target: `consent.${channelIn(name) ?? 'email'}`, strength: strengths.hinted, why };
};
