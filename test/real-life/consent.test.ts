import { describe, expect, it } from 'vitest';
import { meaningOf } from '../../shared/imports/inspect/suggest/words.ts';
import { tryConsent, tryFile } from './try-file.ts';

const silent = 'Words for somebody who never said yes or no.';

describe('consent by the names and words of mailing services', () => {
  it('has the times of its statements', async () => {
    const { stored, saw, errors } = await tryConsent(
      'Email Marketing Consent,Email Marketing Consent Timestamp',
      ['SUBSCRIBED,2026-01-02 03:04:05', 'UNSUBSCRIBED,2026-01-03 04:05:06', 'NEVER_SUBSCRIBED,'],
    );
    expect(errors).toEqual([]);
    expect(stored.map(({ consent }) => consent.map(({ state, datetime }) => [state, datetime]))).toEqual([
      [['given', '2026-01-02 03:04:05']],
      [['withdrawn', '2026-01-03 04:05:06']],
      [],
    ]);
    expect(saw).toEqual([silent]);
  });

  it.each([
    ['Accepts Email Marketing', ['yes', 'no'], ['email given', 'email withdrawn'], []],
    ['Accepts SMS Marketing', ['no', 'yes'], ['sms withdrawn', 'sms given'], []],
    ['Marketing Consent', ['subscribed', 'not_subscribed', 'pending'], ['email given', '', ''], [silent]],
    [
      'Email Marketing Status',
      ['subscribed', 'unsubscribed', 'cleaned'],
      ['email given', 'email withdrawn', ''],
      [silent],
    ],
    [
      'Newsletter',
      ['Angemeldet', 'Abgemeldet', 'Ausstehend'],
      ['email given', 'email withdrawn', ''],
      [silent],
    ],
    [
      'Opted in to marketing',
      ['Opted in', 'Opted out', 'Not set'],
      ['email given', 'email withdrawn', ''],
      [silent],
    ],
    [
      'Subscriber Status',
      ['confirmed', 'unsubscribed', 'pending'],
      ['email given', 'email withdrawn', ''],
      [silent],
    ],
    [
      'Newsletter-Status',
      ['angemeldet', 'abgemeldet', 'nie angemeldet'],
      ['email given', 'email withdrawn', ''],
      [silent],
    ],
    ['Newsletter', ['oui', 'désabonné', 'en attente'], ['email given', 'email withdrawn', ''], [silent]],
  ])('is read: %s %j', async (header, cells, expected, sentences) => {
    const { said, saw, errors } = await tryConsent(header, cells);
    expect({ said, saw, errors }).toEqual({ said: expected, saw: sentences, errors: [] });
  });

  it('keeps its words where a later part of the file has others', async () => {
    const first = Array.from({ length: 600 }, () => 'SUBSCRIBED');
    const { said, errors } = await tryConsent('Email Marketing Consent', [
      ...first,
      'UNSUBSCRIBED',
      'NEVER_SUBSCRIBED',
    ]);
    expect(errors).toEqual([]);
    expect(said.slice(-3)).toEqual(['email given', 'email withdrawn', '']);
  });
});

describe('consent in words of other languages', () => {
  it.each([
    [['DA', 'NU', 'Da']],
    [['Kyllä', 'ei', 'kyllä']],
    [['ΝΑΙ', 'Όχι', 'ναι']],
    [['ΝΑΙ', 'ΟΧΙ', 'ναι']],
    [['igen', 'Nem', 'IGEN']],
    [['동의', '미동의', '동의함']],
    [['동의함', '수신거부', '동의']],
    [['ano', 'ne', 'Ano']],
    [['áno', 'nie', 'áno']],
    [['Evet', 'Hayır', 'EVET']],
    [['evet', 'HAYIR', 'Evet']],
    [['tak', 'nie', 'Tak']],
  ])('is read without a doubt: %j', async (cells) => {
    const { said, saw, errors, inspected } = await tryConsent('Newsletter', cells);
    expect({ said, saw, errors }).toEqual({
      said: ['email given', 'email withdrawn', 'email given'],
      saw: [],
      errors: [],
    });
    expect(inspected.suggestion.columns[1]?.why.join(' ')).toContain('The cells say yes or no.');
  });

  it('has the letters of igen and nem only beside each other, and says so', async () => {
    const { said, saw } = await tryConsent('Newsletter', ['I', 'N', 'I']);
    expect(said).toEqual(['email given', 'email withdrawn', 'email given']);
    expect(saw).toEqual(['The letter I beside N, as in igen and nem.']);
  });

  it.each([
    [
      ['I', 'I', 'I'],
      ['', '', ''],
    ],
    [
      ['I', 'O', 'I'],
      ['', '', ''],
    ],
    [
      ['I', 'N', 'Y', 'Y', 'N'],
      ['email withdrawn', 'email given', 'email given', 'email withdrawn'],
    ],
  ])('has no letter I that means yes beside others: %j', async (cells, expected) => {
    const { said } = await tryConsent('Newsletter', cells);
    expect(said).toEqual(expected);
  });

  it('has a reason that agrees with the doubt', async () => {
    const { inspected, doubts } = await tryConsent('Newsletter', ['yes', 'no', 'yes', 'perhaps']);
    expect(inspected.suggestion.columns[1]?.why.join(' ')).toContain('3 of 4 cells say yes or no.');
    expect(doubts).toMatchObject([{ cells: 1 }]);
  });

  it.each([
    ['UNSUB_CAMPAIGN_TITLE', 'Spring news'],
    ['UNSUB_CAMPAIGN_ID', 'f00ba4'],
    ['Unsubscribe link', 'https://example.org/leave'],
  ])('is none in a column about campaigns, which gets no doubt: %s', async (header, cell) => {
    const { said, doubts, stored } = await tryConsent(header, [cell, cell]);
    expect({ said, doubts }).toEqual({ said: ['', ''], doubts: [] });
    expect(stored[0]?.extra[header]).toBe(cell);
  });
});

