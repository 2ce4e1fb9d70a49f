import type { ItemPlace } from '../../shared/properties/places/item-places.ts';
import {
  placesInAuditLog,
  placesInCredentials,
  placesInData,
  placesInRates,
} from '../../shared/properties/places/places-of-keys.ts';
import { propertyFolders } from '../../shared/properties/folders.ts';
import { auditKeys, rateKeys } from '../../shared/table/request-keys.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import type { Key } from '../../shared/table/keys.ts';
import { itemsOfProperty, itemsOfService } from '../table/sample-keys.ts';

const entry = auditKeys.entry({ account: 1, time: 1, request: 'r' });

/** Samples of the keys of each kind of item, by table. */
const samples: Readonly<Record<Table, Readonly<Record<string, Key>>>> = {
  table: Object.fromEntries(
    Object.entries({ ...itemsOfProperty(7), ...itemsOfService }).map(([kind, [key]]) => [kind, key]),
  ),
  credentials: {
    account: credentialKeys.account(1),
    accountProperty: credentialKeys.accountProperty(1, 7),
    accountUser: credentialKeys.accountUser(1, 2),
    property: credentialKeys.property(7),
    client: credentialKeys.client('h'),
    user: credentialKeys.user('h'),
    userToken: credentialKeys.userToken('h', 1, 'h'),
    token: credentialKeys.token('h'),
    loginFailures: credentialKeys.loginFailures('h', 1),
    counter: credentialKeys.counter('user'),
  },
  auditLog: {
    entry,
    later: auditKeys.later(entry),
    forgetting: auditKeys.forgetting(1, 'a'),
    objection: auditKeys.objection(1, 'a'),
  },
  rates: {
    window: rateKeys.window(1, 2),
    chartViews: rateKeys.chartViews(1, 2),
    opens: rateKeys.opens(1, 2),
    downloadedBytes: rateKeys.downloadedBytes(7, 2),
  },
};

const places: Readonly<Record<Table, Readonly<Record<string, ItemPlace>>>> = {
  table: placesInData,
  credentials: placesInCredentials,
  auditLog: placesInAuditLog,
  rates: placesInRates,
};

/** The tables of the service. */
export type Table = 'table' | 'credentials' | 'auditLog' | 'rates';

/** A pattern of the keys like a sample: words in capitals stand for themselves. */
const patternOf = (key: string): string =>
  key
    .split('#')
    .map((part) => (/^[A-Z-]+$/.test(part) ? part : '[^#]*'))
    .join('#');

/** The sort key decides only between kinds that share a partition: others may end in texts of any form. */
const kindsOf = (table: Table) => {
  const all = Object.entries(samples[table]);
  const partitions = Map.groupBy(all, ([, { pk }]) => patternOf(pk));
  return all.map(([kind, { pk, sk }]) => {
    const isAlone = partitions.get(patternOf(pk))?.length === 1;
    const pattern = new RegExp(`^${patternOf(pk)}\n${isAlone ? '.*' : patternOf(sk)}$`);
    return { place: places[table][kind], pattern };
  });
};
const kinds = {
  table: kindsOf('table'),
  credentials: kindsOf('credentials'),
  auditLog: kindsOf('auditLog'),
  rates: kindsOf('rates'),
};

/** The places that the key of an item may mean: one, if the list of places is complete. */
export const placesOfKey = (table: Table, { pk, sk }: Key): readonly ItemPlace[] => {
  const found = kinds[table].flatMap(({ place, pattern }) =>
    place !== undefined && pattern.test(`${pk}\n${sk}`) ? [place] : [],
  );
  return [...new Set(found)];
};

/** Patterns of the keys of objects in the folders of any property. */
const folders = propertyFolders(1, 7).map(
  (folder) => new RegExp(`^${folder.replaceAll(/\d+/g, String.raw`\d+`)}.`),
);

/** Whether the key of an object lies in a folder of a property. */
export const isInFolder = (key: string): boolean => folders.some((folder) => folder.test(key));
