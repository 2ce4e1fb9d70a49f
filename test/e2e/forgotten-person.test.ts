import * as v from 'valibot';
import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { itemPlaces } from '../../shared/properties/places/item-places.ts';
import type { Kept as Keeps } from '../../shared/properties/places/place.ts';
import { keys } from '../../shared/table/keys.ts';
import { allPlaces, everythingIn, findsOf, type Kept } from '../places/searched.ts';
import { openReferenceEnricher } from '../support/reference-enricher.ts';
import { startService, type TestService } from '../support/service.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import { openReceiver } from '../support/webhook-receiver.ts';
import { putItem } from '../support/items.ts';
import { BUCKET, email, goEverywhere, type Outside, words } from './person-everywhere.ts';

/** Where nothing may be found, whatever the words: every other place has something after the story. */
const empty = [
  // In the claims.
  'Withdrawals of forgotten people',
  // Only AWS writes them.
  ...['Access log of the API', 'Logs of workflows', 'Access logs of the buckets', 'Backups'],
  // A worker, or the drainer, was earlier.
  ...['Events of files', 'Other queues', 'Journal of the index'],
  'Alarms',
];

const ofTheTag = [
  ...['Expanded files', 'Files from SFTP', 'Files of access requests', 'Files of exports'],
  ...['Refused rows', 'SFTP servers and buckets of exports', 'Uploaded files', 'Warned rows'],
  'Whoever has a location',
];
/** The places that have a word after the forgetting. */
const left = {
  person: [...ofTheTag, 'Batches', 'Enrichers', 'Lists of rows as files'],
  tag: [...ofTheTag, 'Erasures', 'Segments and collections'],
  file: ['Files from SFTP', 'Jobs of imports', 'Mailboxes for notices', 'Webhooks'],
};

/** The places that have values of whoever is not forgotten, too. */
const inUse = ['Profiles', 'Restatements', 'Undo log'];

/** The list says that data of people stay there. Nobody sees the words: */
const unseen = [
  // keyed hashes,
  ...['Dry runs', 'Objections'],
  // sealed,
  ...['Corrected rows', 'Parts of exports', 'Questions to enrichers'],
  // or the story has no such data there. Only AWS writes the names of files into its logs.
  ...['Access logs of the buckets', 'Definitions of imports', 'Events of files', 'Log of the SFTP server'],
];

const staying: readonly Keeps['forgetting'][] = ['stays', 'closed', 'unnamed', 'elsewhere'];

/** What receivers have, who are outside of the service. */
const receivedBy = async (
  { cloud }: TestService,
  { sftp, enricher, receiver }: Outside,
  file: string,
): Promise<readonly Kept[]> => {
  const { s3 } = cloud.parts.storage;
  const delivered = await Promise.all(s3.list(BUCKET).map((key) => s3.get(BUCKET, key)));
  const kept = (place: string, all: readonly (Uint8Array | string | undefined)[]) =>
    all.map((bytes) => ({ place, at: '', bytes: bytes ?? '' }));
  return [
    ...kept('SFTP servers and buckets of exports', [...sftp.files.values(), ...delivered]),
    ...kept('Whoever has a location', [file]),
    ...kept(
      'Enrichers',
      enricher.requests.map((asked) => JSON.stringify(asked)),
    ),
    ...kept(
      'Webhooks',
      receiver.calls.map(({ body }) => body),
    ),
  ];
};

const number = v.object({ N: v.pipe(v.string(), v.toNumber()) });
const forgottenItem = v.looseObject({ ordinals: v.object({ L: v.array(number) }), ttl: number });

/** Lets the people of the list be forgotten two hours ago, and the schedules clean and erase. */
const cleanLater = async (service: TestService): Promise<void> => {
  const { property, cloud } = service;
  const until = Date.now() - 2 * limits.imports.undoCleanupSeconds * 1_000;
  for await (const { place, bytes } of everythingIn(service)) {
    if (place !== itemPlaces.forgotten.name) continue;
    const item = v.parse(v.pipe(v.string(), v.parseJson(), forgottenItem), bytes);
    const [ordinals, ttl] = [item.ordinals.L.map(({ N }) => N), item.ttl.N];
    await putItem(service, keys.forgottenPeople(property, until, 0), { ordinals, until, ttl });
  }
  const task = { kind: 'undo-cleanup', property, ids: [], due: 0, step: 0, until: 0 };
  const state = { since: 1, until: null, block: 0, after: '' };
  await putItem(service, keys.task(property, `undo-cleanup#${property}`), { ...task, state });
  expect(await cloud.invoke('reconcileTasks', {})).toMatchObject({ ok: true });
};