describe('words that are not known as consent', () => {
  it('are said, refuse their rows and give no consent', async () => {
    const { said, saw, errors } = await tryConsent('Newsletter', ['yes', 'no', 'yes', 'perhaps']);
    expect(said).toEqual(['email given', 'email withdrawn', 'email given']);
    expect(saw).toEqual(['Words that are not known as consent.']);
    expect(errors).toMatchObject([{ row: 4, code: 'not_allowed' }]);
  });

  it.each([
    ['Consent', ['Level 1', 'Level 2']],
    ['Subscription Status', ['Active', 'Expired']],
    ['Newsletter', ['Weekly', 'Monthly']],
    ['Newsletter', ['2024-01-01', '2024-01-02']],
    ['Consent', ['pending', 'never']],
  ])('make no consent of a column, and are said: %s %j', async (header, cells) => {
    const { said, stored, doubts } = await tryConsent(header, cells);
    expect(said).toEqual(cells.map(() => ''));
    expect(stored.map(({ extra }) => extra[header])).toEqual(cells);
    expect(doubts).toMatchObject([
      { column: header, does: 'It is no statement of consent, and no consent is stored from it.' },
    ]);
  });

  it('are no times of an opt-in alone', async () => {
    const { said, doubts } = await tryConsent('OPTIN_TIME', ['2024-01-02 10:00:00', '2024-02-02 10:00:00']);
    expect(said).toEqual(['', '']);
    expect(doubts).toMatchObject([{ column: 'OPTIN_TIME', cells: 2 }]);
  });

  it.each(['perhaps', 'Weekly', 'active', 'customer', '2', 'level 1', ''])('are not known: %j', (word) => {
    expect(meaningOf(word)).toBeUndefined();
  });
});

describe('the times of opt-outs', () => {
  const statements = ({ stored }: Awaited<ReturnType<typeof tryConsent>>) =>
    stored.map(({ consent }) => consent.map(({ channel, state, datetime }) => [channel, state, datetime]));

  it.each([
    [
      'UNSUB_TIME',
      ['2025-11-20 18:10:03', '', '2025-12-21 18:11:03'],
      ['2025-11-20 18:10:03', '2025-12-21 18:11:03'],
    ],
    ['Unsubscribed At', ['2025-11-20T18:10:03Z', 'NULL', ''], ['2025-11-20 18:10:03']],
    ['Abgemeldet am', ['20.11.2025', '', '21.12.2025'], ['2025-11-20 23:59:59', '2025-12-21 23:59:59']],
    ['sms_opt_out_date', ['2025-11-20', '', '0000-00-00'], ['2025-11-20 23:59:59']],
  ])('withdraw consent at that time, and an empty cell says nothing: %s', async (name, cells, times) => {
    const tried = await tryConsent(name, cells);
    const channel = name.startsWith('sms') ? 'sms' : 'email';
    expect(statements(tried).filter(({ length }) => length > 0)).toEqual(
      times.map((time) => [[channel, 'withdrawn', time]]),
    );
    expect(tried.errors).toEqual([]);
    expect(tried.saw).toContain('Times at which people have opted out.');
  });

  it('withdraw consent that an earlier file gave, and a row without a time takes none', async () => {
    const given = await tryFile(
      'Email,Newsletter,Newsletter Date\na@example.org,yes,2025-01-01\nb@example.org,yes,2025-01-01\n',
      { targets: { 'Newsletter Date': 'consent.email.datetime' } },
    );
    const { said } = await tryFile('Email,UNSUB_TIME\na@example.org,2025-11-20 18:10:03\nb@example.org,\n', {
      harness: given.harness,
    });
    expect(said).toEqual(['email withdrawn', 'email given']);
  });

  it('are not dated by the times of opt-ins beside them', async () => {
    const { stored, doubts } = await tryFile(
      'Email,OPTIN_TIME,UNSUB_TIME\na@example.org,2018-01-10 09:10:12,2025-11-20 18:10:03\n',
    );
    expect(stored[0]?.consent).toMatchObject([{ state: 'withdrawn', datetime: '2025-11-20 18:10:03' }]);
    expect(doubts.map(({ column }) => column)).toEqual(['OPTIN_TIME', 'UNSUB_TIME']);
  });

  it('leave the statement to a column that says more', async () => {
    const { said, doubts } = await tryFile(
      'Email,Newsletter,Unsubscribed At\na@example.org,no,2025-11-20 18:10:03\nb@example.org,yes,\n',
    );
    expect(said).toEqual(['email withdrawn', 'email given']);
    expect(doubts.map(({ column }) => column)).toContain('Unsubscribed At');
  });
});
