import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { problems } from '../../shared/http/problem.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { rule } from '../../shared/http/rule.ts';
import { isCleanText, MAX_FAULTS, textFaults } from '../../shared/http/text.ts';

describe('the texts of a body', () => {
  const placesOf = (body: Record<string, unknown>, apart?: string): readonly string[] =>
    textFaults(body, apart).map(({ pointer, code }) => `${pointer} ${code}`);

  it('are judged in every list and object, and so are the names in it', () => {
    expect(
      placesOf({
        'n\u0000': 1,
        name: 'a\u0000',
        list: ['ok', '\ufffd', { deep: '\ud800', 'm\u0007': 'x' }],
        amount: Number.POSITIVE_INFINITY,
      }),
    ).toEqual([
      ' bad_characters',
      '/name bad_characters',
      '/list/1 bad_characters',
      '/list/2/deep bad_characters',
      '/list/2 bad_characters',
      '/amount out_of_range',
    ]);
  });

  it('are left to the use case in the one list that is judged apart, and nowhere else', () => {
    expect(placesOf({ records: ['\u0000'], others: ['\u0000'] }, 'records')).toEqual([
      '/others/0 bad_characters',
    ]);
    expect(placesOf({ records: { records: ['\u0000'] } }, 'records')).toEqual([
      '/records/records/0 bad_characters',
    ]);
    expect(placesOf({ records: '\u0000' }, 'records')).toEqual(['/records bad_characters']);
  });

  it('are looked at until there are as many faults as an answer tells', () => {
    const many = Array.from({ length: 3 * MAX_FAULTS }, () => '\u0000');
    expect(textFaults({ many })).toHaveLength(MAX_FAULTS);
  });

  it('may hold tabs and line ends', () => {
    expect(isCleanText('a\tb\r\nc')).toBe(true);
  });
});

describe('the faults of a schema', () => {
  const even = rule<number>('not_even', (n) => n % 2 === 0, 'Must be even.');
  const schema = v.object({
    n: v.pipe(v.number(), v.minValue(10), even),
    inner: v.array(v.strictObject({})),
  });

  it('are one for each value, the first rule that it breaks', () => {
    expect(check(schema, { n: 1, inner: [] })).toMatchObject({
      ok: false,
      faults: [{ pointer: '/n', code: 'out_of_range' }],
    });
    expect(check(schema, { n: 11, inner: [] })).toEqual({
      ok: false,
      faults: [{ pointer: '/n', code: 'not_even', detail: 'Must be even.' }],
    });
  });

  it('are no more than an answer tells, however many objects have unknown fields', () => {
    const unknown = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${n}`, n] as const));
    const checked = check(schema, { n: 10, inner: Array.from({ length: 6 }, () => unknown) });
    expect(checked.ok ? [] : checked.faults).toHaveLength(MAX_FAULTS);
  });

  const person = v.strictObject({
    name: v.pipe(v.string(), v.maxLength(3)),
    size: v.optional(v.picklist(['s', 'l'])),
    list: v.optional(v.array(v.strictObject({ id: v.pipe(v.number(), v.integer()) }))),
  });
  const faultsOf = (value: unknown): readonly string[] => {
    const checked = check(person, value);
    return checked.ok
      ? []
      : checked.faults.map(({ pointer, code, detail }) => `${pointer} ${code} ${detail}`);
  };

  it('tell a missing field from one of a wrong type', () => {
    expect(faultsOf({})).toEqual(['/name required Is required.']);
    expect(faultsOf({ name: 1 })).toEqual(['/name wrong_type Is not of the right type.']);
    expect(faultsOf({ name: null })).toEqual(['/name wrong_type Is not of the right type.']);
    // A field that is there without a value is of the wrong type: JSON has no such thing, so our own code made it.
    expect(faultsOf({ name: undefined })).toEqual(['/name wrong_type Is not of the right type.']);
  });

  it('say of a whole body that it is of the wrong type, not that it is missing', () => {
    expect(faultsOf(undefined)).toEqual([' wrong_type Is not of the right type.']);
    expect(faultsOf('text')).toEqual([' wrong_type Is not of the right type.']);
  });

  it('name the place in a list by its index', () => {
    expect(faultsOf({ name: 'a', list: [{ id: 1 }, { id: 'x' }, {}] })).toEqual([
      '/list/1/id wrong_type Is not of the right type.',
      '/list/2/id required Is required.',
    ]);
  });

  it('say which rule a value breaks', () => {
    expect(faultsOf({ name: 'abcd', size: 'm', list: [{ id: 1.5 }] })).toEqual([
      '/name too_long Is too long.',
      '/size not_allowed Is not one of the allowed values.',
      '/list/0/id wrong_type Is not an integer.',
    ]);
  });

  it('name each unknown field of each object, at its place', () => {
    expect(
      faultsOf({ name: 'a', other: 1, more: 2, list: [{ id: 1 }, { id: 2, 'x/y': 0 }] }).toSorted(),
    ).toEqual([
      '/list/1/x~1y unknown_field Is not a known field.',
      '/more unknown_field Is not a known field.',
      '/other unknown_field Is not a known field.',
    ]);
  });

  it('name twenty unknown fields of an object at most', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`k${n}`, n] as const));
    expect(faultsOf({ name: 'a', ...many })).toHaveLength(20);
  });

  it('pass on a sentence that a schema of ours sets, and none of the schema library', () => {
    const own = v.object({ a: v.pipe(v.string(), v.minLength(2, 'Needs two letters. Invalid otherwise.')) });
    const checked = check(own, { a: 'x' });
    expect(checked.ok ? [] : checked.faults).toEqual([
      { pointer: '/a', code: 'too_short', detail: 'Needs two letters. Invalid otherwise.' },
    ]);
  });
});

describe('a problem', () => {
  it.each([
    [() => problems.badRequest('why'), { status: 400, code: 'bad_request' }],
    [() => problems.notFound(), { status: 404, code: 'not_found' }],
    [() => problems.conflict('busy', 'why'), { status: 409, code: 'busy' }],
    [() => problems.invalid([]), { status: 422, code: 'invalid', errors: [] }],
    [() => problems.unavailable(), { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } }],
    [() => problems.internal(), { status: 500, code: 'internal_error' }],
  ])('%# has its status and its stable code', (make, { ...expected }) => {
    const problem = make();
    expect(problem).toEqual({ ...expected, detail: problem.detail });
    expect(problem.detail).not.toBe('');
  });

  it('that comes too early says after how many whole seconds it may come again', () => {
    const waits = [0, 0.2, 1, 1.2, 60].map((seconds) => problems.rateLimited('too_early', seconds));
    expect(waits.map(({ headers }) => headers?.['retry-after'])).toEqual(['1', '1', '1', '2', '60']);
    expect(waits[0]).toMatchObject({ status: 429, code: 'too_early' });
  });
});
