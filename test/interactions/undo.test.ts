import { describe, expect, it } from 'vitest';
import { fileOf, listing, serviceInMemory } from './service-in-memory.ts';

const list = ['null', '*@venue.example'];

/** A mailbox that is somebody's, and Ann, who was known before the files. */
const known = async () => {
  const service = serviceInMemory();
  const tagged = (tag: string) => [{ datetime: '2026-01-01 00:00:00', tag: [tag] }];
  await service.post({ email: 'info@venue.example', first_name: 'Desk', tags: tagged('staff') });
  await service.post({
    ...{ unique_id: 'K1', email: 'ann@x.org', first_name: 'Ann' },
    tags: tagged('jazz'),
  });
  return { service, importId: await service.define(listing(list)) };
};

const visitors = fileOf(
  'NULL,ann@x.org,Anna,opera',
  'K2,info@venue.example,Ben,opera;jazz',
  'NULL,cyd@x.org,Cyd,jazz',
  'null,box@venue.example,Dan,opera',
);

/** The same people a week later: Ben has an address of his own, Cyd another name, and Eve is new. */
const later = fileOf(
  'K1,ann@x.org,Annie,rock',
  'K2,ben@x.org,Benno,rock',
  'NULL,cyd@x.org,Cyd,opera',
  'K5,desk@venue.example,Eve,rock',
);

describe('the undo of a file with listed identities', () => {
  it('leaves everything as it was before, and nobody else is touched at any time', async () => {
    const { service, importId } = await known();
    const before = [await service.seen(), await service.explained()];
    const desk = await service.find({ email: 'info@venue.example', explain: 'true' });

    const job = await service.importFile(importId, visitors);
    expect(job).toMatchObject({
      counts: { status: 'complete-with-errors', completed: 3, unserializable: 1 },
      refused: ['5 unique_id identity_missing'],
      warned: ['2 unique_id not_an_identity', '3 email not_an_identity', '4 unique_id not_an_identity'],
    });
    expect(await service.seen()).toEqual({
      people: [
        ['Anna', 'K1', 'ann@x.org'],
        ['Ben', 'K2', null],
        ['Cyd', null, 'cyd@x.org'],
        ['Desk', null, 'info@venue.example'],
      ],
      segments: { staff: ['Desk'], jazz: ['Anna', 'Ben', 'Cyd'], opera: ['Anna', 'Ben'] },
    });
    expect(await service.find({ email: 'info@venue.example', explain: 'true' })).toEqual(desk);
    expect(await service.find({ unique_id: 'NULL' })).toBeUndefined();

    expect(await service.undo(job)).toMatchObject({
      status: 'complete',
      people: { removed: 2, changed: 1, unchanged: 0 },
      segments: { removed: 1 },
    });
    expect([await service.seen(), await service.explained()]).toEqual(before);
    expect(await service.find({ unique_id: 'K2' })).toBeUndefined();
  });

  it('keeps what a second import says of the same people, as if the first had never been', async () => {
    const { service, importId } = await known();
    const first = await service.importFile(importId, visitors);
    await service.importFile(importId, later);
    await service.undo(first);

    const other = await known();
    await other.service.importFile(other.importId, later);
    expect(await service.seen()).toEqual(await other.service.seen());
    expect(await service.seen()).toEqual({
      people: [
        ['Annie', 'K1', 'ann@x.org'],
        ['Benno', 'K2', 'ben@x.org'],
        ['Cyd', null, 'cyd@x.org'],
        ['Desk', null, 'info@venue.example'],
        ['Eve', 'K5', null],
      ],
      segments: { staff: ['Desk'], jazz: ['Annie'], opera: ['Cyd'], rock: ['Annie', 'Benno', 'Eve'] },
    });
  });

  it.each([
    ['the first job first', [0, 1]],
    ['the second job first', [1, 0]],
  ])('and of a second import of the same people leaves everything as before: %s', async (_, order) => {
    const { service, importId } = await known();
    const before = [await service.seen(), await service.explained()];
    const jobs = [await service.importFile(importId, visitors), await service.importFile(importId, later)];
    for (const at of order) {
      const job = jobs[at];
      if (job) expect(await service.undo(job)).toMatchObject({ status: 'complete' });
    }
    expect([await service.seen(), await service.explained()]).toEqual(before);
  });

  it('is the way out when a list was missing: the same file with the list makes people of their own', async () => {
    const service = serviceInMemory();
    const importId = await service.define(listing([]));
    const people = ['NULL,ann@x.org,Ann,jazz', 'NULL,ben@x.org,Ben,jazz', 'K3,cyd@x.org,Cyd,jazz'];
    const file = fileOf(...people);
    const spoilt = await service.importFile(importId, file);
    expect(spoilt.warned).toEqual([
      '2 unique_id looks_like_no_identity',
      '3 unique_id looks_like_no_identity',
    ]);
    expect((await service.seen()).segments).toEqual({ jazz: ['Ben', 'Cyd'] });
    await service.undo(spoilt);
    expect(await service.seen()).toEqual({ people: [], segments: {} });

    await service.replace(importId, listing(['null']));
    expect(await service.importFile(importId, file)).toMatchObject({
      counts: { status: 'complete', completed: 3 },
      warned: ['2 unique_id not_an_identity', '3 unique_id not_an_identity'],
    });
    expect(await service.seen()).toEqual({
      people: [
        ['Ann', null, 'ann@x.org'],
        ['Ben', null, 'ben@x.org'],
        ['Cyd', 'K3', 'cyd@x.org'],
      ],
      segments: { jazz: ['Ann', 'Ben', 'Cyd'] },
    });
  });
});

it('an undo is the same before and after the log has lost who was forgotten, and lacks nothing', async () => {
  const told = [];
  for (const isCleaned of [false, true]) {
    const { service, importId } = await known();
    const job = await service.importFile(importId, visitors);
    await service.importFile(importId, later);
    await service.forget({ unique_id: 'K2' });
    if (isCleaned) expect(await service.cleanUndoLogs()).toBeGreaterThan(0);
    const { people, values, status } = (await service.undo(job)) ?? {};
    told.push({ people, values, status, seen: await service.seen() });
  }
  expect(told[1]).toEqual(told[0]);
  expect(told[0]).toMatchObject({ status: 'complete', people: { not_restored: 0 } });
});
