/** Opt-outs: columns whose yes means that a person does not want to be addressed. */
import { nameKey } from './column-names.ts';
import { hasNegation, meaningOfName } from './consent-names.ts';
import { knownNames } from './known-names.ts';

/** Names of opt-outs that have no channel: they are about e-mail, as newsletters are. */
const names =
  /\b(?:opt(?:ed)? ?outs?|unsub(?:scribed?)?|do not|dont|don t|does not want|no longer|suppressed|unsubscribe status|abgemeldet|abbestellt|widerrufen|werbesperre|\w*sperre|sperrvermerk|keine?|desabonnes?|desinscrits?|ne pas|pas de|no contactar|no enviar|dado de baja|disiscritt[oi]|non contattare|afgemeld|uitgeschreven|geen|wypisan[ya]|rezygnacja|descadastrad[oa]|nao contactar|nao enviar|avregistrerad|inga|afmeldt|avmeldt)\b/u;
const japanese = /配信停止|配信不要|配信拒否|受信拒否|オプトアウト|수신거부|수신 거부/u;

const channels: readonly (readonly [string, RegExp])[] = [
  ['post', /robinson|correo postal|courrier postal|postal mail|direct mail/u],
  ['sms', /sms|\btext|문자/u],
  ['phone', /\bcall|phone|telefon|telephon|telefono|appel|anruf|電話|전화/u],
  [
    'email',
    /e ?mail|mailing|bulk ?e|newsletter|nieuwsbrie|nyhe[td]sbrev|email|correo|courriel|e ?post|メール|メルマガ|mailchimp/u,
  ],
  ['post', /post|\bmail\b|courrier|brief|letter|postal/u],
];

/** The channel that a name has a word for. */
export const channelIn = (name: string): string | undefined => {
  const [key, whole] = [nameKey(name), name.normalize('NFKC')];
  return channels.find(([, words]) => words.test(key) || words.test(whole))?.[0];
};

/** Words that show that a column without a channel is about being addressed. */
const addressing =
  /contact|kontakt|market|markkinoin|werb|newsletter|mail|campaigns|opt(?:ed)? ?out|unsub|abgemeldet|abbestellt|widerrufen|suppress|desabon|desinscr|baja|disiscr|afgemeld|uitgeschreven|wypisan|rezygn|descadastr|avregistr|afmeldt|avmeldt|publi|promo|re[ck]lam|odber|dezabon|iscritt|robinson|配信|受信|オプト|수신|동의|구독|뉴스레터|마케팅|광고/u;

const consentWords =
  /newsletter|consent|einwillig|opt(?:ed|s)? ?in|permission|subscrib|abonn|werbung|werbe|(?:mail|sms) marketing|nieuwsbrief|nyhetsbrev|nyhedsbrev|toestemming|consens|consentim|suscri|zgod|samty[ck]|odber|hozzajarul|συγκαταθεσ|suostum|souhlas|hirlevel|acord|bulten|uutiskir|δελτιο|boletin|boletim|infolettre|gdpr|dsgvo|rgpd/u;
const japaneseConsentWords = /メルマガ|メールマガジン|配信|購読|ニュースレター|同意/u;

/** Whether a name has a word for consent. */
export const hasConsentWord = (name: string): boolean =>
  consentWords.test(nameKey(name)) || japaneseConsentWords.test(name.normalize('NFKC').toLowerCase());

/** Whether yes in a column of a name may say something about consent. */
export const isAboutConsent = (name: string): boolean =>
  hasConsentWord(name) ||
  (hasNegation(name) && !isAboutAddress(name) && (channelIn(name) ?? addressed(name)) !== undefined);

/** The channel of a column about being addressed that has no word for a channel. */
const addressed = (name: string): 'email' | undefined =>
  addressing.test(nameKey(name)) || addressing.test(name.normalize('NFKC')) || hasConsentWord(name)
    ? 'email'
    : undefined;

/** Words for the time of an opt-out. */
const times = /\b(?:date|time|timestamp|datetime|\w*datum|zeitpunkt|fecha|data|dato)\b|\b(?:at|on|am|le)$/u;
/** Reasons and numbers of statements do not say what somebody stated, and no faxes are sent. */
const reasons = /\bfax|\b(?:reason|grund|source|quelle|count|anzahl|no of|number)\b/u;
/** Campaigns of an opt-out do not say who has opted out. */
const others = /\b(?:campaign|title|id|ip|other|url|link)\b/u;
/** Words about mails that were sent. */
const aboutMails =
  /\b(?:sent|delivered|opened|clicked|bounced|bounces?|gesendet|versendet|versandt|geoffnet|geklickt|envoye|ouvert)\b/u;
/** Words about an address that does not work or does not exist, which is no opt-out. */
const aboutAddresses =
  /address|adres|direccion|indirizzo|\b(?:\w*verifi\w*|\w*valid\w*|reachable|erreichbar|deliverable|zustellbar|found|works?|working|exists?|available|vorhanden|missing|format)\b/u;

/** A column whose name means that people have opted out. */
interface OptOut {
  readonly channel: string;
  /** Whether its cells are the times of the opt-outs, as in `UNSUB_TIME`. */
  readonly isTime: boolean;
}

/** The opt-out that a name means; `undefined` for a column of another name. */
export const optOutOf = (name: string): OptOut | undefined => {
  const key = nameKey(name);
  if (key.length > LONGEST || knownNames.has(key) || others.test(key) || isAboutMails(name)) return undefined;
  if (meaningOfName(name).kind !== 'refused' || isAboutAddress(name)) return undefined;
  const channel = channelIn(name) ?? addressed(name);
  return channel === undefined ? undefined : { channel, isTime: times.test(key) };
};

/** The opt-out that a name means whatever the cells are. */
export const plainOptOutOf = (name: string): OptOut | undefined =>
  isPlain(name) ? optOutOf(name) : undefined;

const isPlain = (name: string): boolean => names.test(nameKey(name)) || japanese.test(name.normalize('NFKC'));

const isAboutAddress = (name: string): boolean =>
  aboutAddresses.test(nameKey(name)) && !isPlain(name) && !hasConsentWord(name);

/** A longer name is that of no field. */
const LONGEST = 255;

/** Whether a name is about mails that were sent, or about the reasons and numbers of statements. */
export const isAboutMails = (name: string): boolean => {
  const key = nameKey(name);
  return aboutMails.test(key) || reasons.test(key);
};
