/** Searches everything that a running service keeps for words, and says in which place of the list each find is. */
import { gunzipSync } from 'node:zlib';
import { backups, receivers, resourcePlaces } from '../../shared/properties/places/resource-places.ts';
import { exportPlaces, folderPlaces } from '../../shared/properties/places/object-places.ts';
import { itemPlaces } from '../../shared/properties/places/item-places.ts';
import type { Place } from '../../shared/properties/places/place.ts';
import type { TestService } from '../support/service.ts';
import { tableNames } from '../support/table-names.ts';
import { traceFinder } from '../support/traces.ts';
import { placesOfKey, type Table } from './place-of.ts';
import { itemsIn } from '../support/items.ts';

/** All places of the list. */
export const allPlaces: readonly Place[] = [
  ...Object.values(itemPlaces),
  ...Object.values(folderPlaces),
  ...Object.values(exportPlaces),
  ...resourcePlaces,
  backups,
  ...receivers,
];

/** Something that a service keeps. */
export interface Kept {
  /** The name of its place. */
  readonly place: string;
  /** Its name, which may have a word, too: the key of an object names a file. */
  readonly at: string;
  readonly bytes: Uint8Array | string;
}

const named = ({ name }: Place): string => name;

async function* itemsOf({ cloud }: TestService): AsyncGenerator<Kept> {
  const tables: readonly Table[] = ['table', 'credentials', 'auditLog', 'rates'];
  for (const table of tables) {
    for await (const item of itemsIn(cloud, tableNames[table])) {
      const [place] = placesOfKey(table, { pk: item.pk.S, sk: item.sk.S });
      yield {
        place: place ? named(itemPlaces[place]) : 'no place',
        ...{ at: `${table}: ${item.pk.S} ${item.sk.S}`, bytes: JSON.stringify(item) },
      };
    }
  }
}

/** The place of an object, by the first words of its key. */
const placeOfObject = (key: string): string => {
  const [first = '', second = ''] = key.split('/');
  const inFolder = Object.entries(folderPlaces).find(([folder]) => folder === first)?.[1];
  if (inFolder) return named(inFolder);
  if (/^p\d+$/.test(first)) return named(exportPlaces.files);
  if (!/^p\d+$/.test(second)) return 'no place';
  if (first === 'bases') return named(exportPlaces.bases);
  return first === 'exports' ? named(exportPlaces.work) : 'no place';
};

async function* objectsOf({ cloud }: TestService): AsyncGenerator<Kept> {
  const { s3 } = cloud.parts.storage;
  for (const { name } of cloud.deployment.buckets)
    for (const key of s3.list(name)) {
      const bytes = (await s3.get(name, key)) ?? Buffer.of();
      yield { place: placeOfObject(key), at: `${name}: ${key}`, bytes };
    }
}

const placeOfResource = (type: string, name: string): string =>
  resourcePlaces.find((place) => place.type === type && place.named.test(name))?.name ?? 'no place';

const plainName = (name: string): string => name.replace(/tidemark-local-?/, '');

/** Messages of queues, dead ones included, logs, histories of workflows, and mails. */
async function* otherThings({ cloud }: TestService): AsyncGenerator<Kept> {
  const { storage, engine } = cloud.parts;
  for (const { name } of cloud.deployment.queues)
    for (const bytes of storage.sqs.queue(name).bodies())
      yield { place: placeOfResource('AWS::SQS::Queue', plainName(name)), at: name, bytes };
  for (const { name } of cloud.deployment.logGroups) {
    const bytes = await cloud.logs.read(name.split('/').at(-1) ?? '');
    if (bytes !== '')
      yield { place: placeOfResource('AWS::Logs::LogGroup', plainName(name)), at: name, bytes };
  }
  for (const { machineArn, name, ...rest } of engine.ledger.all()) {
    const place = placeOfResource(
      'AWS::StepFunctions::StateMachine',
      plainName(machineArn.split(':').at(-1) ?? ''),
    );
    yield { place, at: name, bytes: JSON.stringify({ name, ...rest }) };
  }
  for (const mail of storage.ses.inbox())
    yield { place: 'Mailboxes for notices', at: mail.subject, bytes: JSON.stringify(mail) };
}

/** Everything that a service keeps. */
export async function* everythingIn(service: TestService): AsyncGenerator<Kept> {
  yield* itemsOf(service);
  yield* objectsOf(service);
  yield* otherThings(service);
}

/** The bytes, and whatever is compressed in them as a whole or in base64. */
const unfolded = (bytes: Uint8Array | string): readonly Buffer[] => {
  const whole = Buffer.from(bytes);
  const isCompressed = whole[0] === 0x1f && whole[1] === 0x8b;
  const packed = isCompressed ? [whole] : packedIn(whole);
  return [whole, ...packed.flatMap((one) => unfolded(unpacked(one)))];
};

const packedIn = (whole: Buffer): readonly Buffer[] =>
  Array.from(whole.toString('latin1').matchAll(/H4sI[\w+/-]+/g), ([found]) => Buffer.from(found, 'base64'));

const unpacked = (bytes: Buffer): Buffer => {
  try {
    return gunzipSync(bytes);
  } catch {
    return Buffer.of();
  }
};

/** What has a word: in clear, in hexadecimal or in base64, also compressed. */
export const findsOf = async (
  word: string,
  kept: AsyncIterable<Kept> | Iterable<Kept>,
): Promise<readonly Kept[]> => {
  const has = traceFinder(word);
  const finds: Kept[] = [];
  for await (const one of kept) if (has(one.at) || unfolded(one.bytes).some(has)) finds.push(one);
  return finds;
};
