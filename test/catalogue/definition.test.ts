import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { check } from '../../shared/http/schema-faults.ts';
import { resolveDefinition } from '../../shared/segments/resolve-definition.ts';
import {
  definitionSchema,
  expressionSchema,
  sizeOf,
  type SentDefinition,
} from '../../shared/catalogue/definition.ts';
import { segmentBody } from '../../shared/segments/schemas.ts';
import type { Segment, SegmentExpression } from '../../shared/catalogue/types.ts';
import { MemoryTable } from '../support/memory-table.ts';

const nested = (levels: number): unknown => (levels === 0 ? 1 : { not: nested(levels - 1) });
const wide = (nodes: number): unknown => ({ any: Array.from({ length: nodes - 1 }, () => 1) });
const shape = 'Must be a segment id, or an object with named, all, any or not.';

describe('a definition', () => {
  it.each<[string, unknown]>([
    ['an id', 7],
    ['one of each kind', { all: [1, { any: [2, 3] }, { not: 4 }] }],
    ['the deepest', nested(16)],
    ['the largest', wide(50)],
  ])('may be %s', (_, definition) => {
    expect(v.parse(definitionSchema, definition)).toEqual(definition);
  });

  it.each<[string, unknown, Record<string, string>]>([
    ['text', 'x', { '/definition': 'not_allowed' }],
    ['nothing', null, { '/definition': 'not_allowed' }],
    ['a list', [1], { '/definition': 'not_allowed' }],
    ['an empty object', {}, { '/definition': 'not_allowed' }],
    ['another word', { none: [1] }, { '/definition': 'not_allowed' }],
    ['two words', { all: [1], any: [2] }, { '/definition/any': 'unknown_field' }],
    ['no id', 0, { '/definition': 'out_of_range' }],
    ['half an id', 1.5, { '/definition': 'wrong_type' }],
    ['an empty combination', { any: [] }, { '/definition/any': 'too_short' }],
    ['no list', { all: 1 }, { '/definition/all': 'wrong_type' }],
    [
      'faults inside',
      { all: [1, { any: [2, 'x'] }, { not: {} }] },
      { '/definition/all/1/any/1': 'not_allowed', '/definition/all/2/not': 'not_allowed' },
    ],
    ['too deep', nested(17), { '/definition': 'too_deep' }],
    ['too large', wide(51), { '/definition': 'too_many_nodes' }],
    [
      'huge',
      { any: [{ all: Array.from({ length: 200_000 }, () => 1) }] },
      { '/definition': 'too_many_nodes' },
    ],
  ])('may not be %s', (_, definition, faults) => {
    const checked = check(segmentBody, { name: 'x', definition });
    if (checked.ok) throw new Error('accepted');
    expect(Object.fromEntries(checked.faults.map(({ pointer, code }) => [pointer, code]))).toEqual(faults);
    expect(JSON.stringify(checked.faults)).not.toContain('"x"');
  });

  it('is described by an error that lists the valid forms', () => {
    const checked = check(segmentBody, { name: 'x', definition: 'x' });
    expect(checked).toMatchObject({ ok: false, faults: [{ detail: shape }] });
  });

  it('needs a name of 1 to 255 characters', () => {
    const faultsOf = (body: unknown) => {
      const checked = check(segmentBody, body);
      return checked.ok ? [] : checked.faults.map(({ pointer, code }) => `${pointer} ${code}`);
    };
    expect(faultsOf({ name: 'é'.repeat(255), definition: 1 })).toEqual([]);
    expect(faultsOf({ name: 'é'.repeat(256), definition: 1 })).toEqual(['/name too_long']);
    expect(faultsOf({ name: ' \t', definition: 1 })).toEqual(['/name blank']);
    expect(faultsOf({ name: '', definition: 1 })).toEqual(['/name blank']);
    expect(faultsOf({ definition: 1 })).toEqual(['/name required']);
  });

  it('has a size in nodes and levels', () => {
    expect(sizeOf(1)).toEqual({ nodes: 1, levels: 0 });
    expect(sizeOf({ all: [1, { any: [2, 3] }, { not: 4 }] })).toEqual({ nodes: 7, levels: 2 });
    expect(sizeOf(wide(30), 20).nodes).toBe(21);
  });
});

