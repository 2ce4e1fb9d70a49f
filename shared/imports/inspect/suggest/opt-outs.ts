/** Opt-outs: columns whose yes means that a person does not want to be addressed. */
import { nameKey } from './column-names.ts';
import { hasNegation, meaningOfName } from './consent-names.ts';
import { knownNames } from './known-names.ts';

/** Names of opt-outs that have no channel: they are about e-mail, as newsletters are. */
const names =
  /\b(?:opt(?:ed)? ?outs?|unsub(?:scribed?)?|do not|dont|don t|does not want|no longer|suppressed|unsubscribe status|abgemeldet|abbestellt|widerrufen|werbesperre|\w*sperre|sperrvermerk|keine?|desabonnes?|desinscrits?|ne pas|pas de|no contactar|no enviar|dado de baja|disiscritt[oi]|non contattare|afgemeld|uitgeschreven|geen|wypisan[ya]|rezygnacja|descadastrad[oa]|nao contactar|nao enviar|avregistrerad|inga|afmeldt|avmeldt)\b/u;
const japanese = /配信停止|配信不要|配信拒否|受信拒否|オプトアウト|수신거부|수신 거부/u;

const channels: readonly (readonly [string, RegExp])[] = [
  ['post', /correo postal|courrier postal|postal mail|direct mail/u],
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
  /contact|market|werb|newsletter|mail|campaigns|opt(?:ed)? ?out|unsub|abgemeldet|abbestellt|widerrufen|suppress|desabon|desinscr|baja|disiscr|afgemeld|uitgeschreven|wypisan|rezygn|descadastr|avregistr|afmeldt|avmeldt|publi|promo|reclam|配信|受信|オプト|수신|동의|구독/u;

const consentWords =
  /newsletter|consent|einwillig|opt ?in|permission|subscrib|abonn|werbung|werbe|(?:mail|sms) marketing|nieuwsbrief|nyhetsbrev|nyhedsbrev|toestemming|consens|consentim|suscri|zgod|samtyk|suostum|souhlas|hirlevel|acord|bulten|uutiskir|δελτιο|boletin|boletim|infolettre|gdpr|dsgvo|rgpd/u;
const japaneseConsentWords = /メルマガ|メールマガジン|配信|購読|ニュースレター|同意/u;

/** Whether a name has a word for consent. */
export const hasConsentWord = (name: string): boolean =>
  consentWords.test(nameKey(name)) || japaneseConsentWords.test(name.normalize('NFKC').toLowerCase());

/** Whether yes in a column of a name may say something about consent. */
export const isAboutConsent = (name: string): boolean =>
  hasConsentWord(name) || (hasNegation(name) && (channelIn(name) ?? addressed(name)) !== undefined);

/** The channel of a column about being addressed that has no word for a channel. */
const addressed = (name: string): 'email' | undefined =>
  addressing.test(nameKey(name)) || addressing.test(name.normalize('NFKC')) || hasConsentWord(name)
    ? 'email'
    : undefined;

/** Words for the time of an opt-out. */
const times = /\b(?:date|time|timestamp|datetime|datum|zeitpunkt|fecha|data|dato)\b|\b(?:at|on|am|le)$/u;
/** Reasons and campaigns of an opt-out do not say who has opted out. */
const others = /\bfax|\b(?:reason|grund|source|count|campaign|title|id|ip|other|url|link|no of|number)\b/u;
/** Words about mails that were sent. */
const aboutMails =
  /\b(?:sent|delivered|opened|clicked|bounced|bounces?|gesendet|versendet|versandt|geoffnet|geklickt|envoye|ouvert)\b/u;

/** The channel of an opt-out; `undefined` for a column of another name. */
export const optOutChannel = (name: string): string | undefined =>
  times.test(nameKey(name)) ? undefined : channelOf(name);

/** The channel of a column with the times of opt-outs, such as `UNSUB_TIME`; `undefined` for another column. */
export const optOutTimeChannel = (name: string): string | undefined =>
  times.test(nameKey(name)) ? channelOf(name) : undefined;

/** Whether a name means an opt-out or its times, whatever the cells are. */
export const isPlainOptOut = (name: string): boolean =>
  (names.test(nameKey(name)) || japanese.test(name.normalize('NFKC'))) && channelOf(name) !== undefined;

/** A longer name is that of no field. */
const LONGEST = 255;

const channelOf = (name: string): string | undefined => {
  const key = nameKey(name);
  if (key.length > LONGEST || others.test(key) || aboutMails.test(key) || knownNames.has(key))
    return undefined;
  if (meaningOfName(name).kind !== 'refused') return undefined;
  return channelIn(name) ?? addressed(name);
};

/** Whether a name is about mails that were sent, or about the reasons and numbers of statements. */
export const isAboutMails = (name: string): boolean => {
  const key = nameKey(name);
  return aboutMails.test(key) || others.test(key) || /\b(?:anzahl|quelle)\b/u.test(key);
};
