import { expect, it } from 'vitest';
import { fileOf, listing, serviceInMemory } from './service-in-memory.ts';
import { deltaOf, timelineOf } from './watch.ts';

const file = fileOf(
  'K1,ann@x.org,Anna,rock',
  'K2,ben@x.org,Ben,rock',
  'LEGACY,cyd@x.org,Cyd,jazz',
  'LEGACY,dan@x.org,Dan,jazz',
  'LEGACY,eve@x.org,Eve,jazz',
);

it('a file that the guard of ids stops leaves no trace, and comes in once the list has the value', async () => {
  const service = serviceInMemory();
  const importId = await service.define(listing([], { max_addresses_per_id: 2 }));
  const first = await service.importFile(importId, fileOf('K1,ann@x.org,Ann,jazz'));
  const jazz = await service.segmentNamed('jazz');
  const timeline = await timelineOf(service, jazz);
  const delta = await deltaOf(service, jazz);
  expect((await delta.run()).rows).toEqual(['added Ann K1 ann@x.org']);
  const before = [await service.seen(), await service.explained()];

  const stopped = await service.importFile(importId, file);
  expect(stopped).toMatchObject({
    counts: { status: 'failed', ingested: 0, serialized: 0, completed: 0, failed: 0, unserializable: 0 },
    failure: { code: 'shared_id' },
    warned: [],
  });
  expect(stopped.failure?.message).toContain('"LEGACY" in 3 rows');
  expect([await service.seen(), await service.explained()]).toEqual(before);
  expect(await timeline.moment()).toEqual({ count: 1, came: [], left: [] });
  expect(await delta.run()).toMatchObject({ rows: [], skipped: 0 });
  // There is nothing to take back.
  expect(await service.undo(stopped)).toMatchObject({ people: { removed: 0, changed: 0, unchanged: 0 } });
  expect([await service.seen(), await service.explained()]).toEqual(before);

  await service.replace(importId, listing(['legacy'], { max_addresses_per_id: 2 }));
  expect(await service.importFile(importId, file)).toMatchObject({
    counts: { status: 'complete', ingested: 5, completed: 5 },
    refused: [],
    warned: ['4 unique_id not_an_identity', '5 unique_id not_an_identity', '6 unique_id not_an_identity'],
  });
  expect(await service.seen()).toEqual({
    people: [
      ['Anna', 'K1', 'ann@x.org'],
      ['Ben', 'K2', 'ben@x.org'],
      ['Cyd', null, 'cyd@x.org'],
      ['Dan', null, 'dan@x.org'],
      ['Eve', null, 'eve@x.org'],
    ],
    segments: { jazz: ['Anna', 'Cyd', 'Dan', 'Eve'], rock: ['Anna', 'Ben'] },
  });
  expect(await timeline.moment()).toEqual({ count: 4, came: ['Cyd', 'Dan', 'Eve'], left: [] });
  expect(await timeline.members()).toEqual([['Anna'], ['Anna'], ['Anna', 'Cyd', 'Dan', 'Eve']]);
  // The undo of the first import leaves Anna to the last one.
  expect(await service.undo(first)).toMatchObject({ people: { removed: 0, changed: 1 } });
  expect((await service.seen()).segments).toEqual({ jazz: ['Cyd', 'Dan', 'Eve'], rock: ['Anna', 'Ben'] });
});
