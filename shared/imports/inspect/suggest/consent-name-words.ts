/**
 * Consent name words: the words of which the names of consent columns are made. In a name with a word of refusal, yes
 * means no. A word that stands in no list may be such a word.
 */
import { keysOf } from './words.ts';

/** Words that negate the words behind them. A `*` stands for any letters. `nameKey` makes the words comparable. */
const particleWords = [
  'no, not, non, never, without, ex, dont, don, doesnt, cannot, cant, wont, isnt, hasnt, nor, neither, off, longer',
  'nicht, kein, keine*, keinen, ohne, nie, niemals, nein, pas, sans, ne, jamais, aucun*, sin, nunca, ningun*',
  'senza, nessun*, mai, nao, sem, nenhum*, geen, niet, zonder, nooit, nie, bez, brak, nigdy, neni, zadn*',
  'inte, ingen, inget, inga, ej, icke, ikke, intet, utan, uden, uten, aldrig, aldri, ei, ilman, nu, fara, nem, nelkul',
  'nej, nei, nee, anti, οχι, χωρις, δεν, μην, hayir, hayır, degil, yok, istemi*',
].join(',');

/** Words that say that a person has refused or has left. A `*` stands for any letters. */
const stemWords = [
  'unsub*, withdr*, revok*, revoc*, declin*, refus*, cancel*, deny*, denied, denies, denial, stop*, exclu*, block*',
  'blacklist*, blocklist*, remov*, suppress*, reject*, rescind*, terminat*, expir*, lapsed, former*, discontinu*',
  'disabl*, deactivat*, inactiv*, prohibit*, forbid*, object*, oppos*, unwant*, disagree*, disallow*, optout*, optsout',
  'dnc, dnm, opted out, widerr*, widersp*, unerwunscht*, ungewollt*, gekundigt*, kundig*, abgemeldet*, abmeld*',
  'abbestell*, abgelehnt*, ablehn*, verweiger*, untersag*, gesperrt*, sperr*, werbesperr*, sperrvermerk, storniert*',
  'ausgetragen, entzogen, inaktiv*, werbewiderspr*, newsletterabmeld*, desabonn*, desinscr*, resili*, retir*, annul*',
  'bloqu*, exclu*, inactif*, baja, bajas, rechaz*, deneg*, anulad*, revoqu*, deneg*, rifiut*, revocat*, disiscr*',
  'cancell*, bloccat*, negat*, esclus*, recus*, descadastr*, retirad*, afgemeld*, afmeld*, uitgeschr*, uitschr*',
  'geweiger*, ingetrokken, opgezegd, geblokk*, geannul*, wypis*, rezygn*, odmow*, odmaw*, wycof*, cofni*, anulow*',
  'zablok*, sprzeciw*, avregistr*, avanmal*, avslut*, nekad*, nekat, aterkall*, avbojt*, avsagt, afmeldt*, frameldt*',
  'opsagt, avvist*, afvist*, avmeldt*, trukket, reservert*, odhlas*, odvol*, odmit*, zrus*, nesouhl*, nechce*, nepreje*',
  'peruut*, poistettu*, kielt*, kiell*, estetty, eronnut, dezabon*, retras*, refuz*, anulat*, respins*, leiratk*',
  'leiratkoz*, visszavon*, elutasit*, letilt*, lemond*, διαγραφ*, απεγγραφ*, ακυρ*, αρν*, ανακλ*',
  '*sperre, *abmeldung, *widerruf, *widerspruch, *verbot, *kielto, robinson*, deaktiv*, einspruch*, lehnt, frabed*',
  'withheld, ended, beendet*, pausi*, paused, suspend*, dissent*, iptal*, reddet*, reddi, cikti, cikmis, engel*, izinsiz',
].join(',');

const listOf = (words: string): readonly string[] => [
  ...new Set(
    words.split(',').flatMap((word) => keysOf(word).map((key) => word.trim().replace(/[^*]+/u, key))),
  ),
];

const particleList = listOf(particleWords);
const stemList = listOf(stemWords);

