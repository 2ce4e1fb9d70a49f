import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { fromAttributeValues, toAttributeValues } from '../../shared/table/attribute-values.ts';
import type { Attribute } from '../../shared/table/table.ts';

const isStorable = (number: number): boolean =>
  !Object.is(number, -0) && (!Number.isInteger(number) || Number.isSafeInteger(number));

const { value } = fc.letrec<{ value: Attribute }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'binary' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter(isStorable),
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array(),
    fc.array(tie('value')),
    fc.dictionary(fc.string(), tie('value')),
  ),
}));

const wireItem = v.custom<Record<string, AttributeValue>>((found) => typeof found === 'object');
const overTheWire = (item: Record<string, AttributeValue>) =>
  v.parse(wireItem, JSON.parse(JSON.stringify(item)));

describe('attribute values', () => {
  it('every value comes back over the wire as it went, whatever its attributes are called', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'B', 'S', 'M')), value),
        (attributes) => {
          expect(fromAttributeValues(overTheWire(toAttributeValues(attributes)))).toEqual(attributes);
        },
      ),
    );
  });

  it('a name like __proto__ is an attribute', () => {
    const attributes = Object.fromEntries([['__proto__', 'plain']]);
    const back = fromAttributeValues(toAttributeValues(attributes));
    expect(Object.entries(back)).toEqual([['__proto__', 'plain']]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('%s cannot be stored', (number) => {
    expect(() => toAttributeValues({ number })).toThrow('cannot be stored');
  });

  it('an integer that a number cannot hold, or a set, is refused rather than misread', () => {
    expect(() => fromAttributeValues({ n: { N: '9007199254740993' } })).toThrow('too large');
    expect(() => fromAttributeValues({ names: { SS: ['a'] } })).toThrow('type SS');
  });
});
