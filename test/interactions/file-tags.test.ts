import { describe, expect, it } from 'vitest';
import { fileOf, listing, serviceInMemory } from './service-in-memory.ts';

const rows = ['K1,ann@x.org,Ann,jazz;vip', 'K2,ben@x.org,Ben,opera'];
const file = fileOf(...rows);

/** A service with a definition, and the tags of Ann with their times. */
const scene = async (more: object = {}) => {
  const service = serviceInMemory();
  const importId = await service.define(listing([], more));
  const tags = async () => (await service.find({ unique_id: 'K1', include: 'tags' }))?.tags ?? [];
  return { service, importId, tags };
};

describe.each([
  ['adds its tags', {}],
  ['replaces its tags', { tags_mode: 'replace' }],
])('a file that comes again and %s', (_, mode) => {
  it('adds no tag, and its tags keep their time', async () => {
    const { service, importId, tags } = await scene(mode);
    await service.importFile(importId, file);
    const before = await tags();
    expect(before.map(({ tag }) => tag)).toEqual(['jazz', 'vip']);
    for (let night = 0; night < 5; night += 1) {
      const { counts } = await service.importFile(importId, file);
      expect(counts).toMatchObject({ completed: 2, failed: 0 });
    }
    expect(await tags()).toEqual(before);
  });

  it('keeps the time of a tag also when the row has another value', async () => {
    const { service, importId, tags } = await scene(mode);
    await service.importFile(importId, file);
    const [jazz, vip] = await tags();
    await service.importFile(importId, fileOf('K1,ann@x.org,Anna,jazz;rock;vip'));
    const [first, second, third] = await tags();
    expect([first, second]).toEqual([jazz, vip]);
    expect(third).toMatchObject({ tag: 'rock' });
    expect((third?.datetime ?? '') > (jazz?.datetime ?? '')).toBe(true);
  });

  it('keeps its tags through the undo of the first job, and loses them with the last', async () => {
    const { service, importId, tags } = await scene(mode);
    const first = await service.importFile(importId, file);
    const second = await service.importFile(importId, fileOf('K1,ann@x.org,Anna,jazz;vip'));
    const before = await tags();
    await service.undo(first);
    expect(await tags()).toEqual(before);
    await service.undo(second);
    expect(await service.find({ unique_id: 'K1' })).toBeUndefined();
  });

  it('brings a tag back that somebody removed, with a new time', async () => {
    const { service, importId, tags } = await scene(mode);
    await service.importFile(importId, file);
    const [jazz] = await tags();
    await service.post({ unique_id: 'K1', remove_tags: [{ datetime: jazz?.datetime, tag: ['jazz'] }] });
    expect((await tags()).map(({ tag }) => tag)).toEqual(['vip']);
    await service.importFile(importId, file);
    const again = (await tags()).find(({ tag }) => tag === 'jazz');
    expect((again?.datetime ?? '') > (jazz?.datetime ?? '')).toBe(true);
  });
});

it('a tag from another source, and one with a time of its own, is another one', async () => {
  const { service, importId, tags } = await scene();
  await service.importFile(importId, file);
  const other = await service.define(listing([], { name: 'other' }));
  await service.importFile(other, fileOf('K1,ann@x.org,Ann,jazz'));
  await service.post({ unique_id: 'K1', tags: [{ datetime: '2025-01-01 00:00:00', tag: ['jazz'] }] });
  expect((await tags()).map(({ tag }) => tag)).toEqual(['jazz', 'jazz', 'vip', 'jazz']);
  await service.importFile(importId, file);
  await service.importFile(other, fileOf('K1,ann@x.org,Ann,jazz'));
  expect(await tags()).toHaveLength(4);
});
