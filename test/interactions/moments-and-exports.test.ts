import { expect, it } from 'vitest';
import { fileOf, listing, serviceInMemory } from './service-in-memory.ts';
import { deltaOf, feedOf, timelineOf } from './watch.ts';

/** Ann likes jazz, and Desk is the person behind the mailbox. */
const known = async () => {
  const service = serviceInMemory();
  const tags = [{ datetime: '2026-01-01 00:00:00', tag: ['jazz'] }];
  await service.post({ unique_id: 'K1', email: 'ann@x.org', first_name: 'Ann', tags });
  await service.post({ email: 'info@venue.example', first_name: 'Desk' });
  const importId = await service.define(listing(['null', '*@venue.example']));
  const jazz = await service.segmentNamed('jazz');
  return { service, importId, jazz, timeline: await timelineOf(service, jazz) };
};

const file = fileOf(
  'NULL,ann@x.org,Anna,rock',
  'K2,info@venue.example,Ben,jazz',
  'NULL,cyd@x.org,Cyd,jazz',
  'NULL,info@venue.example,Dan,jazz',
);

it('a moment between an import with listed identities and its undo keeps its people, and the next moment says who left', async () => {
  const { service, importId, timeline } = await known();
  const job = await service.importFile(importId, file);
  expect(await timeline.moment()).toEqual({ count: 3, came: ['Ben', 'Cyd'], left: [] });
  await service.undo(job);
  expect(await timeline.moment()).toEqual({ count: 1, came: [], left: ['Ben', 'Cyd'] });
  expect(await timeline.members()).toEqual([['Ann'], ['Ann', 'Ben', 'Cyd'], ['Ann']]);
  await service.importFile(importId, fileOf('K2,info@venue.example,Ben,jazz'));
  expect(await timeline.moment()).toEqual({ count: 2, came: ['Ben'], left: [] });
});

it('somebody whom an undo took away leaves the moments when the profile is forgotten', async () => {
  const { service, importId, timeline } = await known();
  const job = await service.importFile(importId, file);
  const ben = await service.find({ unique_id: 'K2' });
  await timeline.moment();
  await service.undo(job);
  await timeline.moment();
  // No identity finds the profile any more, but its id does.
  await service.forget({ profile_uuid: ben?.profile.profile_uuid ?? '' });
  expect(await timeline.members()).toEqual([['Ann'], ['Ann', 'Cyd'], ['Ann']]);
});

it('deltas of an export follow an import with listed identities and its undo', async () => {
  const { service, importId, jazz } = await known();
  const delta = await deltaOf(service, jazz);
  expect(await delta.run()).toMatchObject({ rows: ['added Ann K1 ann@x.org'], skipped: 0 });
  const job = await service.importFile(importId, file);
  expect(await delta.run()).toMatchObject({
    rows: ['added Ben K2 ', 'added Cyd  cyd@x.org', 'changed Anna K1 ann@x.org'],
    skipped: 0,
  });
  await service.undo(job);
  // An undo leaves no identity of Ben and Cyd, but the file has their UUIDs.
  await service.seen();
  expect(await delta.run()).toMatchObject({
    rows: ['changed Ann K1 ann@x.org', 'removed Ben  ', 'removed Cyd  '],
    skipped: 0,
  });
  await service.importFile(importId, fileOf('K2,ben@x.org,Ben,jazz'));
  expect(await delta.run()).toMatchObject({ rows: ['added Ben K2 ben@x.org'], skipped: 0 });
});

it('deltas of addresses have everybody again after an undo, which leaves people without an address', async () => {
  const { service, importId, jazz } = await known();
  const delta = await deltaOf(service, jazz, { field_set: 'email' });
  expect((await delta.run()).cells).toEqual([['added', 'ann@x.org']]);
  const job = await service.importFile(importId, file);
  expect(await delta.run()).toMatchObject({
    cells: [
      ['added', 'cyd@x.org'],
      ['changed', 'ann@x.org'],
    ],
    skipped: 1,
  });
  await service.undo(job);
  expect(await delta.run()).toMatchObject({ cells: [['added', 'ann@x.org']], base: null, skipped: 0 });
  expect(await delta.run()).toMatchObject({ cells: [] });
});

it('deltas of addresses have everybody while an undo runs', async () => {
  const { service, importId, jazz } = await known();
  const delta = await deltaOf(service, jazz, { field_set: 'email' });
  const job = await service.importFile(importId, file);
  await delta.run();
  await service.beginUndo(job);
  expect(await delta.run()).toMatchObject({ base: null });
  await service.undo(job);
  expect(await delta.run()).toMatchObject({ cells: [['added', 'ann@x.org']], base: null });
});

