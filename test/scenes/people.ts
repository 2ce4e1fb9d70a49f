import * as v from 'valibot';
import { exportFolderOf, folderOf } from '../../shared/properties/folders.ts';
import { keys } from '../../shared/table/keys.ts';
import { putItem } from '../support/items.ts';
import { operate } from '../support/operate.ts';
import { until } from '../support/until.ts';
import {
  JOB_ENDS_WITHIN_MS,
  KNOWN,
  letOthersLead,
  putObject,
  removeObjects,
  runBatch,
  runExport,
  secondPage,
  sendFile,
  stored as rowsStored,
  tagged,
  withDrainsHeld,
  type Cast,
  type Extra,
} from './cast.ts';
import type { Stage } from './stage.ts';
import { lookAtTasks } from './tasks.ts';

const made = v.looseObject({ id: v.string() });
const stored = v.looseObject({ profile_uuid: v.string() });

/** Visitors of the concert hall. */
const visitors = [
  {
    email: 'ann@example.org',
    first_name: 'Ann',
    last_name: 'Lee',
    city: 'Leeds',
    country: 'GB',
    tags: [{ datetime: '2026-05-02 19:30:00', tag: ['Jazz', 'Subscriber'] }],
  },
  {
    email: 'bob@example.org',
    first_name: 'Bob',
    last_name: 'Ray',
    tags: [{ datetime: '2026-05-03 19:30:00', tag: ['Opera'] }],
  },
];

/** People: stores visitors, looks one of them up, and forgets one. Returns the UUID of Clara, who likes jazz. */
export const playPeople = async (stage: Stage): Promise<string> => {
  const { show, call } = stage;
  // Before the first call: a process knows of other rules half a minute later.
  await searchByName(stage);
  for (const body of visitors) await call('createProfile', { body }, stored);
  const { profile_uuid } = await show(
    'createProfile',
    {
      headers: { 'idempotency-key': 'order-4711' },
      body: {
        email: 'clara@example.org',
        first_name: 'Clara',
        last_name: 'Noor',
        phone_number: '+4930901820',
        gender: 'Female',
        address: { city: 'Berlin', country: 'DE', postal_code: '10117' },
        tags: [{ datetime: '2026-05-04 19:30:00', tag: ['Jazz'] }],
        consent: [
          { channel: 'email', state: 'given', datetime: '2026-05-04 18:45:00', source: 'box office' },
        ],
        extra_data: { seat: 'A12' },
      },
    },
    stored,
  );
  const clara = { email: 'clara@example.org' };
  await show('getProfile', { query: { ...clara, include: ['tags', 'consent', 'extra_data'] } });
  await show('accessRequest', { query: clara });
  await show('listProfileSegments', { query: clara });
  await playSearch(stage);
  const body = { email: 'dan@example.org', first_name: 'Dan', last_name: 'Fox' };
  await call('createProfile', { body }, stored);
  await show('forgetProfile', { query: { email: 'dan@example.org' } });
  const objection = { email: 'eve@example.org', scope: 'storage' } as const;
  const { id } = await show('createObjection', { body: objection }, made);
  await show('listObjections');
  await show('endObjection', { path: { objection: id } });
  await playErasure(stage);
  return profile_uuid;
};

/** Somebody is found by name. */
const playSearch = async ({ show, call }: Stage): Promise<void> => {
  const body = { unique_id: 'K-1', first_name: 'Jana', last_name: 'Müller', city: 'Köln' };
  await call('createProfile', { body }, stored);
  await show('findPeople', { query: { last_name: 'Mueller', city: 'Köln' } });
};

/** The rules of the property once everybody is found by name. */
const searchByName = ({ service }: Stage): Promise<unknown> =>
  putItem(service, keys.rules(service.property), {
    ...{ profile_months: null, file_days: null, special_categories: true },
    ...{ names_since: 1, names_ready: 1 },
  });

/** Everybody of an old list is forgotten. */
const playErasure = async ({ show, call, service }: Stage): Promise<void> => {
  const tags = [{ datetime: '2019-02-03 10:00:00', tag: ['Raffle 2019'] }];
  for (const name of ['finn', 'gina'])
    await call('createProfile', { body: { email: `${name}@example.org`, tags } }, stored);
  const segment = { type: 'tag', name: 'Raffle 2019' } as const;
  const { id } = await show(
    'createErasure',
    { body: { segment, profiles: 2 } },
    v.looseObject({ id: v.number() }),
  );
  await service.cloud.fireSchedule('tidemark-local-reconcileTasks');
  await show('getErasure', { path: { erasure_id: id } });
  await show('listErasures', { query: { limit: 5 } });
};

const newAddress = ({ fresh }: Cast): string => `new${fresh()}@example.org`;

/** The file of a person that is too large for an answer gets an address of its own. */
const largeAccessRequest: Extra['play'] = async ({ call, service, fresh }) => {
  const unique_id = `large-${fresh()}`;
  // Quotes take four bytes in an answer.
  await call('createProfile', { body: { unique_id, extra_data: { notes: '"'.repeat(150_000) } } });
  const path = `/v1/${service.property}/profile/access-request?unique_id=${unique_id}`;
  await service.call('GET', path, { follow: true });
  // Exports need not print this person.
  await call('forgetProfile', { query: { unique_id } });
};

/**
 * A new person with a token that an enricher knows, then the same person with a new tag. Another request leads the group of
 * people meanwhile.
 */
