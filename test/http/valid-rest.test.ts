import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { check, validRest } from '../../shared/http/schema-faults.ts';

const place = v.object({ from: v.optional(v.number()), to: v.optional(v.number()) });
const schema = v.strictObject({ name: v.optional(v.string()), place: v.optional(place) });

const restOf = (value: unknown) => {
  const checked = check(schema, value);
  return validRest(schema, value, checked.ok ? [] : checked.faults);
};

describe('the valid rest of an object', () => {
  it('is the object itself, read by its schema, when nothing is at fault', () => {
    const value = { name: 'a', place: { from: 1 } };
    expect(restOf(value)).toEqual({ rest: value, faulty: new Set() });
  });

  it('lacks a member at fault and keeps the others', () => {
    expect(restOf({ name: 1, place: { from: 1 } })).toEqual({
      rest: { place: { from: 1 } },
      faulty: new Set(['name']),
    });
  });

  it('lacks the whole member when a part of it is at fault', () => {
    expect(restOf({ name: 'a', place: { from: 'x', to: 2 } })).toEqual({
      rest: { name: 'a' },
      faulty: new Set(['place']),
    });
  });

  it('lacks members that the schema does not know', () => {
    expect(restOf({ name: 'a', colour: 'red' })).toEqual({
      rest: { name: 'a' },
      faulty: new Set(['colour']),
    });
  });

  it('does not exist when the value is no object', () => {
    expect(restOf('text')).toEqual({ rest: undefined, faulty: new Set() });
    expect(restOf(['name']).rest).toBeUndefined();
  });

  it('does not exist when the schema needs a member that is at fault', () => {
    const needy = v.strictObject({ name: v.string(), age: v.optional(v.number()) });
    const faults = [{ pointer: '/name', code: 'required' as const, detail: 'Is required.' }];
    expect(validRest(needy, { name: 1, age: 2 }, faults)).toEqual({
      rest: undefined,
      faulty: new Set(['name']),
    });
  });
});
