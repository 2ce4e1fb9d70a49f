import * as v from 'valibot';
import type { Recorder } from './recorder.ts';

const made = v.looseObject({ id: v.string() });
const anything = v.unknown();
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
export const recordPeople = async (recorder: Recorder): Promise<string> => {
  const { record, send } = recorder;
  for (const body of visitors) await send('createProfile', { body }, stored);
  const { profile_uuid } = await record(
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
  await record('getProfile', { query: { ...clara, include: ['tags', 'consent', 'extra_data'] } }, anything);
  await record('accessRequest', { query: clara }, anything);
  await record('listProfileSegments', { query: clara }, anything);
  const body = { email: 'dan@example.org', first_name: 'Dan', last_name: 'Fox' };
  await send('createProfile', { body }, stored);
  await record('forgetProfile', { query: { email: 'dan@example.org' } }, anything);
  const objection = { email: 'eve@example.org', scope: 'storage' } as const;
  const { id } = await record('createObjection', { body: objection }, made);
  await record('listObjections', {}, anything);
  await record('endObjection', { path: { objection: id } }, anything);
  await recordErasure(recorder);
  return profile_uuid;
};

/** Everybody of an old list is forgotten. */
const recordErasure = async ({ record, send, service }: Recorder): Promise<void> => {
  const tags = [{ datetime: '2019-02-03 10:00:00', tag: ['Raffle 2019'] }];
  for (const name of ['finn', 'gina'])
    await send('createProfile', { body: { email: `${name}@example.org`, tags } }, stored);
  const segment = { type: 'tag', name: 'Raffle 2019' } as const;
  const { id } = await record(
    'createErasure',
    { body: { segment, profiles: 2 } },
    v.looseObject({ id: v.number() }),
  );
  await service.cloud.fireSchedule('tidemark-local-keepUp');
  await record('getErasure', { path: { erasure_id: id } }, anything);
  await record('listErasures', { query: { limit: 5 } }, anything);
};
