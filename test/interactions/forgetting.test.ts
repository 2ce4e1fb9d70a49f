import { describe, expect, it } from 'vitest';
import { fileOf, listing, serviceInMemory } from './service-in-memory.ts';
import { timelineOf } from './watch.ts';

const file = fileOf(
  'K1,info@venue.example,Ann,jazz',
  'K2,info@venue.example,Ben,jazz',
  'NULL,cyd@x.org,Cyd,jazz',
);

/** People whose rows share a listed mailbox, which is the address of Desk all the same, and a timeline of jazz. */
const imported = async () => {
  const service = serviceInMemory();
  await service.post({ email: 'info@venue.example', first_name: 'Desk' });
  const importId = await service.define(listing(['null', '*@venue.example']));
  const job = await service.importFile(importId, file);
  const jazz = await service.segmentNamed('jazz');
  return { service, importId, job, jazz, timeline: await timelineOf(service, jazz) };
};

const cyd = ['Cyd', null, 'cyd@x.org'];
const desk = ['Desk', null, 'info@venue.example'];

describe('the forgetting of somebody whose row had a listed mailbox', () => {
  it('takes only that person, also out of moments', async () => {
    const { service, timeline } = await imported();
    const { removed } = await service.forget({ unique_id: 'K1' });
    expect(removed).toMatchObject({ identities: 1, tags: 1, moments: 1 });
    expect(await service.find({ unique_id: 'K1' })).toBeUndefined();
    expect(await service.seen()).toEqual({
      people: [['Ben', 'K2', null], cyd, desk],
      segments: { jazz: ['Ben', 'Cyd'] },
    });
    expect(await timeline.members()).toEqual([['Ben', 'Cyd']]);
    expect(await timeline.moment()).toEqual({ count: 2, came: [], left: [] });
  });

  it('lets the same file bring the person later: as somebody new, without anything from before', async () => {
    const { service, importId, timeline } = await imported();
    const before = await service.find({ unique_id: 'K1' });
    await service.forget({ unique_id: 'K1' });
    expect(await timeline.moment()).toMatchObject({ count: 2 });

    const again = await service.importFile(importId, file);
    expect(again).toMatchObject({
      counts: { status: 'complete', completed: 3, unserializable: 0 },
      warned: ['2 email not_an_identity', '3 email not_an_identity', '4 unique_id not_an_identity'],
    });
    const ann = await service.find({ unique_id: 'K1', explain: 'true' });
    expect(ann?.profile.profile_uuid).not.toBe(before?.profile.profile_uuid);
    expect(ann?.provenance?.fields).toMatchObject({ first_name: [{ job: again.job }] });
    expect(ann?.provenance?.tags).toHaveLength(1);
    expect(await service.seen()).toEqual({
      people: [['Ann', 'K1', null], ['Ben', 'K2', null], cyd, desk],
      segments: { jazz: ['Ann', 'Ben', 'Cyd'] },
    });
    expect(await timeline.moment()).toEqual({ count: 3, came: ['Ann'], left: [] });
    expect(await timeline.members()).toEqual([
      ['Ben', 'Cyd'],
      ['Ben', 'Cyd'],
      ['Ann', 'Ben', 'Cyd'],
    ]);
  });

  it('is not undone by the undo of an import', async () => {
    const { service, importId, job } = await imported();
    await service.forget({ unique_id: 'K1' });
    const again = await service.importFile(importId, fileOf('K2,desk@venue.example,Benno,rock'));
    expect(await service.undo(again)).toMatchObject({ people: { removed: 0, changed: 1 } });
    expect((await service.seen()).people).toEqual([['Ben', 'K2', null], cyd, desk]);
    // Ben and Cyd; forgotten people do not count.
    expect(await service.undo(job)).toMatchObject({ people: { removed: 2, changed: 0, unchanged: 0 } });
    expect((await service.seen()).people).toEqual([desk]);
    expect(await service.find({ unique_id: 'K1' })).toBeUndefined();
  });
});

describe('a file that was under way when somebody was forgotten', () => {
  it.each(['before it was read', 'before it was split', 'before it was stored'])(
    'stores everybody but the person, with a warning: %s',
    async (when) => {
      const { service, importId } = await imported();
      const at = ['before it was read', 'before it was split', 'before it was stored'].indexOf(when);
      const { steps, ...sent } = await service.send(importId, file);
      for (const step of steps.slice(0, at)) await step();
      await service.forget({ unique_id: 'K1' });
      await service.forget({ email: 'cyd@x.org' });
      for (const step of steps.slice(at)) await step();
      expect(await service.told(sent)).toMatchObject({
        counts: { status: 'complete', completed: 3, failed: 0 },
        warned: [
          '2 email not_an_identity',
          '2 - forgotten',
          '3 email not_an_identity',
          '4 unique_id not_an_identity',
          '4 - forgotten',
        ],
      });
      expect(await service.seen()).toEqual({
        people: [['Ben', 'K2', null], desk],
        segments: { jazz: ['Ben'] },
      });
    },
  );

  it('stores the people of a listed mailbox though its owner was forgotten', async () => {
    const { service, importId } = await imported();
    const { steps, ...sent } = await service.send(importId, fileOf('K2,info@venue.example,Benno,rock'));
    await service.forget({ email: 'info@venue.example' });
    for (const step of steps) await step();
    expect((await service.told(sent)).warned).toEqual(['2 email not_an_identity']);
    expect(await service.seen()).toEqual({
      people: [['Ann', 'K1', null], ['Benno', 'K2', null], cyd],
      segments: { jazz: ['Ann', 'Benno', 'Cyd'], rock: ['Benno'] },
    });
  });
});