it('deltas of addresses say which former address of a person is no longer in use', async () => {
  const { service, jazz } = await known();
  const delta = await deltaOf(service, jazz, { field_set: 'email' });
  await delta.run();
  await service.post({ unique_id: 'K1', email: 'ann@y.org' });
  expect((await delta.run()).cells).toEqual([
    ['changed', 'ann@y.org'],
    ['removed', 'ann@x.org'],
  ]);
});

it('a moment of a segment of consent has people who withdrew since, and an export of it leaves them out by its filter', async () => {
  const service = serviceInMemory();
  const consent = { channel: 'email', state: 'given' };
  for (const name of ['ann', 'ben'])
    await service.post({ unique_id: name, email: `${name}@x.org`, first_name: name, consent: [consent] });
  const given = await service.segmentNamed('email: given');
  const timeline = await timelineOf(service, given);
  const [moment = 0] = await timeline.moments();
  await service.post({ unique_id: 'ann', consent: [{ ...consent, state: 'withdrawn' }] });

  const addresses = async (segment: number, more: object = {}) =>
    (await (await deltaOf(service, segment, { field_set: 'email', ...more })).run()).cells.map(
      ([, cell]) => cell,
    );
  expect(await addresses(given)).toEqual(['ben@x.org']);
  expect(await addresses(moment)).toEqual(['ann@x.org', 'ben@x.org']);
  expect(await addresses(moment, { consent })).toEqual(['ben@x.org']);
});

it('who was forgotten was in these exports, whose files nobody gets any more, and the next delta has everybody', async () => {
  const { service, importId, jazz } = await known();
  const delta = await deltaOf(service, jazz);
  await delta.run();
  await service.importFile(importId, fileOf('K2,ben@x.org,Ben,jazz'));
  expect(await delta.run()).toMatchObject({ rows: ['added Ben K2 ben@x.org'] });
  expect(await delta.isOpen()).toBe(true);
  const { disclosures } = await service.forget({ unique_id: 'K2' });
  expect(disclosures).toMatchObject({ all_looked_at: true, exports: [{ more_jobs: false }] });
  expect(disclosures.exports.map(({ jobs }) => jobs.length)).toEqual([1]);
  expect(await delta.isOpen()).toBe(false);
  // Nobody may have got the second file.
  expect(await delta.run()).toMatchObject({ rows: ['added Ann K1 ann@x.org'], base: null });
  expect(await delta.isOpen()).toBe(true);
  const other = await service.forget({ unique_id: 'K1' });
  expect(other.disclosures.exports.map(({ jobs }) => jobs.length)).toEqual([3]);
  expect(await delta.isOpen()).toBe(false);
  await service.importFile(importId, fileOf('K2,ben@x.org,Ben,jazz'));
  expect(await delta.run()).toMatchObject({ rows: ['added Ben K2 ben@x.org'] });
  expect(await delta.isOpen()).toBe(true);
});

it('a receiver of changes follows an import, its undo and a forgetting', async () => {
  const { service, importId, jazz } = await known();
  const feed = await feedOf(service, jazz);
  expect(await feed.run()).toEqual({ known: ['Ann'], told: 1, state: 'delivered' });
  const job = await service.importFile(importId, file);
  await service.seen();
  expect(await feed.run()).toMatchObject({ known: ['Ann', 'Ben', 'Cyd'], told: 2 });
  await service.undo(job);
  await service.seen();
  expect(await feed.run()).toMatchObject({ known: ['Ann'], told: 2 });
  await service.importFile(importId, fileOf('K2,ben@x.org,Ben,jazz'));
  await service.seen();
  expect(await feed.run()).toMatchObject({ known: ['Ann', 'Ben'], told: 1 });
  await service.forget({ unique_id: 'K2' });
  expect(await feed.run()).toMatchObject({ known: ['Ann'], told: 1, state: 'delivered' });
});

it('a receiver of changes with a consent is told who withdraws it, and who gives it again', async () => {
  const service = serviceInMemory();
  const consent = { channel: 'email', state: 'given' };
  const say = (name: string, state: string) =>
    service.post({
      unique_id: name,
      email: `${name}@x.org`,
      first_name: name,
      consent: [{ ...consent, state }],
    });
  for (const name of ['ann', 'ben']) await say(name, 'given');
  const feed = await feedOf(service, await service.segmentNamed('email: given'), { consent });
  expect(await feed.run()).toMatchObject({ known: ['ann', 'ben'], told: 2 });
  await say('ann', 'withdrawn');
  expect(await feed.run()).toMatchObject({ known: ['ben'], told: 1 });
  service.hour();
  await service.post({
    unique_id: 'ann',
    consent: [
      { ...consent, datetime: new Date(service.clock.now).toISOString().slice(0, 19).replace('T', ' ') },
    ],
  });
  expect(await feed.run()).toMatchObject({ known: ['ann', 'ben'], told: 1 });
});