const placesOf = (kept: readonly Kept[]): readonly string[] =>
  [...new Set(kept.map(({ place }) => place))].toSorted();

const DAY = 86_400_000;

/** Days after which AWS deletes what a place has, by the name of the place; none where something else has to happen. */
const daysOf: ReadonlyMap<string, number> = new Map(
  allPlaces.flatMap(({ name, keeps }): [string, number][] => {
    if (!keeps || !['expiry', 'lifecycle', 'queue'].includes(keeps.emptiedBy)) return [];
    if ('days' in keeps.end) return [[name, keeps.end.days]];
    return 'hours' in keeps.end ? [[name, keeps.end.hours / 24]] : [];
  }),
);

/** The lifecycle spares the folders of SFTP, which are empty objects. */
const isFolder = ({ bytes }: Kept): boolean => bytes.length === 0;

it('a forgotten person who was everywhere stays only where the list of places says, and for so long', async () => {
  await using service = await startService();
  const known = { social_id: `network/${words.person}`, full_name: `${words.person} of the network` };
  await using enricher = await openReferenceEnricher(() => ({
    values: [{ tier: 'social_network', fields: known }],
  }));
  await using receiver = await openReceiver();
  await using sftp = await openSftpServer();
  const file = await goEverywhere(service, { enricher, receiver, sftp });
  const everything = async (): Promise<readonly Kept[]> => [
    ...(await Array.fromAsync(everythingIn(service))),
    ...(await receivedBy(service, { enricher, receiver, sftp }, file)),
  ];
  const before = await everything();
  const seen = placesOf(await findsOf(words.person, before));
  expect(seen).toEqual([...left.person, ...inUse].toSorted());

  const path = `/v1/${service.property}`;
  expect((await service.call('DELETE', `${path}/profile?email=${email}`)).status).toBe(200);
  await service.client.post(`${path}/objections`, { email, scope: 'storage' }, v.unknown());
  const atOnce = await everything();
  const soon = allPlaces.filter(({ keeps }) => keeps?.forgetting === 'soon').map(({ name }) => name);
  expect(placesOf(await findsOf(words.person, atOnce))).toEqual([...left.person, ...soon].toSorted());
  const filled = placesOf([...before, ...atOnce]);
  const names = allPlaces.map(({ name }) => name);
  expect(names.filter((name) => !filled.includes(name) && !empty.includes(name))).toEqual([]);
  expect(filled.filter((name) => !names.includes(name))).toEqual([]);

  await cleanLater(service);
  // A function that meets a busy service replaces its question by a copy, which would be younger than the times below.
  await Promise.all(service.cloud.parts.mappings.map((mapping) => mapping.stop()));
  const after = await everything();
  const finds = {
    person: await findsOf(words.person, after),
    tag: await findsOf(words.tag, after),
    file: await findsOf(words.file, after),
  };
  for (const word of ['person', 'tag', 'file'] as const)
    expect(placesOf(finds[word]), word).toEqual(left[word].toSorted());
  const ofOther = await findsOf(words.other, after);
  expect(placesOf(ofOther)).toEqual(expect.arrayContaining(inUse));
  const all = Object.values(finds).flat();
  const stays = allPlaces.filter(({ keeps }) => keeps && staying.includes(keeps.forgetting));
  expect([...placesOf(all), ...unseen].toSorted()).toEqual(stays.map(({ name }) => name).toSorted());

  // The embedded cloud keeps its logs, which have none of the words, and the histories of workflows.
  const now = Date.now();
  for (const days of [...new Set(daysOf.values())].toSorted((one, other) => one - other)) {
    // S3 waits for the midnight after.
    await service.cloud.expire(now + (days + 1) * DAY);
    const lasts = (place: string): boolean => (daysOf.get(place) ?? Number.POSITIVE_INFINITY) > days;
    const kept = await everything();
    const things = kept.filter((one) => !isFolder(one));
    expect(placesOf(things), `after ${days} days`).toEqual(placesOf(after).filter(lasts));
    expect(placesOf(kept.filter(isFolder))).toEqual(['Files from SFTP']);
    for (const word of ['person', 'tag', 'file'] as const)
      expect(placesOf(await findsOf(words[word], kept)), `${word} after ${days} days`).toEqual(
        left[word].filter(lasts).toSorted(),
      );
  }
}, 300_000);
