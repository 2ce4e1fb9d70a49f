/**
 * Unsettled: extras after which work on people is still to be done. It keeps later jobs and exports of the property open
 * for minutes, so these extras come last.
 */
import { dayOf } from '../../shared/membership/calendars/days.ts';
import { keys } from '../../shared/table/keys.ts';
import { claimKey } from '../../shared/catalogue/identity.ts';
import { deletedAs } from '../../shared/catalogue/segment-ids.ts';
import type { SegmentIdentity } from '../../shared/catalogue/types.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { putItem } from '../support/items.ts';
import { enrichImported, storeAmongOthers } from './people.ts';
import { replayForgettings } from './restore.ts';
import { fire, makeJob, without, type Cast, type Extra } from './cast.ts';

const now = (): string => new Date().toISOString();

/** A message to each consumer that makes it read the table. */
const messages: Readonly<Record<string, (cast: Cast) => Promise<object> | object>> = {
  drain: ({ service }) => ({ v: 1, property: service.property, group: 0 }),
  importBatch: async (cast) => {
    const { job_id: job } = await makeJob(cast);
    return { v: 1, property: cast.service.property, job, batch: 'x' };
  },
  enrich: ({ service }) => ({ v: 1, property: service.property, sealed: 'x' }),
  startImport: ({ service, importId, fresh }) => ({
    source: 'aws.transfer',
    'detail-type': 'SFTP Server File Upload Completed',
    detail: {
      'file-path': `/uploads/sftp/1/${service.property}/imports/${importId}/q${fresh()}.csv`,
      bytes: 1,
      etag: 'e',
      'end-timestamp': now(),
    },
  }),
  runScheduled: ({ service }) => ({
    v: 1,
    property: service.property,
    export: service.property * 1_000_000_000 + 1,
    revision: 1,
    time: now(),
    catches_up: false,
  }),
};

/**
 * Makes a consumer give back a message of an unknown shape, and copy a message that meets a busy service at its third
 * receive.
 */
const redeliver = async (cast: Cast, name: string, message: object): Promise<void> => {
  const { cloud } = cast.service;
  const deliver = (body: object, receives: number) => {
    const attributes = { ApproximateReceiveCount: `${receives}`, MessageGroupId: 'test' };
    const record = { messageId: 'm', receiptHandle: 'r', body: JSON.stringify(body), attributes };
    return cloud.invoke(name, { Records: [record] });
  };
  await deliver({}, 1);
  const mend = cloud.gateway.failing(name);
  await deliver(message, 3).finally(mend);
};

const DAY_MS = 86_400_000;

/** Ages at which bands begin, in an order that makes the band below each age new to the service. */
const thresholds = [65, 45, 25, 18];
const THRESHOLDS = thresholds.length;

/** A band that no other scene has, and that a deletion has left without freeing its claim: whoever needs it mends that. */
const halfDeleted: SegmentIdentity = {
  type: 'demographic',
  path: ['Demographics', 'Age'],
  name: 'Age: 55-64',
};

const deleteHalfway = async (service: Cast['service']): Promise<void> => {
  const { property } = service;
  const [segment, successor] = [scopedId(property, 800_000_000), scopedId(property, 800_000_001)];
  const deleted = {
    ...halfDeleted,
    id: segment,
    lifecycle: 'deleted',
    ...deletedAs(successor, { now: Date.now() }),
  };
  await putItem(service, keys.segment(property, segment), { ...deleted, path: [...halfDeleted.path] });
  await putItem(service, claimKey(property, halfDeleted), { segment });
};

/** A person with a birthday on one of the last three days. The function has to follow these days again. */
const followBirthdays: Extra['play'] = async ({ call, service, fresh }) => {
  const { property, cloud } = service;
  if (thresholds.length === THRESHOLDS) await deleteHalfway(service);
  const day = new Date(Date.now() - DAY_MS);
  day.setUTCFullYear(day.getUTCFullYear() - (thresholds.shift() ?? 18));
  const birthday = dayOf(day.getTime());
  await call('createProfile', { body: { email: `birthday${fresh()}@example.org`, birthday } });
  const before = dayOf(Date.now() - 3 * DAY_MS);
  await putItem(service, keys.birthdays(property), { day: before, place: null });
  await putItem(service, keys.allProperties('birthdays'), { day: before, round: null });
  await cloud.invoke('followBirthdays', {});
};

/** A writer that may not delete its journal entry leaves the entry behind. The sweep then requests a drain. */
const sweep: Extra['play'] = async (cast) => {
  await without(cast, ['createProfile', 'dynamodb:PartiQLDelete'], () => storeAmongOthers(cast));
  await fire(cast, 'sweep');
};

export const unsettledExtras: readonly Extra[] = [
  ...Object.entries(messages).map(([name, message]) => ({
    of: [name],
    play: async (cast: Cast) => redeliver(cast, name, await message(cast)),
  })),
  { of: ['enrich', 'importData'], play: enrichImported },
  { of: ['createProfile'], play: storeAmongOthers },
  { of: ['replayForgettings'], play: replayForgettings },
  { of: ['followBirthdays'], play: followBirthdays },
  { of: ['sweep'], play: sweep },
];
