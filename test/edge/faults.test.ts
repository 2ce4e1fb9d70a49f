import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { problems } from '../../shared/http/problem.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { rule } from '../../shared/http/rule.ts';
import { isCleanText, MAX_FAULTS, textFaults } from '../../shared/http/text.ts';

describe('validation of the texts in a body', () => {
  const placesOf = (body: Record<string, unknown>, apart?: string): readonly string[] =>
    textFaults(body, apart).map(({ pointer, code }) => `${pointer} ${code}`);

  it('texts and field names are validated in every list and object', () => {
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

  it('only the list that is validated record by record leaves its texts to the use case', () => {
    expect(placesOf({ records: ['\u0000'], others: ['\u0000'] }, 'records')).toEqual([
      '/others/0 bad_characters',
    ]);
    expect(placesOf({ records: { records: ['\u0000'] } }, 'records')).toEqual([
      '/records/records/0 bad_characters',
    ]);
    expect(placesOf({ records: '\u0000' }, 'records')).toEqual(['/records bad_characters']);
  });

  it('validation of texts stops once it has found as many faults as an answer lists', () => {
    const many = Array.from({ length: 3 * MAX_FAULTS }, () => '\u0000');
    expect(textFaults({ many })).toHaveLength(MAX_FAULTS);
  });

  it('a text may hold tabs and line ends', () => {
    expect(isCleanText('a\tb\r\nc')).toBe(true);
  });
});

describe('faults of a schema', () => {
  const even = rule<number>('not_even', (n) => n % 2 === 0, 'Must be even.');
  const schema = v.object({
    n: v.pipe(v.number(), v.minValue(10), even),
    inner: v.array(v.strictObject({})),
  });

  it('each value has one fault, the first rule that it breaks', () => {
    expect(check(schema, { n: 1, inner: [] })).toMatchObject({
      ok: false,
      faults: [{ pointer: '/n', code: 'out_of_range' }],
    });
    expect(check(schema, { n: 11, inner: [] })).toEqual({
      ok: false,
      faults: [{ pointer: '/n', code: 'not_even', detail: 'Must be even.' }],
    });
  });

  it('an answer lists a bounded number of faults, however many objects have unknown fields', () => {
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

  it('a missing field and a field of the wrong type have different faults', () => {
    expect(faultsOf({})).toEqual(['/name required Is required.']);
    expect(faultsOf({ name: 1 })).toEqual(['/name wrong_type Is not of the right type.']);
    expect(faultsOf({ name: null })).toEqual(['/name wrong_type Is not of the right type.']);
    // A field that is present without a value has the wrong type. JSON cannot express such a field, so our own code
    // made it.
    expect(faultsOf({ name: undefined })).toEqual(['/name wrong_type Is not of the right type.']);
  });

  it('a body that is no object has the wrong type and is not reported as missing', () => {
    expect(faultsOf(undefined)).toEqual([' wrong_type Is not of the right type.']);
    expect(faultsOf('text')).toEqual([' wrong_type Is not of the right type.']);
  });

  it('a fault names its place in a list by the index', () => {
    expect(faultsOf({ name: 'a', list: [{ id: 1 }, { id: 'x' }, {}] })).toEqual([
      '/list/1/id wrong_type Is not of the right type.',
      '/list/2/id required Is required.',
    ]);
  });

  it('a fault states the rule that a value breaks', () => {
    expect(faultsOf({ name: 'abcd', size: 'm', list: [{ id: 1.5 }] })).toEqual([
      '/name too_long Is too long.',
      '/size not_allowed Is not one of the allowed values.',
      '/list/0/id wrong_type Is not an integer.',
    ]);
  });

  it('each unknown field of each object is named at its place', () => {
    expect(
      faultsOf({ name: 'a', other: 1, more: 2, list: [{ id: 1 }, { id: 2, 'x/y': 0 }] }).toSorted(),
    ).toEqual([
      '/list/1/x~1y unknown_field Is not a known field.',
      '/more unknown_field Is not a known field.',
      '/other unknown_field Is not a known field.',
    ]);
  });

  it('at most twenty unknown fields of an object are named', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`k${n}`, n] as const));
    expect(faultsOf({ name: 'a', ...many })).toHaveLength(20);
  });

  it('a sentence of our own schema reaches the client, and a sentence of the schema library does not', () => {
    const own = v.object({ a: v.pipe(v.string(), v.minLength(2, 'Needs two letters. Invalid otherwise.')) });
    const checked = check(own, { a: 'x' });
    expect(checked.ok ? [] : checked.faults).toEqual([
      { pointer: '/a', code: 'too_short', detail: 'Needs two letters. Invalid otherwise.' },
    ]);
  });
});

describe('an API problem', () => {
  it.each([
    [() => problems.badRequest('why'), { status: 400, code: 'bad_request' }],
    [() => problems.notFound(), { status: 404, code: 'not_found' }],
    [() => problems.conflict('busy', 'why'), { status: 409, code: 'busy' }],
    [() => problems.invalid([]), { status: 422, code: 'invalid', errors: [] }],
    [() => problems.unavailable(), { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } }],
    [() => problems.internal(), { status: 500, code: 'internal_error' }],
  ])('problem %# has its status and its stable code', (make, { ...expected }) => {
    const problem = make();
    expect(problem).toEqual({ ...expected, detail: problem.detail });
    expect(problem.detail).not.toBe('');
  });

  it('a problem for an early request gives the wait in whole seconds', () => {
    const waits = [0, 0.2, 1, 1.2, 60].map((seconds) => problems.rateLimited('too_early', seconds));
    expect(waits.map(({ headers }) => headers?.['retry-after'])).toEqual(['1', '1', '1', '2', '60']);
    expect(waits[0]).toMatchObject({ status: 429, code: 'too_early' });
  });
});
