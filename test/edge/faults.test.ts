import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { segmentRef } from '../../shared/catalogue/segment-refs.ts';
import { problems, type ProblemError } from '../../shared/http/problem.ts';
import { described } from '../../shared/http/described.ts';
import { plural } from '../../shared/http/schema-places.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { rule } from '../../shared/http/rule.ts';
import { idSchema, isCleanText, MAX_FAULTS, textFaults } from '../../shared/http/text.ts';

const sentencesOf = (schema: v.GenericSchema, value: unknown): readonly string[] => {
  const checked = check(schema, value);
  return checked.ok ? [] : checked.faults.map(({ pointer, code, detail }) => `${pointer} ${code} ${detail}`);
};

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
  const even = rule<number>('not_allowed', (n) => n % 2 === 0, 'Must be even.');
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
      faults: [{ pointer: '/n', code: 'not_allowed', detail: 'Must be even.' }],
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
  const faultsOf = (value: unknown): readonly string[] => sentencesOf(person, value);

  it('a missing field and a field of the wrong type have different faults', () => {
    expect(faultsOf({})).toEqual(['/name required Is required.']);
    expect(faultsOf({ name: 1 })).toEqual(['/name wrong_type Must be text.']);
    expect(faultsOf({ name: null })).toEqual(['/name wrong_type Must be text.']);
    // A field that is present without a value has the wrong type. JSON cannot express such a field, so our own code
    // made it.
    expect(faultsOf({ name: undefined })).toEqual(['/name wrong_type Must be text.']);
  });

  it('a body that is no object has the wrong type and is not reported as missing', () => {
    expect(faultsOf(undefined)).toEqual([' wrong_type Must be an object, for example {"name": "text"}.']);
    expect(faultsOf('text')).toEqual([' wrong_type Must be an object, for example {"name": "text"}.']);
  });

  it('a fault names its place in a list by the index', () => {
    expect(faultsOf({ name: 'a', list: [{ id: 1 }, { id: 'x' }, {}] })).toEqual([
      '/list/1/id wrong_type Must be a whole number.',
      '/list/2/id required Is required.',
    ]);
  });

  it('a fault states the rule that a value breaks', () => {
    expect(faultsOf({ name: 'abcd', size: 'm', list: [{ id: 1.5 }] })).toEqual([
      '/name too_long Must have at most 3 characters.',
      '/size not_allowed Must be s or l.',
      '/list/0/id wrong_type Must be a whole number.',
    ]);
  });

  it('each unknown field of each object is named at its place, with what is known there', () => {
    expect(
      faultsOf({ name: 'a', nmae: 1, more: 2, list: [{ id: 1 }, { id: 2, 'x/y': 0 }] }).toSorted(),
    ).toEqual([
      '/list/1/x~1y unknown_field Is not known here; known: id.',
      '/more unknown_field Is not known here; known: name, size, list.',
      '/nmae unknown_field Is not known here. Did you mean name?',
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

describe('what a schema expects', () => {
  const whole = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(9));

  it.each([
    ['a choice lists its options', v.picklist(['comma', 'tab', 'pipe']), 'x', 'Must be comma, tab or pipe.'],
    [
      'a choice knows what was meant',
      v.picklist(['comma', 'tab']),
      'coma',
      'Must be comma or tab. Did you mean comma?',
    ],
    ['an empty option is not told', v.picklist(['', 'a', 'b']), 'x', 'Must be a or b.'],
    ['an option may hold bars and spaces', v.picklist(['a|b', 'c (d)']), 'x', 'Must be a|b or c (d).'],
    ['a field that may be null says so', v.nullable(v.picklist(['a', 'b'])), 'x', 'Must be a, b or null.'],
    ['a literal is its only option', v.literal(2), 1, 'Must be 2.'],
    ['a list', v.optional(v.array(v.string())), 'x', 'Must be a list, for example ["text"].'],
    [
      'a list whose elements are checked later',
      v.pipe(v.array(v.unknown()), v.maxLength(3), v.array(v.picklist(['', 'tag', 'city']))),
      'x',
      'Must be a list, for example ["tag"].',
    ],
    [
      'a list of ids',
      v.array(v.pipe(idSchema, plural('ids'))),
      7,
      'Must be a list of ids, for example [1001000000088].',
    ],
    [
      'a list of ids with a sentence for the document',
      described('The ids.', v.array(described('An id.', v.pipe(idSchema, plural('ids'))))),
      7,
      'Must be a list of ids, for example [1001000000088].',
    ],
    [
      'a text with a sentence for the document keeps its bounds',
      described('A name.', v.optional(described('A name.', v.pipe(v.string(), v.maxLength(3))))),
      'long',
      'Must have at most 3 characters.',
    ],
    [
      'a form that only a rule knows, beside a sentence for the document',
      v.strictObject({ at: described('When.', v.pipe(v.string(), v.isoTimestamp())) }),
      'x',
      'Must be an object.',
    ],
    [
      'a list of segments',
      v.array(segmentRef),
      7,
      'Must be a list of segment ids, for example [1001000000088].',
    ],
    [
      'an object by its required fields',
      v.strictObject({
        type: v.literal('tag'),
        name: v.pipe(v.string(), v.minLength(1)),
        more: v.optional(whole),
      }),
      'x',
      'Must be an object, for example {"type": "tag", "name": "text"}.',
    ],
    [
      'an object with a form that only a rule knows',
      v.nullable(v.strictObject({ at: v.pipe(v.string(), v.isoTimestamp()) })),
      'x',
      'Must be an object or null.',
    ],
    [
      'a list of lists of switches',
      v.array(v.array(v.boolean())),
      {},
      'Must be a list, for example [[true]].',
    ],
    [
      'an object whose example would be long',
      v.strictObject({ one: v.literal('y'.repeat(100)) }),
      'x',
      'Must be an object.',
    ],
    ['a switch', v.boolean(), 'true', 'Must be true or false.'],
    ['a whole number with its range', whole, 'x', 'Must be a whole number, 1 to 9.'],
    ['a fraction where a whole number belongs', whole, 1.5, 'Must be a whole number, 1 to 9.'],
    ['a number below its range', whole, 0, 'Must be 1 to 9.'],
    ['a number above its range', whole, 10, 'Must be 1 to 9.'],
    ['a number with one bound', v.pipe(v.number(), v.minValue(1)), 0, 'Must be at least 1.'],
    [
      'a number beyond exact numbers',
      v.pipe(v.number(), v.safeInteger()),
      1e300,
      'Must be a whole number, at most 9007199254740991.',
    ],
    ['an empty text', v.pipe(v.string(), v.minLength(1), v.maxLength(5)), '', 'Must not be empty.'],
    [
      'a text with both bounds',
      v.pipe(v.string(), v.minLength(2), v.maxLength(5)),
      'a',
      'Must have 2 to 5 characters.',
    ],
    [
      'a list with one bound',
      v.pipe(v.array(v.number()), v.maxLength(1)),
      [1, 2],
      'Must have at most 1 entry.',
    ],
    ['a text with bytes', v.pipe(v.string(), v.maxBytes(2)), 'abc', 'Must have at most 2 bytes of UTF-8.'],
    [
      'one of several types',
      v.union([v.string(), v.number(), v.null()]),
      [],
      'Must be text, a number or null.',
    ],
    [
      'one of several objects',
      v.union([v.strictObject({ all: v.number() }), v.strictObject({ any: v.number() })]),
      { all: 'x' },
      'Must be an object with all or any.',
    ],
    ['a value of a record', v.record(v.string(), whole), { a: 'x' }, 'Must be a whole number, 1 to 9.'],
    ['a deferred schema', v.lazy(() => whole), 'x', 'Must be a whole number, 1 to 9.'],
    [
      'a variant, by the field that tells its shapes apart',
      v.variant('kind', [v.strictObject({ kind: v.literal('a') }), v.strictObject({ kind: v.literal('b') })]),
      { kind: 'c' },
      'Must be a or b.',
    ],
  ])('%s', (_name, schema, value, sentence) => {
    const checked = check(v.strictObject({ field: schema }), { field: value });
    expect(checked.ok ? [] : checked.faults.map(({ detail }) => detail)).toEqual([sentence]);
  });

  it('a choice of very many options is told by a few', () => {
    const zones = Array.from({ length: 400 }, (_, index) => `Area/City${index}`);
    expect(sentencesOf(v.picklist(zones), 'Area/Cty7')).toEqual([
      ' not_allowed Must be one of 400 names, such as Area/City0, Area/City1 or Area/City2. Did you mean Area/City7?',
    ]);
  });

  it('no sentence holds the refused value', () => {
    const secret = 'ada@example.org';
    const schema = v.strictObject({
      a: v.picklist(['x']),
      b: v.number(),
      c: v.pipe(v.string(), v.maxLength(1)),
      d: v.union([v.number(), v.null()]),
      e: v.pipe(v.string(), v.regex(/^x$/)),
    });
    expect(
      sentencesOf(schema, { a: secret, b: secret, c: secret, d: secret, e: secret }).join('\n'),
    ).not.toContain(secret);
  });
});

describe('an API problem', () => {
  it.each([
    [() => problems.badRequest('why'), { status: 400, code: 'bad_request' }],
    [() => problems.conflict('in_use', 'why'), { status: 409, code: 'in_use' }],
    [() => problems.invalid([]), { status: 422, code: 'invalid', errors: [] }],
    [() => problems.unavailable(), { status: 503, code: 'unavailable', headers: { 'retry-after': '1' } }],
    [() => problems.internal(), { status: 500, code: 'internal_error' }],
  ])('problem %# has its status and its stable code', (make, { ...expected }) => {
    const problem = make();
    expect(problem).toEqual({ ...expected, detail: problem.detail });
    expect(problem.detail).not.toBe('');
  });

  it('the types refuse a code that the registry does not have, or has with another status', () => {
    // @ts-expect-error The registry has no such code.
    const unknown = problems.conflict('no_such_code', 'why');
    // @ts-expect-error This code has the status 429.
    const early = problems.conflict('moment_too_early', 'why');
    // @ts-expect-error The registry has no such fault.
    const fault: ProblemError = { pointer: '', code: 'no_such_fault', detail: 'why' };
    expect([unknown.status, early.status, fault.detail]).toEqual([409, 409, 'why']);
  });

  it('a problem for an early request gives the wait in whole seconds', () => {
    const waits = [0, 0.2, 1, 1.2, 60].map((seconds) => problems.rateLimited('moment_too_early', seconds));
    expect(waits.map(({ headers }) => headers?.['retry-after'])).toEqual(['1', '1', '1', '2', '60']);
    expect(waits[0]).toMatchObject({ status: 429, code: 'moment_too_early' });
  });
});
