import { describe, expect, it } from 'vitest';
import { columnNames, type Names } from '../../shared/imports/inspect/suggest/column-names.ts';
import { moreColumnNames } from '../../shared/imports/inspect/suggest/more-column-names.ts';
import {
  isParticle,
  isStem,
  negations,
  neutral,
} from '../../shared/imports/inspect/suggest/consent-name-words.ts';
import { meaningOfName } from '../../shared/imports/inspect/suggest/consent-names.ts';
import { suggestMapping } from '../../shared/imports/inspect/suggest/suggest-definition.ts';
import type { FieldMap } from '../../shared/imports/mapping/field-map.ts';
import { tryConsent, tryFile } from './try-file.ts';

const optedOut = 'A column whose yes means that a person has opted out.';

describe('a name that takes consent back', () => {
  it.each([
    ...['Consent withdrawn', 'Consent revoked', 'Revoked consent', 'Consent denied', 'Opt-in refused'],
    ...['No newsletter', 'Stop newsletter', 'Exclude from newsletter', 'Newsletter declined'],
    ...['Ex newsletter subscriber', 'Newsletter cancelled', 'NewsletterCancelled', 'Without newsletter'],
    ...['Marketing consent expired', 'Email opt-in declined', 'Not interested in newsletter'],
    ...['Werbung unerwünscht', 'Newsletter gekündigt', 'Widerruf Einwilligung', 'Widerspruch Werbung'],
    ...['Ohne Newsletter', 'Nicht abonniert', 'Kein Newsletter', 'Einwilligung widerrufen'],
    ...['Refus newsletter', 'Sans newsletter', 'Pas de newsletter', 'No desea newsletter', 'Sin newsletter'],
    ...['Nessuna newsletter', 'Não quer newsletter', 'Inget nyhetsbrev', 'Ingen nyhedsbrev'],
    ...[
      'Ei uutiskirjettä',
      'Bez newslettera',
      'Geen nieuwsbrief',
      'Nu doresc newsletter',
      'Nem kér hírlevelet',
    ],
    ...['Χωρίς newsletter', 'Bülten istemiyor', '이메일 수신거부', 'メルマガ配信拒否', 'メルマガ解除'],
    ...['Si no desea newsletter', 'I do not want to receive any newsletter by e-mail from you in future'],
    ...[
      'Ne pas envoyer le newsletter',
      'Email blocked',
      'No Email',
      'No marketing emails',
      'Requests no email',
      'EMAIL_BLACKLISTED',
    ],
    ...[
      'Newslettersperre',
      'Nej tak til nyhedsbrev',
      'Odhlášen z odběru',
      'Markkinointikielto',
      '뉴스레터 거부',
    ],
    ...['IsExcludedFromCampaigns', 'Removed from mailing list', 'Unsubscribed (yes/no)'],
  ])('withdraws consent where the column says yes, and gives none: %s', async (header) => {
    const { said, saw, errors } = await tryConsent(header, ['yes', 'no', 'yes']);
    expect({ said, saw, errors }).toEqual({
      said: ['email withdrawn', '', 'email withdrawn'],
      saw: [optedOut],
      errors: [],
    });
  });

  it.each([
    ['No SMS', 'sms withdrawn'],
    ['Mailing consent refused', 'email withdrawn'],
    ['Geen nieuwsbrief', 'email withdrawn'],
    ['Postal consent withdrawn', 'post withdrawn'],
    ['No enviar correo postal', 'post withdrawn'],
    ['Phone calls declined', 'phone withdrawn'],
  ])('withdraws it on the channel of the name: %s', async (header, state) => {
    const { said } = await tryConsent(header, ['x', '']);
    expect(said).toEqual([state, '']);
  });

  it('withdraws it at the time that the column has', async () => {
    const { stored } = await tryConsent('Newsletter cancelled at', ['2025-11-20 10:00:00', '']);
    expect(stored.map(({ consent }) => consent.map(({ state, datetime }) => [state, datetime]))).toEqual([
      [['withdrawn', '2025-11-20 10:00:00']],
      [],
    ]);
  });
});

describe('a name with a word that is not known', () => {
  it.each([
    ['Newsletter zonked', 'zonked'],
    ['GDPR consent missing', 'missing'],
    ['GDPR erasure requested', 'erasure'],
    ['Newsletterfrust', 'newsletterfrust'],
    ['nonewsletter', 'nonewsletter'],
    ['Inscrito no boletim', 'no'],
    ['Newsletter no', 'no'],
    ['メルマガ謎', '謎'],
    ['Opt-out revoked', 'revoked'],
    ['I agree to the newsletter and may unsubscribe at any time', 'unsubscribe'],
    ['Newsletter consent of partner', 'partner'],
    ['Newsletter consent other', 'other'],
    ['Not unsubscribed', 'unsubscribed'],
    ['Kein Widerspruch Werbung', 'widerspruch'],
  ])('gives and withdraws no consent, and says so: %s', async (header, word) => {
    const { said, doubts, stored } = await tryConsent(header, ['yes', 'no', 'yes']);
    expect(said).toEqual(['', '', '']);
    expect(stored[0]?.extra[header]).toBeDefined();
    expect(doubts).toMatchObject([{ column: header, cells: 3 }]);
    expect(doubts[0]?.saw).toContain(`“${word}”`);
    expect(doubts[0]?.does).toContain('No consent is stored from it');
  });

  it('is consent if the request says so', async () => {
    const { said, doubts } = await tryConsent('Newsletter Zirkus', ['yes', 'no'], {
      'Newsletter Zirkus': 'consent.email',
    });
    expect(said).toEqual(['email given', 'email withdrawn']);
    expect(doubts).toEqual([]);
  });

  it.each([
    ['Newsletter topics', ['Jazz', 'Opera', 'Jazz']],
    ['Newsletter opened', ['yes', 'no', 'yes']],
    ['HasOptedOutOfFax', ['yes', 'no', 'yes']],
    ['Phone No', ['+49 30 901820', '+49 30 901821', '+49 30 901822']],
    ['Block', ['yes', 'no', 'yes']],
    ['Email not verified', ['yes', 'no', 'yes']],
    ['No email address', ['yes', 'no', 'yes']],
  ])('gets no doubt where it is about something else: %s %j', async (header, cells) => {
    const { said, saw } = await tryConsent(header, cells);
    expect({ said, saw }).toEqual({ said: ['', '', ''], saw: [] });
  });
});

