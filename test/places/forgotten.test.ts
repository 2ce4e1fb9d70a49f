import { gunzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { countBits, decodeChunk } from '../../shared/membership/chunk.ts';
import { itemPlaces, type ItemPlace } from '../../shared/properties/places/item-places.ts';
import { folderPlaces } from '../../shared/properties/places/object-places.ts';
import { parseEntry } from '../../shared/profiles/stored-profile.ts';
import { encodedStateIn } from '../../shared/profiles/stored-state.ts';
import type { StoredItem } from '../../shared/table/table.ts';
import { restoreAndRaise } from '../interactions/restore-and-raise.ts';
import { fileOf, listing, serviceInMemory } from '../interactions/service-in-memory.ts';
import { MemoryTable } from '../support/memory-table.ts';
import type { MemoryObjects } from '../support/memory-objects.ts';
import { placesOfKey } from './place-of.ts';

/** Words of the person, which nothing else has. */
const NAME = 'Zqannabel';

/** The place of an item of the table of data. */
const placeOf = (item: StoredItem): ItemPlace => {
  const [place, ...others] = placesOfKey('table', item);
  if (place === undefined || others.length > 0) throw new Error(`not one place: ${item.pk} ${item.sk}`);
  return place;
};

const plain = (bytes: Uint8Array): string =>
  Buffer.from(bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes).toString();

/** The text of an item, compressed attributes included. */
const textOf = ({ state, ...item }: StoredItem): string =>
  [state instanceof Uint8Array ? encodedStateIn(state) : state, ...Object.values(item)]
    .map((value) => (value instanceof Uint8Array ? plain(value) : JSON.stringify(value)))
    .join('\n');

const folderOfKey = (key: string): string => key.split('/')[0] ?? '';

/** The places of objects that have the name of the person. */
const foldersNaming = async (stores: readonly MemoryObjects[]): Promise<ReadonlySet<string>> => {
  const folders = new Set<string>();
  for (const store of stores)
    for (const key of await store.list(''))
      if (plain((await store.get(key)) ?? Buffer.of()).includes(NAME)) folders.add(folderOfKey(key));
  return folders;
};

/** Whether an item of a place that a forgetting empties tells of nobody. */
const isEmpty: Partial<Record<ItemPlace, (item: StoredItem) => boolean>> = {
  profiles: (item) => parseEntry(item).kind === 'forgotten',
  claims: ({ ordinal, ttl, withdrawn }) =>
    ordinal === null && (typeof ttl === 'number' || Array.isArray(withdrawn)),
  phones: () => false,
  names: () => false,
  index: ({ members }) =>
    members === undefined || (members instanceof Uint8Array && countBits(decodeChunk(members)) === 0),
  journal: () => false,
};

/** A service whose only person came by requests and files, with a correction and a refused row. */
const setUp = async () => {
  const table = new MemoryTable();
  const service = serviceInMemory({ table, beside: true });
  service.kept.rules.searchNames = true;
  await service.post({
    email: 'ann@example.org',
    phone_number: '+493012345678',
    first_name: `${NAME} old`,
    last_name: NAME,
  });
  const importId = await service.define(listing([], { max_refused_share: null }));
  const row = (name: string) => fileOf(`K1,ann@example.org,${NAME} ${name},jazz`, `,no address,${NAME},`);
  for (const name of ['one', 'one', 'two']) await service.importFile(importId, row(name));
  await service.everybody();
  const items = () => table.items();
  const { uploads, work } = service.kept;
  /** The places of items that have the name of the person. */
  const naming = () => [
    ...new Set(items().flatMap((item) => (textOf(item).includes(NAME) ? [placeOf(item)] : []))),
  ];
  return { service, table, items, naming, stores: [uploads, work] };
};

it('a forgetting leaves of a person what the list of places says', async () => {
  const { service, items, naming, stores } = await setUp();
  const before = new Set(items().map(placeOf));
  const emptied = Object.entries(itemPlaces).flatMap(([name, { keeps }]) =>
    keeps?.forgetting === 'removed' || keeps?.forgetting === 'freed' ? [name] : [],
  );
  expect(emptied.toSorted()).toEqual(Object.keys(isEmpty).toSorted());
  expect([...before]).toEqual(expect.arrayContaining(['profiles', 'claims', 'phones', 'names', 'index']));
  await service.forget({ email: 'ann@example.org' });

  for (const item of items())
    expect(isEmpty[placeOf(item)]?.(item) ?? true, `${item.pk} ${item.sk}`).toBe(true);
  expect(naming()).toEqual(['restatements']);
  expect(await foldersNaming(stores)).toContain('undo');
  expect([itemPlaces.restatements, folderPlaces.undo].map(({ keeps }) => keeps?.forgetting)).toEqual([
    'soon',
    'soon',
  ]);
  await service.cleanUndoLogs();
  expect(naming()).toEqual([]);
  const folders = await foldersNaming(stores);
  expect([...folders].toSorted()).toEqual(['refused', 'uploads']);
  const told = new Map(Object.entries(folderPlaces));
  for (const place of folders) expect(told.get(place)?.keeps?.forgetting, place).toBe('stays');
});

it('a restore to a time before the forgetting brings nothing of the person back for long', async () => {
  const { service, table, items, naming, stores } = await setUp();
  const [restore, restored] = [table.backup(), new Date(service.clock.now).toISOString()];
  await service.forget({ email: 'ann@example.org' });
  await service.cleanUndoLogs();
  const left = await foldersNaming(stores);
  await restoreAndRaise(table, restore, restored);
  expect(naming()).toEqual(expect.arrayContaining(['profiles', 'restatements']));

  const again = serviceInMemory({ table, kept: service.kept });
  expect(await again.replayForgettings(restored)).toBe(1);
  for (const item of items())
    expect(isEmpty[placeOf(item)]?.(item) ?? true, `${item.pk} ${item.sk}`).toBe(true);
  expect(naming()).toEqual(['restatements']);
  await again.cleanUndoLogs();
  expect(naming()).toEqual([]);
  expect(await foldersNaming(stores)).toEqual(left);
});

it('a forgetting leaves what the person had withdrawn, by channel and time, and nothing else', async () => {
  const table = new MemoryTable();
  const service = serviceInMemory({ table });
  const consent = [{ channel: 'email', state: 'withdrawn', datetime: '2026-01-01T00:00:00Z', source: NAME }];
  await service.post({ email: 'ann@example.org', first_name: NAME, consent });
  await service.forget({ email: 'ann@example.org' });
  const kept = table
    .items()
    .filter((item) => Array.isArray(item['withdrawn']) && item['withdrawn'].length > 0);
  expect(kept.map(placeOf)).toEqual(['claims']);
  const said = { channel: 'email', datetime: '2026-01-01 00:00:00' };
  expect(kept.map(({ withdrawn }) => withdrawn)).toEqual([[said]]);
  expect(kept.filter((item) => textOf(item).includes(NAME))).toEqual([]);
  expect(itemPlaces.withdrawals.keeps.forgetting).toBe('proof');
});

it('items expire where the list of places says so', async () => {
  const { items } = await setUp();
  for (const item of items()) {
    const { keeps } = itemPlaces[placeOf(item)];
    if (keeps?.emptiedBy === 'expiry') expect(item['ttl'], `${item.pk} ${item.sk}`).toBeTypeOf('number');
  }
});