describe('an expanded definition', () => {
  const property = 7;
  const id = (n: number): number => property * 1e9 + n;
  const custom = (n: number, members: SegmentExpression, moments: readonly number[] = []): Segment => ({
    ...{ id: id(n), type: 'custom', path: ['Custom'], name: `c${n}` },
    custom: {
      ...{ definition: members, members, moments, created: 0, replaced_by: null },
      created_by: { id: 1, email: 'a@example.test', first_name: 'A', last_name: 'B' },
    },
  });
  const tag = (n: number): Segment => ({ id: id(n), type: 'tag', path: ['Tags'], name: `t${n}` });
  const resolve = (definition: SentDefinition, segments: readonly Segment[]) => {
    const known = new Map(segments.map((segment) => [segment.id, segment]));
    const getMany = (_: number, ids: readonly number[]) =>
      Promise.resolve(new Map([...known].filter(([one]) => ids.includes(one))));
    const find = (_: number, name: string) =>
      Promise.resolve({ items: segments.filter((one) => one.name === name) });
    const catalogue = { find, getMany };
    return resolveDefinition({ table: new MemoryTable(), catalogue }, property, definition);
  };

  it('contains the definitions of custom segments in the place of their ids, and all of their moments', async () => {
    const moment: Segment = { id: id(5), type: 'moment', path: [], name: 'm' };
    const inner = custom(2, { any: [id(1), { not: id(9) }] }, [id(9)]);
    const resolved = await resolve({ all: [id(1), id(2), id(5)] }, [tag(1), inner, moment]);
    expect(resolved).toEqual({
      ok: true,
      value: {
        definition: { all: [id(1), id(2), id(5)] },
        members: { all: [id(1), { any: [id(1), { not: id(9) }] }, id(5)] },
        moments: [id(9), id(5)],
        referents: [
          { kind: 'segment', id: id(1) },
          { kind: 'segment', id: id(2) },
        ],
      },
    });
  });

  it('has the ids of the segments that it names, and every place of an unknown name reported', async () => {
    const named = (name: string): SentDefinition => ({ named: { type: 'tag', name } });
    const sent = { all: [named('t1'), { not: { any: [id(3), named('t1')] } }] };
    const stored = { all: [id(1), { not: { any: [id(3), id(1)] } }] };
    expect(await resolve(sent, [tag(1), tag(3)])).toMatchObject({ ok: true, value: { definition: stored } });
    expect(await resolve({ any: [id(1), { not: named('t9') }] }, [tag(1)])).toMatchObject({
      ok: false,
      error: [{ pointer: '/definition/any/1/not/named', code: 'unknown_reference' }],
    });
  });

  it('has every place of an unknown id reported', async () => {
    const definition = { all: [id(1), { any: [id(3), { not: id(4) }] }, id(3)] };
    const resolved = await resolve(definition, [tag(1)]);
    if (resolved.ok) throw new Error('accepted');
    expect(resolved.error.map(({ pointer, code }) => `${pointer} ${code}`)).toEqual([
      '/definition/all/1/any/0 unknown_reference',
      '/definition/all/1/any/1/not unknown_reference',
      '/definition/all/2 unknown_reference',
    ]);
    expect(await resolve(id(4), [])).toMatchObject({ error: [{ pointer: '/definition' }] });
  });

  it('is refused when it is too large or too deep', async () => {
    const hundred = custom(2, { any: Array.from({ length: 99 }, () => id(1)) });
    const of = (count: number): SegmentExpression => ({ any: Array.from({ length: count }, () => id(2)) });
    expect((await resolve(of(9), [hundred])).ok).toBe(true);
    const large = await resolve(of(10), [hundred]);
    expect(large).toMatchObject({ error: [{ pointer: '/definition', code: 'too_many_nodes' }] });
    const not = (levels: number): SegmentExpression =>
      Array.from({ length: levels }).reduce<SegmentExpression>((inner) => ({ not: inner }), id(2));
    const deep = custom(2, v.parse(expressionSchema, nested(16)));
    expect((await resolve(not(16), [deep])).ok).toBe(true);
    const deeper = await resolve({ any: [not(16)] }, [deep]);
    expect(deeper).toMatchObject({ error: [{ pointer: '/definition', code: 'too_deep' }] });
  });
});
