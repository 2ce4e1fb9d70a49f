/** Opt-outs: columns whose yes means that a person does not want to be addressed. */
import { nameKey } from './column-names.ts';

/** Names of opt-outs that have no channel: they are about e-mail, as newsletters are. */
const names =
  /\b(?:opt(?:ed)? ?outs?|unsub(?:scribed?)?|do not|dont|don t|does not want|no longer|suppressed|unsubscribe status|abgemeldet|abbestellt|widerrufen|werbesperre|\w*sperre|sperrvermerk|keine?|desabonnes?|desinscrits?|ne pas|pas de|no contactar|no enviar|dado de baja|disiscritt[oi]|non contattare|afgemeld|uitgeschreven|geen|wypisan[ya]|rezygnacja|descadastrad[oa]|nao contactar|nao enviar|avregistrerad|inga|afmeldt|avmeldt)\b/u;
const japanese = /配信停止|配信不要|受信拒否|オプトアウト/u;

const channels: readonly (readonly [string, RegExp])[] = [
  ['sms', /sms|\btext/u],
  ['phone', /\bcall|phone|telefon|telephon|telefono|appel|anruf|電話/u],
  ['email', /e ?mail|mailing|bulk ?e|newsletter|email|correo|courriel|e ?post|メール|メルマガ|mailchimp/u],
  ['post', /post|direct mail|\bmail\b|courrier|brief|letter|postal/u],
];

/** The channel that a name has a word for. */
export const channelIn = (name: string): string | undefined => {
  const [key, whole] = [nameKey(name), name.normalize('NFKC')];
  return channels.find(([, words]) => words.test(key) || words.test(whole))?.[0];
};

/** Words that show that a column without a channel is about being addressed. */
const addressing =
  /contact|market|werb|newsletter|mail|opt(?:ed)? ?out|unsub|abgemeldet|abbestellt|widerrufen|suppress|desabon|desinscr|baja|disiscr|afgemeld|uitgeschreven|wypisan|rezygn|descadastr|avregistr|afmeldt|avmeldt|publi|promo|reclam|配信|受信|オプト/u;

/** Words for the time of an opt-out. */
const times = /\b(?:date|time|timestamp|datetime|at|on|datum|am|zeitpunkt|fecha|data|dato|le)\b/u;
/** Reasons and campaigns of an opt-out do not say who has opted out. */
const others = /\bfax|\b(?:reason|grund|source|count|campaign|title|id|ip|other|url|link)\b/u;

/** The channel of an opt-out; `undefined` for a column of another name. */
export const optOutChannel = (name: string): string | undefined =>
  times.test(nameKey(name)) ? undefined : channelOf(name);

/** The channel of a column with the times of opt-outs, such as `UNSUB_TIME`; `undefined` for another column. */
export const optOutTimeChannel = (name: string): string | undefined =>
  times.test(nameKey(name)) ? channelOf(name) : undefined;

const channelOf = (name: string): string | undefined => {
  const key = nameKey(name);
  if (key.length > 100 || !(names.test(key) || japanese.test(name.normalize('NFKC')))) return undefined;
  if (others.test(key)) return undefined;
  const found = channelIn(name);
  if (found !== undefined) return found;
  return addressing.test(key) || japanese.test(name.normalize('NFKC')) ? 'email' : undefined;
};
