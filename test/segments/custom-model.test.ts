import fc from 'fast-check';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { previewSegment } from '../../shared/segments/preview-segment.ts';
import { previewAnswer } from '../../shared/segments/people-schemas.ts';
import { ORDINALS_PER_CHUNK, ORDINALS_PER_GROUP } from '../../shared/table/keys.ts';
import { request, referencesHarness } from '../references/harness.ts';
import { Model, type Definition } from './custom-model.ts';
import { everyone, Fixture, property, scopeOf } from './fixture.ts';
import { reading } from './reading.ts';

const tags = ['a', 'b', 'c'];

/** Scattered people: neighbours, and people in other chunks and groups. */
const people = [
  0,
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  40,
  4_000,
  ORDINALS_PER_CHUNK,
  3 * ORDINALS_PER_CHUNK + 7,
  2 * ORDINALS_PER_GROUP + 5,
];
const somePeople = fc.subarray(people);

/** A definition whose ids are places in a list, so that the test can generate it before the ids are known. */
const { shape } = fc.letrec<{ shape: Definition }>((tie) => ({
  shape: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.nat({ max: 30 }),
    fc.array(tie('shape'), { minLength: 1, maxLength: 3 }).map((all) => ({ all })),
    fc.array(tie('shape'), { minLength: 1, maxLength: 3 }).map((any) => ({ any })),
    tie('shape').map((not) => ({ not })),
  ),
}));
const step = fc.record({ act: fc.constantFrom('make', 'make', 'edit', 'delete'), at: fc.nat(), shape });
const population = fc.record({
  tagged: fc.tuple(somePeople, somePeople, somePeople),
  moment: somePeople,
  steps: fc.array(step, { minLength: 1, maxLength: 12 }),
});
type Population = typeof population extends fc.Arbitrary<infer T> ? T : never;

const filled = (from: Definition, ids: readonly number[]): Definition => {
  const part = (inner: Definition): Definition => filled(inner, ids);
  if (typeof from === 'number') return ids[from % ids.length] ?? 0;
  if ('all' in from) return { all: from.all.map(part) };
  return 'any' in from ? { any: from.any.map(part) } : { not: part(from.not) };
};

/** Fills the service and the model with the same people, tags and a moment. */
const populate = async ({ tagged, moment }: Population) => {
  const fixture = new Fixture();
  const sketch = (ordinal: number) => ({ tags: tags.filter((_, at) => tagged[at]?.includes(ordinal)) });
  await fixture.put(
    people.map((ordinal) => [ordinal, sketch(ordinal)] as const),
    tags,
  );
  const model = new Model(people);
  model.given.set(everyone, new Set(people));
  for (const [at, name] of tags.entries()) model.given.set(await fixture.tag(name), new Set(tagged[at]));
  model.given.set(await fixture.moment('then', moment), new Set(moment));
  return { fixture, model };
};

type Harness = Awaited<ReturnType<typeof populate>>;

/** Creates, edits and deletes in both; the service and the model refuse the same steps. */
const carryOut = async ({ fixture, model }: Harness, { steps }: Population): Promise<void> => {
  const harness = referencesHarness(fixture.table);
  let names = 0;
  for (const { act, at, shape: wanted } of steps) {
    const definition = filled(wanted, model.readable());
    const chosen = [...model.customs.keys()][at % Math.max(model.customs.size, 1)];
    const custom = model.customs.get(chosen ?? 0);
    names += 1;
    const name = `c${names}`;
    if (act === 'make' || chosen === undefined || !custom) {
      const { id, status } = await harness.makeSegment(definition, name);
      expect(status).toBe(model.isTooLarge(definition) ? 422 : 201);
      if (id !== undefined) model.customs.set(id, { name, definition, life: 'current' });
    } else if (act === 'edit') {
      const { id, status, code } = await harness.editSegment(chosen, definition, name);
      const expected = { current: undefined, replaced: 'state_conflict', deleted: 'not_found' }[custom.life];
      if (expected !== undefined || !model.isTooLarge(definition)) expect(code).toBe(expected);
      else expect(status).toBe(422);
      if (status === 200) custom.life = 'replaced';
      if (id !== undefined) model.customs.set(id, { name, definition, life: 'current' });
    } else {
      const { status, code } = await harness.deleteSegment(chosen);
      const refused = model.isInUse(chosen) ? 'in_use' : undefined;
      expect(code).toBe({ current: refused, replaced: 'state_conflict', deleted: 'not_found' }[custom.life]);
      if (status === 200) custom.life = 'deleted';
    }
  }
};

const expectAlike = async ({ fixture, model }: Harness): Promise<void> => {
  const read = reading(fixture.deps, await scopeOf(property));
  const ids = model.readable();
  for (const [index, id] of ids.entries()) {
    const expected = model.members(id);
    const shown = await read.segment(id);
    expect(shown?.count).toBe(expected.length);
    expect(shown?.definition).toEqual(model.customs.get(id)?.definition);
    expect(await read.walk(id, { limit: 3, direction: 'next_page' })).toEqual(expected);
    const other = ids[(index * 7 + 3) % ids.length] ?? everyone;
    const without = await read.walk(id, { limit: 3, not: other, direction: 'next_page' });
    expect(without).toEqual(model.members({ all: [id, { not: other }] }));
  }
  for (const [id, { life }] of model.customs)
    if (life === 'deleted') expect(await read.segment(id)).toBeUndefined();
};

const expectTreesAlike = async ({ fixture, model }: Harness): Promise<void> => {
  const read = reading(fixture.deps, await scopeOf(property));
  for (const ordinal of people) {
    const tree = await read.tree(ordinal);
    const names = model.treeOf(ordinal);
    const node = { count: names.length, segments: names, subcategories: {} };
    expect(tree).toBeDefined();
    expect(tree?.['Custom']).toEqual(names.length === 0 ? undefined : node);
  }
};

const expectPreviewAlike = async ({ fixture, model }: Harness, definition: Definition): Promise<void> => {
  const answer = await previewSegment({ ...fixture.deps, scopeOf }, request({ definition }));
  expect(answer.ok).toBe(!model.isTooLarge(definition));
  if (!answer.ok) return;
  const { count, sample } = v.parse(previewAnswer, answer.value.body);
  const shown = sample.map(({ profile_uuid }) => profile_uuid);
  expect(answer.value.audited?.profile_uuids).toEqual(shown);
  const { length } = model.members(definition);
  expect([count, sample.length]).toEqual([length, Math.min(length, 10)]);
};

it('custom segments agree with the model in pages, counts, `not`, trees and previews', async () => {
  await fc.assert(
    fc.asyncProperty(population, shape, async (drawn, wanted) => {
      const harness = await populate(drawn);
      await carryOut(harness, drawn);
      await expectAlike(harness);
      await expectTreesAlike(harness);
      await expectPreviewAlike(harness, filled(wanted, harness.model.readable()));
    }),
    { numRuns: 60 },
  );
}, 120_000);
