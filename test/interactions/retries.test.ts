import { describe, expect, it } from 'vitest';
import { fileOf, listing, serviceInMemory } from './service-in-memory.ts';

const list = ['null', 'n/a', '*@venue.example'];

describe('a row that was refused because its only identity is listed', () => {
  it('passes the list again when it comes back: with another listed value it is refused again', async () => {
    const service = serviceInMemory();
    await service.post({ email: 'info@venue.example', first_name: 'Desk' });
    const importId = await service.define(listing(list));
    const file = fileOf('K1,ann@x.org,Ann,jazz', 'NULL,info@venue.example,Dan,jazz', 'n/a,,Eve,jazz');
    const first = await service.importFile(importId, file);
    expect(first).toMatchObject({
      counts: { status: 'complete-with-errors', ingested: 3, completed: 1, unserializable: 2 },
      refused: ['3 unique_id identity_missing', '4 unique_id identity_missing'],
    });

    const second = await service.retry(first, {
      Dan: { email: 'office@venue.example' },
      Eve: { email: 'eve@x.org' },
    });
    expect(second).toMatchObject({
      counts: { status: 'complete-with-errors', ingested: 3, completed: 2, unserializable: 1 },
      refused: ['3 unique_id identity_missing'],
      warned: ['4 unique_id not_an_identity'],
    });
    const third = await service.retry(second, { Dan: { unique_id: 'K4' } });
    expect(third).toMatchObject({
      counts: { status: 'complete', ingested: 3, completed: 3, unserializable: 0 },
      refused: [],
    });
    expect(third.warned.toSorted()).toEqual(['3 email not_an_identity', '4 unique_id not_an_identity']);
    expect(await service.seen()).toEqual({
      people: [
        ['Ann', 'K1', 'ann@x.org'],
        ['Dan', 'K4', null],
        ['Desk', null, 'info@venue.example'],
        ['Eve', null, 'eve@x.org'],
      ],
      segments: { jazz: ['Ann', 'Dan', 'Eve'] },
    });
  });

  it('goes with its job when the job is undone, also after it was corrected', async () => {
    const service = serviceInMemory();
    const importId = await service.define(listing(list));
    const first = await service.importFile(importId, fileOf('K1,ann@x.org,Ann,jazz'));
    const before = [await service.seen(), await service.explained()];
    const file = fileOf('K1,ann@x.org,Anna,rock', 'NULL,n/a,Dan,rock');
    const second = await service.importFile(importId, file);
    await service.retry(second, { Dan: { email: 'dan@x.org' } });
    expect((await service.seen()).segments).toEqual({ jazz: ['Anna'], rock: ['Anna', 'Dan'] });
    expect(await service.undo(second)).toMatchObject({ people: { removed: 1, changed: 1 } });
    expect([await service.seen(), await service.explained()]).toEqual(before);
    expect(await service.undo(first)).toMatchObject({ people: { removed: 1, changed: 0 } });
    expect(await service.seen()).toEqual({ people: [], segments: {} });
  });

  it('is refused by the guard of ids when corrections share an id, and the job takes better ones', async () => {
    const service = serviceInMemory();
    const importId = await service.define(listing(list, { max_addresses_per_id: 2 }));
    const rows = ['NULL,n/a,Dan,jazz', 'NULL,n/a,Eve,jazz', 'NULL,n/a,Fay,jazz'];
    const file = fileOf('K1,ann@x.org,Ann,jazz', ...rows);
    const first = await service.importFile(importId, file);
    const before = await service.seen();
    const shared = await service.retry(first, {
      Dan: { unique_id: 'LEGACY', email: 'dan@x.org' },
      Eve: { unique_id: 'LEGACY', email: 'eve@x.org' },
      Fay: { unique_id: 'LEGACY', email: 'fay@x.org' },
    });
    expect(shared).toMatchObject({
      counts: { status: 'complete-with-errors', ingested: 4, completed: 1, unserializable: 3 },
      failure: null,
      refused: ['3 - shared_id', '4 - shared_id', '5 - shared_id'],
    });
    expect(await service.seen()).toEqual(before);
    const mended = await service.retry(first, {
      Dan: { unique_id: 'K4', email: 'dan@x.org' },
      Eve: { unique_id: 'n/a', email: 'eve@x.org' },
      Fay: { unique_id: 'LEGACY', email: 'fay@x.org' },
    });
    expect(mended).toMatchObject({
      counts: { status: 'complete', completed: 4, unserializable: 0 },
      refused: [],
      warned: ['4 unique_id not_an_identity'],
    });
    expect((await service.seen()).segments).toEqual({ jazz: ['Ann', 'Dan', 'Eve', 'Fay'] });
  });
});

describe('a new list', () => {
  const points = ['before the file is read', 'before the file is split', 'before the rows are stored'];

  it.each(points)('changes nothing for a job that has begun: %s', async (when) => {
    const service = serviceInMemory();
    const importId = await service.define(listing(['null']));
    const file = fileOf('NULL,ann@x.org,Ann,jazz', 'NULL,ben@x.org,Ben,jazz', '0,,Zoe,jazz');
    const { steps, ...sent } = await service.send(importId, file);
    for (const step of steps.slice(0, points.indexOf(when))) await step();
    await service.replace(importId, listing(['0']));
    for (const step of steps.slice(points.indexOf(when))) await step();
    expect(await service.told(sent)).toMatchObject({
      counts: { status: 'complete', completed: 3 },
      warned: [
        '2 unique_id not_an_identity',
        '3 unique_id not_an_identity',
        '4 unique_id looks_like_no_identity',
      ],
    });
    expect((await service.seen()).people).toEqual([
      ['Ann', null, 'ann@x.org'],
      ['Ben', null, 'ben@x.org'],
      ['Zoe', '0', null],
    ]);
    // The next job has the new list.
    expect(await service.importFile(importId, fileOf('0,,Yan,jazz'))).toMatchObject({
      refused: ['2 unique_id identity_missing'],
    });
  });

  it('changes nothing for refused rows that come back corrected: their job keeps its list', async () => {
    const service = serviceInMemory();
    const importId = await service.define(listing(['null', '0']));
    const first = await service.importFile(importId, fileOf('NULL,,Dan,jazz', '0,,Eve,jazz'));
    await service.replace(importId, listing(['K4', '*@x.org'], { max_addresses_per_id: 1 }));
    const second = await service.retry(first, {
      Dan: { unique_id: 'K4', email: 'dan@x.org' },
      Eve: { unique_id: 'Null' },
    });
    expect(second).toMatchObject({
      counts: { status: 'complete-with-errors', completed: 1, unserializable: 1 },
      refused: ['3 unique_id identity_missing'],
      warned: [],
    });
    expect((await service.seen()).people).toEqual([['Dan', 'K4', 'dan@x.org']]);
  });
});