export const storeAmongOthers: Extra['play'] = async (cast) => {
  await letOthersLead(cast);
  const person = { email: newAddress(cast), social_token: `t${cast.fresh()}` };
  await cast.call('createProfile', { body: person });
  await cast.call('createProfile', { body: { ...person, tags: tagged(`tag ${cast.fresh()}`) } });
};

/** Somebody whom the service knows objects to every use while another request leads the group, and takes it back. */
const objectAmongOthers: Extra['play'] = async (cast) => {
  const { call } = cast;
  const email = newAddress(cast);
  await call('createProfile', { body: { email, source: 'shop' } });
  await letOthersLead(cast);
  const { id } = await call('createObjection', { body: { email, scope: 'use' } }, made);
  // A record that is stored without use makes no segment. The end of the objection makes it.
  await call('createProfile', { body: { email, tags: tagged(`unused ${cast.fresh()}`) } });
  await letOthersLead(cast);
  await call('endObjection', { path: { objection: id } });
};

/** Somebody is forgotten while an export has members, and another export's members are gone; then its file is opened. */
const forgetBesideExports: Extra['play'] = async (cast) => {
  const { call, service } = cast;
  await runExport(cast);
  const path = await runExport(cast);
  const { location } = await call('getExportJob', { path }, v.looseObject({ location: v.string() }));
  removeObjects(cast, 'exports', `p${service.property}/${path.export_id}/${path.job_id}/members-`);
  const email = newAddress(cast);
  await call('createProfile', { body: { email } });
  await call('forgetProfile', { query: { email } });
  await (await fetch(location)).arrayBuffer();
};

/** Begins an erasure once the index shows everything. */
const erase = async ({ call, fresh }: Cast): Promise<void> => {
  const name = `erased ${fresh()}`;
  await call('createProfile', { body: { email: `erased${fresh()}@example.org`, tags: tagged(name) } });
  const body = { segment: { type: 'tag', name }, profiles: 1 };
  const unlessBehind = (refused: unknown): undefined => {
    if (!String(refused).includes('index_behind')) throw refused;
  };
  await until(
    'an erasure',
    () => call('createErasure', { body }, v.looseObject({})).catch(unlessBehind),
    JOB_ENDS_WITHIN_MS,
  );
};

/** An erasure waits for rows that are not indexed. */
const eraseBesideImport: Extra['play'] = async (cast) => {
  const begun: Promise<void>[] = [];
  await withDrainsHeld(cast, 'createErasure', async () => {
    await rowsStored(cast, await sendFile(cast, `email,first_name,tags\n${newAddress(cast)},A,b\n`));
    begun.push(erase(cast).catch(() => undefined));
  });
  await Promise.all(begun);
};

/** A property with an outdated profile, and with files that are too old. */
const keepRules: Extra['play'] = async (cast) => {
  const { service, fresh } = cast;
  const command = { command: 'property.create', account: 1, name: `kept ${fresh()}` };
  const { property } = v.parse(v.looseObject({ property: v.number() }), await operate(service, command));
  await putObject(cast, 'uploads', `${folderOf('uploads', property)}a`);
  await putObject(cast, 'work', `${folderOf('refused', property)}a`);
  await putObject(cast, 'exports', `${exportFolderOf('files', property)}1/2/file`);
  await operate(service, { command: 'property.set', property, profile_months: 2 });
  await putItem(service, keys.rules(property), {
    ...{ profile_months: 2, file_days: 0, special_categories: true },
  });
  await putItem(service, keys.counter(property, 'ordinal'), { value: 1 });
  await putItem(service, keys.profile(property, 0), { state: '[]', updated_at: 1 });
  await lookAtTasks(cast);
};

/**
 * A person of an import with a token: the answer repeats the identities of the import, and stays beneath them. A second
 * job repeats the row, so the writer of the second answer reads the repeated row.
 */
export const enrichImported: Extra['play'] = async (cast) => {
  // So many that the second job keeps its restatements beside the people, where the answers meet them.
  const records = Array.from({ length: 10 }, () => {
    const name = cast.fresh();
    return { email: `e${name}@example.org`, social_token: `t${name}` };
  });
  for (let jobs = 0; jobs < 2; jobs += 1) await runBatch(cast, records);
};

/** Rows rename somebody, and an enricher knows the town: where people are found by name, a pointer ends with each. */
const renameImported: Extra['play'] = async (cast) => {
  const email = newAddress(cast);
  await runBatch(cast, [{ email, last_name: 'Falk' }]);
  await runBatch(cast, [{ email, last_name: 'Noor', social_token: `town${cast.fresh()}` }]);
};

const peoplePages: Extra['play'] = (cast) => secondPage(cast, 'listErasures', () => erase(cast));

export const peopleExtras: readonly Extra[] = [
  {
    of: ['getProfile'],
    play: ({ call }) => call('getProfile', { query: { email: KNOWN, include: ['segments'] } }),
  },
  { of: ['importBatch', 'enrich'], play: renameImported },
  { of: ['listErasures'], play: peoplePages },
  { of: ['createErasure'], play: eraseBesideImport },
  { of: ['reconcileTasks'], play: keepRules },
  { of: ['accessRequest'], play: largeAccessRequest },
  { of: ['createObjection', 'endObjection'], play: objectAmongOthers },
  { of: ['forgetProfile', 'download'], play: forgetBesideExports },
];
