import { describe, expect, it } from 'vitest';
import { fileOf, listing, serviceInMemory } from './service-in-memory.ts';
import { timelineOf } from './watch.ts';

const replacing = { tags_mode: 'replace' };
const [short, long] = [['null'], ['null', '*@venue.example']];

const rows = [
  'NULL,ann@x.org,Ann,jazz;vip',
  'NULL,ben@x.org,Ben,jazz',
  'K3,desk@venue.example,Cyd,jazz',
  'K4,dee@x.org,Dee,opera',
];
const file = fileOf(...rows);
/** Ben likes opera now, Dee likes jazz, and Cyd's row is as before. */
const changed = fileOf(
  ...['NULL,ann@x.org,Ann,jazz;vip', 'NULL,ben@x.org,Ben,opera'],
  ...['K3,desk@venue.example,Cyd,jazz', 'K4,dee@x.org,Dee,jazz'],
);
const tags = { jazz: ['Ann', 'Ben', 'Cyd'], vip: ['Ann'], opera: ['Dee'] };

describe('a file that comes again and replaces tags', () => {
  it('moves nobody when only the list has changed, and exactly those whose tags have changed', async () => {
    const service = serviceInMemory();
    const importId = await service.define(listing(short, replacing));
    const first = await service.importFile(importId, file);
    const timeline = await timelineOf(service, await service.segmentNamed('jazz'));
    expect((await service.seen()).segments).toEqual(tags);

    await service.replace(importId, listing(long, replacing));
    const second = await service.importFile(importId, file);
    expect(second).toMatchObject({
      counts: { status: 'complete', ingested: 4, completed: 4 },
      warned: ['2 unique_id not_an_identity', '3 unique_id not_an_identity', '4 email not_an_identity'],
    });
    expect((await service.seen()).segments).toEqual(tags);
    expect(await timeline.moment()).toEqual({ count: 3, came: [], left: [] });

    await service.importFile(importId, changed);
    expect((await service.seen()).segments).toEqual({
      jazz: ['Ann', 'Cyd', 'Dee'],
      vip: ['Ann'],
      opera: ['Ben'],
    });
    expect(await timeline.moment()).toEqual({ count: 3, came: ['Dee'], left: ['Ben'] });

    // Only the first file brought the address of the mailbox.
    expect((await service.find({ unique_id: 'K3' }))?.profile.email).toBe('desk@venue.example');
    expect(await service.undo(first)).toMatchObject({ people: { removed: 0, changed: 1 } });
    expect((await service.find({ unique_id: 'K3' }))?.profile.email).toBe(null);
    expect(await timeline.moment()).toEqual({ count: 3, came: [], left: [] });
    expect(await timeline.members()).toEqual([
      ['Ann', 'Ben', 'Cyd'],
      ['Ann', 'Ben', 'Cyd'],
      ['Ann', 'Cyd', 'Dee'],
      ['Ann', 'Cyd', 'Dee'],
    ]);
  });

  it('gives the tags of the file before it back when it is undone', async () => {
    const service = serviceInMemory();
    const importId = await service.define(listing(long, replacing));
    await service.importFile(importId, file);
    const timeline = await timelineOf(service, await service.segmentNamed('jazz'));
    const before = [await service.seen(), await service.explained()];
    await service.replace(importId, listing(short, replacing));
    const second = await service.importFile(importId, changed);
    expect((await service.find({ email: 'desk@venue.example' }))?.profile.unique_id).toBe('K3');
    expect(await timeline.moment()).toEqual({ count: 3, came: ['Dee'], left: ['Ben'] });
    await service.undo(second);
    expect([await service.seen(), await service.explained()]).toEqual(before);
    expect(await service.find({ email: 'desk@venue.example' })).toBeUndefined();
    expect(await timeline.moment()).toEqual({ count: 3, came: ['Ben'], left: ['Dee'] });
  });
});

describe('a file without tags that comes again under another list', () => {
  const untagged = fileOf(...rows.map((row) => row.slice(0, row.lastIndexOf(',') + 1)));

  it.each([
    ['a longer one', short, long],
    ['a shorter one', long, short],
  ])(
    'keeps its people through the undo of the first job, and goes with the second: %s',
    async (_, from, to) => {
      const service = serviceInMemory();
      const importId = await service.define(listing(from));
      const first = await service.importFile(importId, untagged);
      await service.replace(importId, listing(to));
      const second = await service.importFile(importId, untagged);
      expect(second.counts).toMatchObject({ status: 'complete', completed: 4 });

      const alone = serviceInMemory();
      await alone.importFile(await alone.define(listing(to)), untagged);
      expect(await service.undo(first)).toMatchObject({ people: { removed: 0 } });
      expect(await service.seen()).toEqual(await alone.seen());
      expect(await service.undo(second)).toMatchObject({ people: { removed: 4 } });
      expect(await service.seen()).toEqual({ people: [], segments: {} });
    },
  );
});
