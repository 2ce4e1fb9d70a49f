import * as v from 'valibot';
import { KNOWN, made, secondPage, tagged, without, type Cast, type Extra } from './cast.ts';
import { keys } from '../../shared/table/keys.ts';
import { changePresent } from '../support/items.ts';
import { until } from '../support/until.ts';
import type { Stage } from './stage.ts';
import { lookAtTasks } from './tasks.ts';

/** Segments and collections. Returns the segment of everyone who likes jazz. `person` is the UUID of such a person. */
export const playSegments = async (stage: Stage, person: string): Promise<number> => {
  const { show, call, service } = stage;
  const [jazz] = await show('findSegments', { query: { name: 'jazz' } }, v.tuple([made]));
  const path = { segment_id: jazz.id };
  await show('getSegment', { path });
  await show('listSegmentProfiles', { path, query: { limit: 1, include: ['age', 'tags'] } });
  await show('explainMembership', { path: { ...path, profile_uuid: person } });
  const subscribers = { named: { type: 'tag', name: 'Subscriber' } };
  await show('previewSegment', { body: { definition: { all: [jazz.id, { not: subscribers }] } } });
  const where = { field: 'created', op: 'within_days', value: 30 };
  await call('previewSegment', { body: { definition: { all: [jazz.id, { where }] } } });
  const { id } = await show(
    'createSegment',
    { body: { name: 'Jazz, no subscription', definition: { all: [jazz.id, { not: subscribers }] } } },
    made,
  );
  const body = {
    name: 'Jazz or opera',
    definition: { any: [jazz.id, { named: { type: 'tag', name: 'Opera' } }] },
  };
  const replaced = await show('replaceSegment', { path: { segment_id: id }, body }, made);
  await service.cloud.fireSchedule('tidemark-local-measureSizes');
  await show('listSegmentSizes', { query: { limit: 2 } });
  await playCollections(stage, jazz.id);
  await show('deleteSegment', { path: { segment_id: replaced.id } });
  await call('createSegment', { body: { name: 'No jazz', definition: { not: jazz.id } } }, made);
  return jazz.id;
};

const playCollections = async ({ show }: Stage, jazz: number): Promise<void> => {
  const opera = { type: 'tag', name: 'Opera' };
  const body = { name: 'Spring season', segments: [jazz, opera] };
  const { id } = await show('createCollection', { body }, made);
  const path = { collection_id: id };
  await show('getCollection', { path });
  await show('listCollections', { query: { name: 'spring' } });
  await show('replaceCollection', { path, body: { name: 'Summer season', segments: [jazz] } });
  await show('deleteCollection', { path });
};

/** A segment by its name, which the function has to find. */
const byName = { type: 'everyone', name: 'everyone' };

const makeSegment = async ({ call, everyone, fresh }: Cast): Promise<number> =>
  (await call('createSegment', { body: { name: `C${fresh()}`, definition: everyone } }, made)).id;

const makeCollection = async ({ call, everyone, fresh }: Cast): Promise<number> =>
  (await call('createCollection', { body: { name: `L${fresh()}`, segments: [everyone] } }, made)).id;

/** The segment of a tag that nobody has any more. */
const makeEmptySegment = async ({ call, fresh }: Cast): Promise<number> => {
  const tag = `T${fresh()}`;
  await call('createProfile', { body: { unique_id: tag, tags: tagged(tag) } });
  await call('createProfile', { body: { unique_id: tag, remove_tags: [tag] } });
  return (await call('findSegments', { query: { name: tag } }, v.tuple([made])))[0].id;
};

/** A request may not write to the resources that it names, and dies after it has announced the reference. */
const abandon = (cast: Cast, maker: string, body: object): Promise<void> =>
  without(cast, [maker, 'dynamodb:PartiQLUpdate'], () => cast.call(maker, { body }));

const deleteSegments: Extra['play'] = async (cast) => {
  const id = await makeSegment(cast);
  await abandon(cast, 'createExport', { segment: [id] });
  for (const segment_id of [id, await makeEmptySegment(cast)])
    await cast.call('deleteSegment', { path: { segment_id } });
};

const changeCollections: Extra['play'] = async (cast) => {
  const collection_id = await makeCollection(cast);
  const body = { name: 'Replaced', segments: [await makeSegment(cast), byName] };
  await cast.call('replaceCollection', { path: { collection_id }, body });
  await abandon(cast, 'createExport', { collection: [collection_id] });
  await cast.call('deleteCollection', { path: { collection_id } });
};

const explainByName: Extra['play'] = async ({ call }) => {
  const answer = v.object({ profile: v.looseObject({ profile_uuid: v.string() }) });
  const { profile } = await call('getProfile', { query: { email: KNOWN } }, answer);
  const path = { segment_id: 'by-name', profile_uuid: profile.profile_uuid };
  const query = { segment_type: byName.type, segment_name: byName.name };
  await call('explainMembership', { path, query });
};

/** A condition that becomes ready, and is deleted. Every process has long seen its states. */
const prepareCondition: Extra['play'] = async (cast) => {
  const { call, service } = cast;
  const where = { field: 'email', op: 'contains', value: `@x${cast.fresh()}` };
  const { id } = await call('createSegment', { body: { name: 'At x', where } }, made);
  const path = { segment_id: id };
  await call('replaceSegment', { path, body: { name: 'At an x', where } });
  const seen = async (state: 'preparing' | 'dropped'): Promise<void> => {
    await changePresent(service, keys.conditions(service.property), { [state]: [{ id, since: 1 }] });
    await lookAtTasks(cast);
  };
  await seen('preparing');
  await until('a condition that is ready', async () => {
    await lookAtTasks(cast);
    const { ready } = await call('getSegment', { path }, v.looseObject({ ready: v.boolean() }));
    return ready;
  });
  await call('listProfileSegments', { query: { email: KNOWN } });
  await call('deleteSegment', { path });
  await seen('dropped');
};

export const segmentExtras: readonly Extra[] = [
  { of: ['reconcileTasks', 'createSegment', 'replaceSegment'], play: prepareCondition },
  { of: ['findSegments'], play: ({ call }) => call('findSegments', { query: { limit: 1 } }) },
  { of: ['explainMembership'], play: explainByName },
  { of: ['deleteSegment'], play: deleteSegments },
  { of: ['replaceCollection', 'deleteCollection'], play: changeCollections },
  {
    of: ['listCollections'],
    play: (cast) => secondPage(cast, 'listCollections', () => makeCollection(cast)),
  },
];
