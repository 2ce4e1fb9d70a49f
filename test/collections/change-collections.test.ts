import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { createCollection, replaceCollection } from '../../shared/collections/change-collections.ts';
import { collectionReferrers } from '../../shared/collections/collection-referrers.ts';
import { getCollection } from '../../shared/collections/read-collections.ts';
import { collectionAnswer, collectionBody } from '../../shared/collections/schemas.ts';
import { limits } from '../../shared/config/limits.ts';
import { check } from '../../shared/http/schema-faults.ts';
import { deleteWrite } from '../../shared/references/lifecycle.ts';
import { keys } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { property, referencesHarness, request, type ReferencesHarness } from '../references/harness.ts';
import { MemoryTable } from '../support/memory-table.ts';

const everyone = everyoneId(property);
const harnessOn = (table = new MemoryTable()) => referencesHarness(table);
const path = (id: number) => ({ collection_id: String(id) });
const inUse = { status: 409, code: 'in_use' };

const read = async (harness: ReferencesHarness, id: number) => {
  const response = await getCollection(harness, request(undefined, path(id)));
  return v.parse(collectionAnswer, response.ok ? response.value.body : undefined);
};
const pointersOf = (response: Awaited<ReturnType<typeof createCollection>>) =>
  response.ok ? [] : response.error.errors?.map(({ pointer, code }) => `${pointer} ${code}`);

describe('POST collections', () => {
  it('returns the collection with its creator and time, as a later GET does', async () => {
    const harness = harnessOn();
    const asked = request({ name: ' spring ', segments: [everyone] });
    const response = await createCollection(harness, asked);
    const body = v.parse(collectionAnswer, response.ok ? response.value.body : undefined);
    expect(body).toMatchObject({
      name: ' spring ',
      created: new Date(asked.now).toISOString(),
      created_by: asked.user,
    });
    expect(await read(harness, body.id)).toEqual(body);
  });

  it('creates one collection when a client repeats it under one Idempotency-Key', async () => {
    const harness = harnessOn();
    const asked = { ...request({ name: 'x', segments: [everyone] }), keyed: true };
    const first = await createCollection(harness, asked);
    const second = await createCollection(harness, { ...asked, body: { ...asked.body, name: 'later' } });
    expect(second).toEqual(first);
    const { items } = await harness.collections.list(property, { limit: 10 });
    expect(items.map(({ name }) => name)).toEqual(['x']);
  });

  it('creates two collections when two requests have no Idempotency-Key', async () => {
    const harness = harnessOn();
    const ids = [await harness.makeCollection([everyone]), await harness.makeCollection([everyone])];
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2);
  });

  it('points at every unknown segment, also at a segment of another property, and stores nothing', async () => {
    const harness = harnessOn();
    const segments = [everyone, everyone + 5, everyoneId(8), everyone, everyone + 5];
    const response = await createCollection(harness, request({ name: 'x', segments }));
    expect(response).toMatchObject({ ok: false, error: { status: 422 } });
    expect(pointersOf(response)).toEqual([1, 2, 4].map((index) => `/segments/${index} unknown_reference`));
    expect(response.ok ? [] : response.error.errors?.map(({ detail }) => detail).slice(0, 2)).toEqual([
      `There is no segment ${everyone + 5} in this property, or it belongs to somebody else.`,
      `There is no segment ${everyoneId(8)} in this property, or it belongs to somebody else.`,
    ]);
    expect((await harness.collections.list(property, { limit: 10 })).items).toEqual([]);
  });

  it('answers 422 when a segment is deleted after it was looked up', async () => {
    const table = new MemoryTable();
    const harness = harnessOn(table);
    const { id = 0 } = await harness.makeSegment(everyone);
    const catalogue = {
      ...harness.catalogue,
      visible: async (of: number, ids: readonly number[]) => {
        const known = await harness.catalogue.visible(of, ids);
        const key = keys.segment(property, id);
        await table.write(deleteWrite(key, (await table.get(key))?.w ?? ''));
        return known;
      },
    };
    const body = { name: 'x', segments: [everyone, id] };
    const response = await createCollection({ ...harness, catalogue }, request(body));
    expect(pointersOf(response)).toEqual(['/segments/1 unknown_reference']);
  });

  it('accepts names up to the limit, but no blank name', () => {
    const faultsOf = (name: string) => {
      const checked = check(collectionBody, { name, segments: [everyone] });
      return checked.ok ? [] : checked.faults.map(({ pointer, code }) => `${pointer} ${code}`);
    };
    expect(faultsOf('x'.repeat(limits.segments.nameLength))).toEqual([]);
    expect(faultsOf('x'.repeat(limits.segments.nameLength + 1))).toEqual(['/name too_long']);
    expect(faultsOf(' \t')).toEqual(['/name blank']);
  });
});

