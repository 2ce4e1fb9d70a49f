import { describe, expect, it } from 'vitest';
import { inspectFile, tryConsent } from './try-file.ts';

const tryColumns = async (header: string, rows: readonly string[], targets = {}) => {
  const tried = await tryConsent(header, rows, targets);
  return { ...tried, contradictions: tried.doubts.filter(({ saw }) => saw.startsWith('Rows in which')) };
};

describe('an opt-out beside a consent', () => {
  it.each([
    ...['Unsubscribed', 'Do not email', 'Newsletter cancelled', 'Email Opt Out', 'Kein Newsletter'],
    ...['Widerruf Einwilligung', 'Refus newsletter', 'Geen nieuwsbrief', 'Email blocked', 'メール配信停止'],
  ])('withdraws it, and the rows that contradict are counted: %s', async (name) => {
    const rows = ['yes,yes', 'yes,no', 'no,yes', ',yes', 'yes,', 'no,', ',', 'yes,x'];
    for (const [header, cells] of [
      [`Newsletter,${name}`, rows],
      [`${name},Newsletter`, rows.map((row) => row.split(',').toReversed().join())],
    ] as const) {
      const { said, contradictions, errors } = await tryColumns(header, cells);
      expect(said).toEqual([
        ...['email withdrawn', 'email given', 'email withdrawn', 'email withdrawn'],
        ...['email given', 'email withdrawn', '', 'email withdrawn'],
      ]);
      expect(errors).toEqual([]);
      expect(contradictions).toMatchObject([
        {
          column: name,
          cells: 2,
          examples: ['yes', 'x'],
          saw: 'Rows in which the column "Newsletter" gives consent.email and this column withdraws it.',
          does: 'The withdrawal wins: stores withdrawn for these rows.',
        },
      ]);
    }
  });

  it('withdraws it in later rows of the file, too', async () => {
    const calm = Array.from({ length: 600 }, () => 'yes,no');
    const { said, doubts } = await tryColumns('Newsletter,Unsubscribed', [...calm, 'yes,yes']);
    expect(said.slice(-2)).toEqual(['email given', 'email withdrawn']);
    expect(doubts).toEqual([]);
  });

  it('withdraws it by a time', async () => {
    const { said, contradictions } = await tryColumns('Newsletter,UNSUB_TIME', [
      'yes,2025-11-20 18:10:03',
      'yes,',
      'no,2025-11-20 18:10:03',
    ]);
    expect(said).toEqual(['email withdrawn', 'email given', 'email withdrawn']);
    expect(contradictions).toMatchObject([{ column: 'UNSUB_TIME', cells: 1 }]);
  });

  it('is not dated by the time of the consent', async () => {
    const { stored } = await tryColumns('Newsletter,Consent date,Unsubscribed', [
      'yes,2020-01-01,yes',
      'yes,2020-01-01,no',
    ]);
    const [out, still] = stored.map(({ consent }) => consent[0]);
    expect(out).toMatchObject({ state: 'withdrawn' });
    expect(out?.datetime?.startsWith('2020')).toBe(false);
    expect(still).toMatchObject({ state: 'given', datetime: '2020-01-01 00:00:00' });
  });

  it('stands beside further opt-outs of the channel, and leaves other channels alone', async () => {
    const { said, errors } = await tryColumns(
      'Newsletter,Unsubscribed,Do not email,SMS Opt Out,UNSUB_TIME,Abgemeldet am',
      ['yes,no,yes,no,,', 'yes,no,no,yes,,', 'yes,yes,no,no,2025-11-20 18:10:03,20.11.2025'],
    );
    expect(errors).toEqual([]);
    expect(said).toEqual(['email withdrawn', 'email given,sms withdrawn', 'email withdrawn']);
  });

  it('counts also where the request names the field of the consent', async () => {
    const { said, contradictions } = await tryColumns('Mitteilungen,Unsubscribed', ['yes,yes', 'yes,no'], {
      Mitteilungen: 'consent.email',
    });
    expect(said).toEqual(['email withdrawn', 'email given']);
    expect(contradictions).toMatchObject([{ column: 'Unsubscribed', cells: 1 }]);
  });

  it('is left out if the request says so', async () => {
    const { said } = await tryColumns('Newsletter,Unsubscribed', ['yes,yes'], { Unsubscribed: null });
    expect(said).toEqual(['email given']);
  });
});

describe('two columns of one consent', () => {
  it('give it by one of them, and withdraw it by both', async () => {
    const { said, contradictions, errors } = await tryColumns('Newsletter,Marketing consent', [
      ...['yes,yes', 'yes,no', 'no,yes', 'no,', 'yes,later', 'yes,'],
    ]);
    expect(errors).toEqual([]);
    expect(said).toEqual([
      ...[
        'email given',
        'email withdrawn',
        'email withdrawn',
        'email withdrawn',
        'email given',
        'email given',
      ],
    ]);
    expect(contradictions).toMatchObject([{ column: 'Marketing consent', cells: 1, examples: ['no'] }]);
  });

  it('have no doubt where they agree', async () => {
    const { suggestion } = await inspectFile(
      'Email,Newsletter,Marketing consent\na@example.org,yes,yes\nb@example.org,no,no\n',
    );
    expect(suggestion.doubts).toEqual([]);
    expect(suggestion.columns.map(({ target_field }) => target_field)).toEqual([
      ...['email', 'consent.email', 'consent.email'],
    ]);
  });
});