/** All words of negation. */
export const negations: readonly string[] = [...particleList, ...stemList];

const matcher = (list: readonly string[]): ((word: string) => boolean) => {
  const whole = new Set(list);
  const starts = list.filter((word) => word.endsWith('*')).map((word) => word.slice(0, -1));
  const ends = list.filter((word) => word.startsWith('*')).map((word) => word.slice(1));
  return (word) =>
    whole.has(word) ||
    starts.some((start) => word.startsWith(start)) ||
    ends.some((end) => word.endsWith(end));
};

/** Whether a word negates what follows. */
export const isParticle = matcher(particleList);
/** Whether a word says that somebody has said no or left. */
export const isStem = matcher(stemList);

/** Words that leave the meaning of a name of consent as it is. */
export const neutral: ReadonlySet<string> = new Set(
  [
    'accept, accepts, accepted, accepting, acceptance, agree, agrees, agreed, agreement, allow, allows, allowed, consent',
    'consents, consented, be, contacted, can, may, buyer, all, any, consenting, given, granted, permission, permissions, permitted, opt, opts, opted, in, into, optin',
    'optins, emailoptin, smsoptin, marketingoptin, newsletteroptin, newsletter, newsletters, marketing, email, emails, e',
    'mail, mails, mailing, mailings, sms, text, texts, message, messages, phone, telephone, call, calls, calling, post',
    'postal, direct, letter, letters, subscribe, subscribed, subscriber, subscribers, subscribes, subscription',
    'subscriptions, signed, up, signup, sign, status, state, flag, is, are, has, have, want, wants, wish, wishes, would',
    'like, likes, to, receive, receives, receiving, get, by, via, through, per, for, of, the, a, an, and, or, my, our, your',
    'i, we, you, they, from, with, on, about, at, contact, contactable, communication, communications, promotional, promo',
    'promotion, promotions, offers, updates, news, info, information, gdpr, yes, confirmed, double, single, customer',
    'client, user, person, member, list, channel, active, general, weekly, monthly, daily, c, mailchimp, whatsapp, app',
    'einwilligung, einwilligungen, eingewilligt, zustimmung, zugestimmt, erlaubnis, erlaubt, werbung, werbe, werbemails',
    'werbeerlaubnis, kommunikation, werbezwecke, werbezwecken, werbeeinwilligung, newsletterabo, newsletterempfang, newsletterempfanger',
    'newsletteranmeldung, newsletterabonnent, newslettereinwilligung, abo, abonniert, abonnent, abonnieren, angemeldet',
    'anmeldung, eingetragen, erteilt, gegeben, liegt, vor, vorhanden, dsgvo, fur, zum, zur, zu, im, von, vom, der, die, das',
    'den, dem, des, und, oder, ist, hat, mochte, will, wunscht, gewunscht, erwunscht, erhalten, erhalt, empfangen, bekommen',
    'empfanger, kontakt, kontaktaufnahme, brief, briefpost, telefon, anruf, anrufe, akzeptiert, bestatigt, ja, aktiv, infos',
    'informationen, angebote, kunde, person, elektronische, per, durch, auf, am, an, mit, unsere, unseren, einverstanden',
    'consentement, consentements, accord, accepte, acceptez, acceptation, abonne, abonnee, abonnes, abonnement, inscrit',
    'inscrite, inscription, recevoir, recoit, souhaite, veut, lettre, d, infolettre, au, aux, la, le, les, l, de, du, par',
    'pour, et, ou, en, sur, nos, vos, mes, je, actif, oui, rgpd, publicite, promotionnels, offres, courrier, courriel',
    'telephone, electronique, j, appel, appels',
    'consentimiento, consiente, acepta, acepto, aceptar, suscrito, suscrita, suscripcion, suscriptor, boletin, boletines',
    'recibir, recibe, desea, quiere, autoriza, autorizado, autorizacion, permite, permiso, publicidad, comunicaciones',
    'comerciales, al, el, los, las, del, para, por, y, o, correo, electronico, telefono, si, activo, lopd',
    'consenso, consensi, acconsente, iscritto, iscritta, iscrizione, ricevere, riceve, desidera, vuole, accetta, accettato',
    'autorizza, autorizzazione, permesso, pubblicita, comunicazioni, alla, alle, ai, il, lo, gli, di, della, posta, attivo',
    'dato, concesso, telefono, cartacea',
    'toestemming, nieuwsbrief, nieuwsbrieven, aangemeld, inschrijving, ingeschreven, ontvangen, ontvangt, wil, wenst',
    'akkoord, gegeven, voor, van, het, een, op, telefoon, avg, actief, reclame, aanbiedingen, onze',
    'consentimento, consente, aceita, aceito, aceite, boletim, assinante, inscricao, subscricao, receber, recebe, deseja',
    'quer, permissao, publicidade, comunicacoes, ao, as, os, da, do, das, dos, ativo, em, cadastro, telefone',
    'zgoda, zgody, zgode, komunikacje, na, newslettera, subskrypcja, subskrybent, zapisany, zapisana, marketingowa, marketingowe, przez',
    'dla, w, z, ze, rodo, biuletyn, otrzymywanie, wyrazona, wyraza, aktywny, telefon, kontakt, mailowy, przesylanie',
    'samtycke, samtycken, nyhetsbrev, nyhetsbrevet, prenumererar, prenumerant, prenumeration, godkant, godkanner, utskick',
    'marknadsforing, till, av, och, pa, i, med, vill, ha, far, telefon, aktiv, reklam',
    'samtykke, samtykker, nyhedsbrev, nyhedsbrevet, tilmeldt, tilmelding, pameldt, abonnerer, til, af, og, markedsforing',
    'onsker, vil, tak, modtage, motta, mottar, modtager, epost, reklame',
    'souhlas, souhlasi, souhlasim, s, se, k, ke, pro, novinky, novinek, odber, odberatel, odbira, newsletteru, newsletterem',
    'marketingem, zasilanim, zasilani, obchodnich, sdeleni, odebirani, emailem, prihlasen',
    'uutiskirje, uutiskirjeen, uutiskirjetta, tilaus, tilaaja, tilannut, tilaa, suostumus, markkinointi, markkinointilupa',
    'lupa, sahkoposti, sahkopostimarkkinointi, haluaa, on, puhelin, tekstiviesti',
    'acordul, acorduri, acord, consimtamant, abonat, abonare, pentru, prin, primire, doreste, doresc, primeasca, sa',
    'hirlevel, hirlevelre, hirlevelet, feliratkozott, feliratkozas, feliratkozva, hozzajarulas, hozzajarul, ker, kert',
    'ενημερωτικο, δελτιο, συγκαταθεση, εγγραφη, για, το, στο, σε, αποδοχη, τηλεφωνο',
    'bulten, ticari, ileti, izin, izni, onay, onayi, abone, aboneligi, kvkk, eposta, posta, icin, var',
  ].flatMap(keysOf),
);

/** The same for languages without spaces between words: parts of names, the longer first. */
export const neutralParts: readonly string[] = [
  'メールマガジン, ニュースレター, メルマガ, ダイレクト, マーケティング, メール, フラグ, 電話, 郵送, 郵便, 配信, 購読, 登録',
  '希望, 同意, 受信, 許可, 承諾, 案内, お知らせ, 送付, 送信, 有無, 可否, 状況, 状態, 情報, 広告, する, します, を, の, に, へ',
  '이메일, 뉴스레터, 마케팅, 메일, 문자, 광고성, 광고, 정보, 수신, 동의, 여부, 구독, 전화',
].flatMap((words) => words.split(',').map((word) => word.trim()));

/** Parts of such names that take consent back. */
export const negativeParts =
  /停止|不要|拒否|解除|退会|撤回|取消|不可|しない|なし|無し|無効|オプトアウト|未同意|不同意|거부|미동의|철회|해지|취소|안함|중단|원하지/u;
