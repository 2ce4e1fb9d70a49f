import { describe, expect, it } from 'vitest';
import { fileOf, listing, serviceInMemory } from './service-in-memory.ts';

const file = fileOf('n/a,ann@x.org,Ann,rock', 'N/A,ben@x.org,Ben,rock', ' n/a ,,Cyd,rock');

/** Nora, whose record over HTTP has a placeholder as its id. */
const stated = async () => {
  const service = serviceInMemory();
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: ['jazz'] }];
  const answer = await service.post({ unique_id: 'n/a', first_name: 'Nora', tags });
  return { service, answer };
};
const nora = ['Nora', 'n/a', null];

describe('a record over HTTP with a placeholder', () => {
  it('is stored as stated with a warning, and an import that lists the value leaves the person alone', async () => {
    const { service, answer } = await stated();
    expect(answer.warnings?.map(({ code }) => code)).toEqual(['looks_like_no_identity']);
    expect((await service.seen()).people).toEqual([nora]);
    const before = await service.find({ unique_id: 'n/a', explain: 'true', include: 'tags,segments' });

    const importId = await service.define(listing(['N/A']));
    const job = await service.importFile(importId, file);
    expect(job).toMatchObject({
      counts: { completed: 2, unserializable: 1 },
      refused: ['4 unique_id identity_missing'],
      warned: ['2 unique_id not_an_identity', '3 unique_id not_an_identity'],
    });
    const after = await service.find({ unique_id: 'n/a', explain: 'true', include: 'tags,segments' });
    expect(after).toEqual(before);
    expect(await service.seen()).toEqual({
      people: [['Ann', null, 'ann@x.org'], ['Ben', null, 'ben@x.org'], nora],
      segments: { jazz: ['Nora'], rock: ['Ann', 'Ben'] },
    });

    await service.forget({ unique_id: 'n/a' });
    expect((await service.seen()).people).toEqual([
      ['Ann', null, 'ann@x.org'],
      ['Ben', null, 'ben@x.org'],
    ]);
  });

  it('is spoilt by an import without the list, and whole again after its undo', async () => {
    const { service } = await stated();
    const before = [await service.seen(), await service.explained()];
    const job = await service.importFile(await service.define(listing([])), file);
    expect(job.warned).toEqual([
      '2 unique_id looks_like_no_identity',
      '3 unique_id looks_like_no_identity',
      '4 unique_id looks_like_no_identity',
    ]);
    const spoilt = await service.seen();
    expect(spoilt.people).not.toContainEqual(nora);
    await service.undo(job);
    expect([await service.seen(), await service.explained()]).toEqual(before);
  });
});
