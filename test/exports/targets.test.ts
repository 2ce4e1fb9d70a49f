import { insertCollection } from '../../shared/collections/repository.ts';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { collectionAnswer, collectionsAnswer } from '../../shared/collections/schemas.ts';
import { findTargets, resolveTarget } from '../../shared/exports/model/targets.ts';
import { membersFrom } from '../../shared/membership/walk-members.ts';
import { Fixture, everyone, property } from '../segments/fixture.ts';
import { identified } from '../support/api-client.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { referencesHarness } from '../references/harness.ts';
import { path, ref } from './steps.ts';
import { bodyOf, exportsHarness, PROPERTY, segment } from './harness.ts';
import { exportedText, segmentId } from '../support/running.ts';

const createdBy = { id: 1, email: 'a@example.test', first_name: 'A', last_name: 'B' };

describe('whom an export is about', () => {
  it('is everybody in any of its segments, and of those that its collections hold when it is planned', async () => {
    const fixture = new Fixture();
    const people = [0, 1, 2, 3, 4].map((n) => [n, { tags: n < 2 ? ['a'] : n === 2 ? ['b'] : [] }] as const);
    await fixture.put(people, ['a', 'b']);
    const harness = referencesHarness(fixture.table);
    const [a, b] = [await fixture.tag('a'), await fixture.tag('b')];
    const { id: custom = 0 } = await harness.makeSegment({ not: { any: [a, b] } });
    const { id: collection = 0 } = await harness.makeCollection([a]);
    const named = { property, segment: [custom], collection: [collection], tile_types: null, consent: null };
    const membersOf = async () => {
      const found: number[] = [];
      const resolved = await resolveTarget(harness, named);
      if (!resolved.ok) throw new Error(resolved.error);
      const { target: expression } = resolved.value;
      for await (const ordinal of membersFrom(fixture.table, { property, expression })) found.push(ordinal);
      return found;
    };
    expect(await membersOf()).toEqual([0, 1, 3, 4]);
    await harness.editCollection(collection, [b, everyone]);
    expect(await membersOf()).toEqual([0, 1, 2, 3, 4]);
    const targets = await findTargets(harness, property, { ...named, segment: [custom, a, custom] });
    expect(targets).toMatchObject({
      value: {
        segment: [custom, a],
        collection: [collection],
        referents: [
          { kind: 'segment', id: custom },
          { kind: 'segment', id: a },
          { kind: 'collection', id: collection },
        ],
      },
    });
  });

  it('names each place of a target that is unknown', async () => {
    const harness = exportsHarness();
    harness.fakes.members.set(segment(2), [1]);
    const answer = await harness.create({ segment: [segment(9), segment(2)], collection: [segment(1)] });
    expect(answer).toMatchObject({
      error: { status: 422, errors: [{ pointer: '/segment/0' }, { pointer: '/collection/0' }] },
    });
    expect(harness.table.items()).toEqual([]);
  });

  it('fails in its job, with the reason, when it is more than one plan can read', async () => {
    const harness = exportsHarness();
    const many = Array.from({ length: 1_000 }, (_, index) => index);
    const collection: number[] = [];
    for (let n = 0; n < 11; n += 1) {
      const segments = many.map((index) => segment(n * 1_000 + index + 2));
      for (const id of segments) harness.fakes.members.set(id, []);
      const id = await harness.collections.newId(PROPERTY);
      const collected = { id, name: 'x', segments, created: 0, created_by: createdBy };
      await harness.table.write(insertCollection(PROPERTY, collected));
      collection.push(id);
    }
    bodyOf(await harness.create({ collection }));
    expect(await harness.plan(ref)).toMatchObject({ status: 'failed', shards: [] });
    expect(bodyOf(await harness.readJob(path))).toMatchObject({
      status: 'failed',
      error: { code: 'too_many_segments' },
    });
  });
});

describe('exports of the running service', () => {
  let service: Service;
  shared.beforeAll(({ service: own }) => {
    service = own;
  });

  const at = (rest: string): string => `/v1/${service.property}/${rest}`;
  const post = async (rest: string, body: unknown): Promise<number> =>
    (await service.client.post(at(rest), body, identified)).id;
  const created = v.looseObject({ id: v.string(), collection: v.array(v.number()) });

  /** E-mail addresses in the file of a new export. */
  const exported = async (targets: Record<string, readonly number[]>): Promise<readonly string[]> => {
    const { id, collection } = await service.client.post(
      at('exports'),
      { ...targets, field_set: 'email' },
      created,
    );
    expect(collection).toEqual(targets['collection'] ?? []);
    return (await exportedText(service, id)).trimEnd().split('\r\n').slice(1);
  };

  it('hold the members of custom segments and of collections, each once', async () => {
    for (let n = 0; n < 6; n += 1) {
      const tag = n < 3 ? ['x'] : ['y'];
      const tags = [{ datetime: '2026-01-02 03:04:05', tag }];
      await service.client.post(at('profiles'), { email: `e${n}@example.com`, tags }, v.unknown());
    }
    const [x, y] = [await segmentId(service, 'x'), await segmentId(service, 'y')];
    const custom = await post('segments', { name: 'Not X', definition: { not: x } });
    const collection = await post('collections', { name: 'Both', segments: [custom, y] });
    const emails = (...numbers: readonly number[]) => numbers.map((n) => `e${n}@example.com`);
    expect(await exported({ segment: [custom] })).toEqual(emails(3, 4, 5));
    expect(await exported({ collection: [collection] })).toEqual(emails(3, 4, 5));
    expect(await exported({ segment: [x], collection: [collection] })).toEqual(emails(0, 1, 2, 3, 4, 5));
  });

  it('name collections that are made, listed, replaced and deleted', async () => {
    const everyoneId = await segmentId(service);
    const id = await post('collections', { name: 'First', segments: [everyoneId] });
    const path = at(`collections/${id}`);
    const shown = await service.client.get(path, collectionAnswer);
    expect(shown).toMatchObject({ id, name: 'First', segments: [everyoneId] });
    const listed = await service.client.get(at('collections'), collectionsAnswer);
    expect(listed.collections).toContainEqual(shown);
    const put = await service.call('PUT', path, {
      body: JSON.stringify({ name: 'Second', segments: [everyoneId] }),
    });
    expect([put.status, JSON.parse(put.text)]).toEqual([200, { ...shown, name: 'Second' }]);
    expect((await service.call('GET', path, { as: 'other' })).status).toBe(404);
    expect((await service.call('DELETE', path)).status).toBe(200);
    expect((await service.call('GET', path)).status).toBe(404);
  });
});
