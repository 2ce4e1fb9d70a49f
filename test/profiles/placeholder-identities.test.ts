import { describe, expect, it } from 'vitest';
import { placeholderKind } from '../../shared/profiles/placeholder-identities.ts';
import { jsonOf } from '../support/answers.ts';
import { profileRoutes } from './routes.ts';

const kindOfId = (value: string) => placeholderKind({ kind: 'unique_id', value });
const kindOfEmail = (value: string) => placeholderKind({ kind: 'email', value });

describe('an id', () => {
  it.each([
    'null NULL None nil NaN n/a N/A NA #N/A #NAME? #REF! #VALUE! #NV #BEZUG! #WERT! #DIV/0! undefined unknown unbekannt',
    'inconnu Desconocido sconosciuto onbekend nieznany неизвестно 不明 なし - -- --- – ? ??? . … 0 00 000000 0.0 -0 -1',
    '00000000-0000-0000-0000-000000000000 \\N (blank) (null) <null> <nil> [null] "null" {} [] test TEST keine k.A. K.A k.a.',
    'TBD tba guest anonymous false {{id}} ${id} *|UNIQID|* %%id%% xxx dummy',
  ])('is a word for nothing: %s', (line) => {
    const wrong = line.split(' ').filter((word) => kindOfId(word) !== 'nothing');
    expect(wrong).toEqual([]);
    for (const text of [
      '[object Object]',
      'keine Angabe',
      'Not available',
      '<not set>',
      'no email',
      '알 수 없음',
    ])
      expect([text, kindOfId(text)]).toEqual([text, 'nothing']);
  });

  it.each(['1.23457E+12', '1,23457E+12', '1.2e+21', '1E+15', '-4.5E+10'])('was rounded: %s', (value) => {
    expect(kindOfId(value)).toBe('rounded');
  });

  it.each(['70001.0', '70001,00'])('was made decimal: %s', (value) => {
    expect(kindOfId(value)).toBe('decimal');
  });

  it.each(
    '00123 123 1E5 5.000 abC-1 ABC-1 K-31 10 100 1000 1.5 12.50 nullsoft Noneill 0x1F 007 -12 #1001 A+ 1E+ true-1 4711.10.2 a x tom'.split(
      ' ',
    ),
  )('is like others: %s', (value) => {
    expect(kindOfId(value)).toBe(undefined);
  });
});

describe('an e-mail address', () => {
  it.each(
    'noreply@shop.example no-reply@x.org NoReply@x.org none@none.com null@null.com test@test.de test@example.com a@a.de keine@gmx.de nomail@gmx.de no-email@x.org unknown@unknown.org ann@noemail.com ann@x.invalid undefined@x.org keine-email@web.de'.split(
      ' ',
    ),
  )('is a placeholder: %s', (value) => {
    expect(kindOfEmail(value)).toBe('address');
  });

  it.each(
    'ann@example.org a@x.org test@ann.org na@firm.com noah@none-such.org info@venue.example smith@smith.com no@firm.com 0815@x.org nully@x.org guest.ann@x.org 1.5@x.org'.split(
      ' ',
    ),
  )('is like others: %s', (value) => {
    expect(kindOfEmail(value)).toBe(undefined);
  });
});

it.each(['[object Object]', 'None', 'undefined', 'NULL', '#N/A'])(
  'two people with the id %s never become one without a word',
  async (unique_id) => {
    const routes = await profileRoutes();
    const warning = {
      code: 'looks_like_no_identity',
      detail:
        'The unique_id is a word for nothing, so records of other people may have it too. It was stored as stated.',
    };
    for (const email of ['ann@example.org', 'bob@example.org']) {
      const answer = await routes.demo.post({ unique_id, email });
      expect(jsonOf(answer)['warnings']).toEqual([warning]);
    }
  },
);

it('a single record with such an identity is stored as stated, with a warning', async () => {
  const routes = await profileRoutes();
  for (const [index, unique_id] of ['[object Object]', 'None', '1.23457E+12'].entries()) {
    const answer = await routes.demo.post({ unique_id, email: `ann${index}@example.org` });
    expect(jsonOf(answer)['warnings']).toMatchObject([{ code: 'looks_like_no_identity' }]);
    expect(jsonOf(await routes.demo.lookup(`unique_id=${encodeURIComponent(unique_id)}`))).toMatchObject({
      profile: { unique_id },
    });
  }
  const plain = await routes.demo.post({ unique_id: 'K-1', first_name: 'Null', last_name: 'None' });
  expect(jsonOf(plain)).not.toHaveProperty('warnings');
});
