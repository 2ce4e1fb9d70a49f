import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Operator, operators } from '../../client/cli/expression/operators.ts';
import { parseExpression, underline } from '../../client/cli/expression/parse.ts';
import { conditionFields } from '../../client/cli/fields.ts';
import { fieldNames } from '../../shared/catalogue/conditions/fields.ts';
import { whereSchema } from '../../shared/catalogue/conditions/where.ts';
import { own, read } from './read-expression.ts';

const jazz = { kind: 'name', name: 'Jazz' };

/** Values for each kind of operators. */
const values: Readonly<Record<Operator['takes'], readonly unknown[]>> = {
  nothing: [null],
  value: ['x', 5],
  list: [['x'], [5]],
  text: ['x'],
  number: [5],
  two: [
    [5, 6],
    ['2026-01-01', '2026-01-31'],
  ],
  day: ['2026-01-31'],
  days: [90],
};

describe('a condition in words', () => {
  it.each<readonly [string, unknown]>([
    ['extra_data.Umsatz >= 500', { field: own('Umsatz'), op: 'gte', value: 500 }],
    ['Umsatz > 500', { field: own('Umsatz'), op: 'gt', value: 500 }],
    ['Umsatz≥500.50', { field: own('Umsatz'), op: 'gte', value: 500.5 }],
    ['Umsatz<-5', { field: own('Umsatz'), op: 'lt', value: -5 }],
    ['Umsatz ≤ +7', { field: own('Umsatz'), op: 'lte', value: 7 }],
    ['age <= 17', { field: 'age', op: 'lte', value: 17 }],
    ['Umsatz between 100 and 500', { field: own('Umsatz'), op: 'between', value: [100, 500] }],
    [
      'created BETWEEN 2026-01-01 and 2026-01-31 and Jazz',
      { all: [{ field: 'created', op: 'between', value: ['2026-01-01', '2026-01-31'] }, jazz] },
    ],
    [
      'Jazz and zipcode starts with 04',
      { all: [jazz, { field: 'zipcode', op: 'starts_with', value: '04' }] },
    ],
    ['last_name contains "berg"', { field: 'last_name', op: 'contains', value: 'berg' }],
    ['last_name="von Berg"', { field: 'last_name', op: 'eq', value: 'von Berg' }],
    ['city = New York', { field: 'city', op: 'eq', value: 'New York' }],
    ['city = Frankfurt on Oder', { field: 'city', op: 'eq', value: 'Frankfurt on Oder' }],
    ['gender = f', { field: 'gender', op: 'eq', value: 'f' }],
    ['gender != f', { not: { field: 'gender', op: 'eq', value: 'f' } }],
    ['not gender ≠ f', { not: { not: { field: 'gender', op: 'eq', value: 'f' } } }],
    ['country in (DE, AT)', { field: 'country', op: 'in', value: ['DE', 'AT'] }],
    ['country in(DE,"A, T",New  York)', { field: 'country', op: 'in', value: ['DE', 'A, T', 'New York'] }],
    ['email exists', { field: 'email', op: 'exists' }],
    ['created after 2026-01-01', { field: 'created', op: 'after', value: '2026-01-01' }],
    ['birthday on 2024-02-29', { field: 'birthday', op: 'on', value: '2024-02-29' }],
    ['birthday anniversary within 14 days', { field: 'birthday', op: 'anniversary_within_days', value: 14 }],
    ['Vertragsende within next 1 day', { field: own('Vertragsende'), op: 'within_next_days', value: 1 }],
    ['"Letzter Besuch" within 90 days', { field: own('Letzter Besuch'), op: 'within_days', value: 90 }],
    ['extra_data."a b" before 2026-01-31', { field: own('a b'), op: 'before', value: '2026-01-31' }],
    ['extra_data.email exists', { field: own('email'), op: 'exists' }],
    ['"email" exists', { field: 'email', op: 'exists' }],
    ['tag "Concert" older than 30 days', { field: { tag: 'Concert' }, op: 'older_than_days', value: 30 }],
    ['tag = Concert', { field: 'tag', op: 'eq', value: 'Concert' }],
    ['not seen within 90 days', { not: { field: own('seen'), op: 'within_days', value: 90 } }],
    ['not seen for 90 days', { not: { field: own('seen'), op: 'within_days', value: 90 } }],
    [
      '(Umsatz > 5 or Jazz) and not Jazz',
      { all: [{ any: [{ field: own('Umsatz'), op: 'gt', value: 5 }, jazz] }, { not: jazz }] },
    ],
  ])('%s', (text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  it.each<readonly [string, unknown]>([
    ['Umsatz = 500', 500],
    ['Umsatz = "500"', '500'],
    ['PLZ = 04109', '04109'],
    ['Karte = 12345678901234567890', '12345678901234567890'],
    ['zipcode = 10117', '10117'],
    ['age = 30', 30],
    ['Stadt = Köln', 'Köln'],
    ['PLZ in (4109, 10117)', [4109, 10_117]],
    ['PLZ in (04109, 10117)', ['04109', '10117']],
    ['PLZ in (4109, "10117")', ['4109', '10117']],
  ])('%s compares a number or a text', (text, value) => {
    expect(read(text)).toMatchObject({ value });
  });

  it('says the same words as the name of a segment, if nothing tells them apart', () => {
    const named = (text: string): unknown => {
      const parsed = parseExpression(text);
      return parsed.ok && parsed.value.kind === 'condition' ? parsed.value.name : 'no condition';
    };
    expect(named('Party  on 2026-01-31')).toBe('Party on 2026-01-31');
    expect(named('gender = f')).toBe('gender = f');
    expect(named('"Party" on 2026-01-31')).toBeUndefined();
    expect(named('extra_data.Party on 2026-01-31')).toBeUndefined();
    expect(named('gender = "f"')).toBeUndefined();
  });

  it('has the fields and the operators of the service', () => {
    expect(conditionFields.toSorted()).toEqual(fieldNames);
    const fields = { text: 'city', age: 'age', created: 'created', birthday: 'birthday', tag: { tag: 'x' } };
    for (const [kind, field] of Object.entries({ ...fields, own: own('x') })) {
      for (const { op, takes, kinds } of operators) {
        const sent = values[takes].map((value) => ({ field, op, ...(takes === 'nothing' ? {} : { value }) }));
        const fits = sent.some((where) => v.is(whereSchema, where));
        expect([kind, op, fits]).toEqual([kind, op, kinds.some((one) => one === kind)]);
      }
    }
  });
});

describe('a fault of a condition', () => {
  const faulty = (text: string): string => {
    const parsed = parseExpression(text);
    return parsed.ok ? 'no fault' : `${parsed.error.message}\n${underline(text, parsed.error.at)}`;
  };

  it.each([
    ['age >= old', '">=" needs a number, such as 500 or 500.5.\nage >= old\n       ^^^'],
    ['"Umsatz" >=', '">=" needs a number, such as 500 or 500.5.\n"Umsatz" >=\n           ^'],
    ['age > "5"', '">" needs a number, such as 500 or 500.5.\nage > "5"\n      ^^^'],
    [
      'age > 31.01.2026',
      '">" needs a number, such as 500 or 500.5. Days go with before, after, on and between.\nage > 31.01.2026\n      ^^^^^^^^^^',
    ],
    [
      'age > 1.234,50',
      'Write a number with a point, and without separators: 1234.50, not "1.234,50".\nage > 1.234,50\n      ^^^^^^^^',
    ],
    ['age > 500 €', 'Write a number without a unit: 500, not "500 €".\nage > 500 €\n      ^^^^^'],
    ['age > 1.234', '"1.234" may mean 1234 or 1.2340; write one of them.\nage > 1.234\n      ^^^^^'],
    ['age > 5 Jazz', 'Write "and" or "or" before "Jazz".\nage > 5 Jazz\n        ^^^^'],
    [
      '"a" = 5 €',
      'Write a number without a unit: 500, not "5 €". Put a text that looks like a number into quotes.\n"a" = 5 €\n      ^^^',
    ],
    [
      '"a" = 2026-01-31',
      'For a day, write "on 2026-01-31"; put a text that looks like a day into quotes.\n"a" = 2026-01-31\n      ^^^^^^^^^^',
    ],
    [
      '"a" on 31.01.2026',
      'Write a day as 2026-01-31, not "31.01.2026".\n"a" on 31.01.2026\n       ^^^^^^^^^^',
    ],
    ['"a" on 2026-02-30', 'There is no day 2026-02-30.\n"a" on 2026-02-30\n       ^^^^^^^^^^'],
    ['"a" on Monday', '"on" needs a day, such as 2026-01-31.\n"a" on Monday\n       ^^^^^^'],
    [
      '"a" within 3 weeks',
      '"within" needs a number of days: within 90 days.\n"a" within 3 weeks\n           ^^^^^^^',
    ],
    ['"a" within 90', '"within" needs a number of days: within 90 days.\n"a" within 90\n           ^^'],
    ['"a" for 90 days', '"for" goes with "not": not "a" for 90 days.\n"a" for 90 days\n    ^^^'],
    [
      'age between 5 and x',
      '"between" needs two numbers, such as 18 and 25.\nage between 5 and x\n            ^^^^^^^',
    ],
    [
      'age between 5 and 4',
      'The smaller value comes first: 4 and 5.\nage between 5 and 4\n            ^^^^^^^',
    ],
    [
      'country in (DE or AT)',
      'Write values with commas between them: (DE, AT).\ncountry in (DE or AT)\n               ^^',
    ],
    [
      'country in (DE,)',
      'Write values with commas between them: (DE, AT).\ncountry in (DE,)\n               ^',
    ],
    ['country in (DE', 'This parenthesis is never closed.\ncountry in (DE\n           ^'],
    ['"country" in DE', '"in" needs values in parentheses: in (DE, AT).\n"country" in DE\n             ^^'],
    ['age in (5, x)', '"in" needs numbers, such as in (17, 18).\nage in (5, x)\n           ^'],
    [
      'zipcode >= 5',
      '"zipcode" goes with exists, =, !=, in, starts with and contains, not with ">=".\nzipcode >= 5\n        ^^',
    ],
    [
      '"a" anniversary within 5 days',
      '"anniversary within" goes only with birthday.\n"a" anniversary within 5 days\n    ^^^^^^^^^^^^^^^^^^',
    ],
    [
      'city = Berlin age = 5',
      'Write "and" or "or" between two conditions, or put the value into quotes.\ncity = Berlin age = 5\n       ^^^^^^^^^^^^^^',
    ],
    [
      'city = Berlin email exists',
      'Write "and" or "or" between two conditions, or put the value into quotes.\ncity = Berlin email exists\n       ^^^^^^^^^^^^^^^^^^^',
    ],
    ['city = ""', '"=" needs a value.\ncity = ""\n       ^^'],
    [
      'Jazz zipcode starts with 04',
      'Write "and" or "or" before "zipcode".\nJazz zipcode starts with 04\n     ^^^^^^^',
    ],
    [
      'Gender = f',
      'Write gender for the field, or extra_data.Gender for a key of the extra data.\nGender = f\n^^^^^^',
    ],
    [
      'tag:Jazz exists',
      'tag:Jazz is a segment. Write tag "Jazz" for the date of the tag.\ntag:Jazz exists\n^^^^^^^^',
    ],
    [
      'tag:"Jazz" exists',
      'tag:"Jazz" is a segment. Write tag "Jazz" for the date of the tag.\ntag:"Jazz" exists\n^^^^^^^^^^',
    ],
    [
      'brand:"Jazz" exists',
      'brand:"Jazz" is a segment, and cannot be compared.\nbrand:"Jazz" exists\n^^^^^^^^^^^^',
    ],
    [
      'tag "Jazz"',
      'Write tag:"Jazz" for the segment, or tag "Jazz" within 90 days for the date of the tag.\ntag "Jazz"\n^^^^^^^^^^',
    ],
    [
      'extra_data.Umsatz',
      'A condition has an operator behind the field: extra_data.Umsatz exists.\nextra_data.Umsatz\n^^^^^^^^^^^^^^^^^',
    ],
    ['extra_data."" exists', 'A key of the extra data has a name.\nextra_data."" exists\n^^^^^^^^^^^^^'],
    ['extra_data. exists', 'A key of the extra data has a name.\nextra_data. exists\n^^^^^^^^^^^'],
    ['"a" == 5', 'There is no operator "==", only =, !=, <, <=, > and >=.\n"a" == 5\n    ^^'],
  ])('%s', (text, expected) => {
    expect(faulty(text)).toBe(expected);
  });

  it.each([
    [
      'Umsatz >= viel',
      '">=" needs a number, such as 500 or 500.5. If it is the name of a segment, put it into quotes: "Umsatz >= viel".',
    ],
    [
      'Party on 31.12.2026',
      'Write a day as 2026-01-31, not "31.12.2026". If it is the name of a segment, put it into quotes: "Party on 31.12.2026".',
    ],
    [
      'city in Germany',
      '"in" needs values in parentheses: in (DE, AT). If it is the name of a segment, put it into quotes: "city in Germany".',
    ],
    [
      'A => B',
      'There is no operator "=>", only =, !=, <, <=, > and >=. If it is the name of a segment, put it into quotes: "A => B".',
    ],
    [
      'Letzter Besuch within 90 days',
      'Write "Letzter Besuch" within 90 days for a condition, or "Letzter Besuch within 90 days" for a segment.',
    ],
    ['Letzter Besuch in (A, B)', 'Write "Letzter Besuch" in (A, B).'],
    [
      'tag Concert within 90 days',
      'Write tag "Concert" within 90 days for a condition, or "tag Concert within 90 days" for a segment.',
    ],
  ])('%s may be a segment, too, and the sentence has both spellings', (text, expected) => {
    expect(faulty(text).split('\n')[0]).toBe(expected);
  });

  it('is told by a name that looks like a condition', () => {
    const hint = (text: string): unknown => {
      const parsed = parseExpression(text);
      return parsed.ok && parsed.value.kind === 'segment' ? parsed.value.noCondition : 'no segment';
    };
    expect(hint('seen within 3 weeks')).toBe('"within" needs a number of days: within 90 days.');
    expect(hint('seen for 3 days')).toBe('"for" goes with "not": not seen for 3 days.');
    expect(hint('>= 500')).toBe('A field stands in front of ">=".');
    expect(hint('email ends with de')).toBe(
      'A condition on "email" has one of these operators: exists, =, !=, in, starts with and contains.',
    );
    expect(hint('Jazz')).toBeUndefined();
    expect(hint('email')).toBeUndefined();
  });
});