describe('PUT collections/{collection_id}', () => {
  it('keeps id, creator and time', async () => {
    const harness = harnessOn();
    const { id = 0 } = await harness.makeCollection([everyone]);
    const before = await read(harness, id);
    const later = { ...request({ name: 'edited', segments: [everyone] }, path(id)), now: 5 };
    await replaceCollection(harness, { ...later, user: { ...later.user, id: 2 } });
    expect(await read(harness, id)).toEqual({ ...before, name: 'edited' });
  });

  it('changes nothing when a segment is unknown', async () => {
    const harness = harnessOn();
    const { id = 0 } = await harness.makeCollection([everyone]);
    const before = await read(harness, id);
    const body = { name: 'edited', segments: [everyone, everyone + 5] };
    expect(pointersOf(await replaceCollection(harness, request(body, path(id))))).toEqual([
      '/segments/1 unknown_reference',
    ]);
    expect(await read(harness, id)).toEqual(before);
  });

  it('is applied after another writer has changed the collection in between', async () => {
    const table = new MemoryTable();
    const harness = harnessOn(table);
    const { id = 0 } = await harness.makeCollection([everyone]);
    let lost = 0;
    table.loses = ({ kind, key }) => kind === 'update' && key.pk.endsWith('#COLLECTIONS') && (lost += 1) <= 2;
    expect(await harness.editCollection(id, [everyone])).toEqual({ status: 200, id });
    expect(lost).toBe(3);
    expect(await read(harness, id)).toMatchObject({ name: 'edited' });
  });
});

describe('DELETE collections/{collection_id}', () => {
  it('answers 409 while an export that is running names the collection, and succeeds afterwards', async () => {
    const harness = harnessOn();
    const { id = 0 } = await harness.makeCollection([everyone]);
    const { id: exported = 0 } = await harness.makeExport({ collection: [id] });
    expect(await harness.deleteCollection(id)).toEqual(inUse);
    expect(await read(harness, id)).toMatchObject({ id });
    await harness.endExport(exported);
    expect(await harness.deleteCollection(id)).toEqual({ status: 200, id });
  });

  it('frees its segments: a segment can be deleted once no collection names it', async () => {
    const harness = harnessOn();
    const { id: segment = 0 } = await harness.makeSegment(everyone);
    const { id: kept = 0 } = await harness.makeCollection([segment]);
    const { id: edited = 0 } = await harness.makeCollection([segment, everyone]);
    expect(await harness.deleteSegment(segment)).toEqual(inUse);
    await harness.editCollection(edited, [everyone]);
    expect(await harness.deleteSegment(segment)).toEqual(inUse);
    await harness.deleteCollection(kept);
    expect(await harness.deleteSegment(segment)).toEqual({ status: 200, id: segment });
  });

  it('leaves no item of the collection', async () => {
    const table = new MemoryTable();
    const harness = harnessOn(table);
    const { id = 0 } = await harness.makeCollection([everyone]);
    await harness.deleteCollection(id);
    expect(await table.get(keys.collection(property, id))).toBeUndefined();
  });
});

describe('collections as referrers of a segment', () => {
  it('are active with the segment, and inactive without it, when absent and when deleted', async () => {
    const table = new MemoryTable();
    const harness = harnessOn(table);
    const { id: segment = 0 } = await harness.makeSegment(everyone);
    const { id: holds = 0 } = await harness.makeCollection([segment]);
    const { id: lacks = 0 } = await harness.makeCollection([everyone]);
    const absent = scopedId(property, 90);
    const deleted = scopedId(property, 91);
    await table.put(keys.collection(property, deleted), { lifecycle: 'deleted' });
    const inspect = collectionReferrers(table);
    const states = await inspect(property, [holds, lacks, absent, deleted], { kind: 'segment', id: segment });
    expect(states).toEqual([true, false, false, false]);
  });
});