describe('names of consent as they are', () => {
  it.each([
    ...['Newsletter', 'Accepts Marketing', 'Email Marketing Consent', 'Nyhedsbrev', '이메일 수신동의'],
    ...['Newsletter ja/nein', 'Marketing-Einwilligung (E-Mail)', 'Wants to receive the newsletter'],
    ...['Newsletter_Opt_In__c', 'Möchte Newsletter erhalten', 'Souhaite recevoir la newsletter'],
    ...['Desea recibir el boletín', 'Iscritto alla newsletter', 'Wil nieuwsbrief ontvangen'],
    ...['Aceita receber newsletter', 'Zgoda na newsletter', 'Souhlas se zasíláním newsletteru'],
    ...['Prenumererar på nyhetsbrev', 'Ønsker nyhedsbrev', 'Ønsker nyhetsbrev', 'Tilaa uutiskirjeen'],
    ...[
      'Abonat la newsletter',
      'Hírlevélre feliratkozott',
      'Bülten aboneliği',
      'メルマガ配信希望有無',
      'メルマガ配信（希望する／しない）',
      'Consent by e-mail',
      'HasOptedInToEmail',
    ],
  ])('give and withdraw consent without a doubt: %s', async (header) => {
    const { said, doubts } = await tryConsent(header, ['yes', 'no', 'yes']);
    expect({ said, doubts }).toEqual({
      said: ['email given', 'email withdrawn', 'email given'],
      doubts: [],
    });
  });
});

describe('consent by words of its own', () => {
  it('has a word for no consent', async () => {
    const { said, doubts } = await tryFile(
      'Email,Consent Email,Consent Post\na@example.org,NO_CONSENT,CONSENT\nb@example.org,CONSENT,NO_CONSENT\n',
    );
    expect(said).toEqual(['email withdrawn,post given', 'email given,post withdrawn']);
    expect(doubts).toEqual([]);
  });

  it.each([
    ['Consent Email', ['CONSENT_B', 'NO_CONSENT_A', 'CONSENT_B']],
    ['Email blocked', ['yes', 'perhaps', 'no']],
    ['No other newsletter', ['yes', 'no', 'yes']],
  ])('that are not known are a doubt: %s %j', async (header, cells) => {
    const { said, doubts } = await tryConsent(header, cells);
    expect(said).toEqual(['', '', '']);
    expect(doubts).toMatchObject([
      { column: header, does: 'It is no statement of consent, and no consent is stored from it.' },
    ]);
  });
});

/** The suggestion is asked for each of so many names. */
const EACH = 17;

describe('every word of negation beside every name of consent', () => {
  const tables: readonly Readonly<Record<string, Names>>[] = [columnNames, moreColumnNames];
  const names = tables.flatMap((table) =>
    Object.entries(table)
      .filter(([target]) => target.startsWith('consent.') && !target.endsWith('.datetime'))
      .flatMap(([, byLanguage]) => Object.values(byLanguage).flatMap((list) => list.split(','))),
  );
  const rows = [
    ['a@example.org', 'yes'],
    ['b@example.org', 'no'],
  ];
  const context = {
    tokens: new Set<string>(),
    targets: new Map<string, null>(),
    year: 2026,
    shift: undefined,
  };
  const isTurnedRound = ({ transformations = [] }: FieldMap): boolean =>
    transformations.some((each) => each.name === 'map' && each.values['yes'] === 'withdrawn');
  const words = negations.map((word) => word.replace('*', ''));

  it('never makes consent of yes', async () => {
    const headers = words.flatMap((word) =>
      names.flatMap((name) => [`${word} ${name.trim()}`, `${name.trim()} ${word}`]),
    );
    expect(headers.length).toBeGreaterThan(10_000);
    expect(headers.filter((header) => meaningOfName(header).kind === 'agreed')).toEqual([]);
    const given: string[] = [];
    for (const header of headers.filter((_, index) => index % EACH === 0)) {
      const { fieldMaps } = await suggestMapping(['Email', header], rows, context);
      const map = fieldMaps.find(({ target_field }) => target_field.startsWith('consent.'));
      if (map && !isTurnedRound(map)) given.push(header);
    }
    expect(given).toEqual([]);
  });

  it('is no neutral word', () => {
    expect([...neutral].filter((word) => isParticle(word) || isStem(word))).toEqual([]);
  });
});
