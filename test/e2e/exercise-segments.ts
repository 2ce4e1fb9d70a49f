import * as v from 'valibot';
import { identified } from '../support/api-client.ts';
import { get, post, type Exercise, type Harness } from './exercise-scene.ts';

const at = ({ service }: Harness, path: string): string => `/v1/${service.property}/${path}`;

const makeSegment = async (harness: Harness, definition: unknown = harness.segment): Promise<number> => {
  const body = { name: `C${harness.fresh()}`, definition };
  return (await harness.service.client.post(at(harness, 'segments'), body, identified)).id;
};

const foundSegments = v.array(v.looseObject({ id: v.number() }));

/** The segment of a tag that nobody has any more. */
const makeEmptySegment = async (harness: Harness): Promise<number> => {
  const tag = `T${harness.fresh()}`;
  const tags = [{ datetime: '2026-01-01T00:00:00Z', tag: [tag] }];
  await post(harness, at(harness, 'profiles'), { unique_id: tag, tags });
  await post(harness, at(harness, 'profiles'), { unique_id: tag, remove_tags: [tag] });
  const [segment] = await harness.service.client.get(at(harness, `segments?name=${tag}`), foundSegments);
  if (!segment) throw new Error('the tag has no segment');
  return segment.id;
};

const makeCollection = async (harness: Harness, segment: number): Promise<number> => {
  const body = { name: `L${harness.fresh()}`, segments: [segment] };
  return (await harness.service.client.post(at(harness, 'collections'), body, identified)).id;
};

/** A segment by its name, which the function has to find. */
const byName = { type: 'everyone', name: 'everyone' };

const createSegment = async (harness: Harness, definition: unknown): Promise<unknown> =>
  post(harness, at(harness, 'segments'), { name: `C${harness.fresh()}`, definition });

/** A request may not write to the resources that it names, and dies after it has announced the reference. */
const abandoned = async (harness: Harness, maker: string, make: () => Promise<unknown>): Promise<void> => {
  const restore = harness.service.cloud.gateway.withoutAction(maker, 'dynamodb:PartiQLUpdate');
  await make().finally(restore);
};

const lookedUp = v.object({ profile: v.looseObject({ profile_uuid: v.string() }) });

const explainMembership: Exercise = async (harness) => {
  const { profile } = await harness.service.client.get(
    at(harness, 'profile?email=known%40example.org'),
    lookedUp,
  );
  const path = at(harness, `segments/by-name/profiles/${profile.profile_uuid}`);
  await get(harness, `${path}?segment_type=everyone&segment_name=everyone`);
};

/** Exercises of the functions of custom segments and collections. */
export const segmentExercises: Readonly<Record<string, Exercise>> = {
  createSegment: async (harness) => createSegment(harness, { not: { named: byName } }),
  replaceSegment: async (harness) => {
    const path = at(harness, `segments/${await makeSegment(harness)}`);
    const body = JSON.stringify({ name: 'Edited', definition: { not: { named: byName } } });
    await harness.service.call('PUT', path, { body });
  },
  deleteSegment: async (harness) => {
    const id = await makeSegment(harness);
    await abandoned(harness, 'createCollection', () =>
      post(harness, at(harness, 'collections'), { name: 'L', segments: [id] }),
    );
    await harness.service.call('DELETE', at(harness, `segments/${id}`));
    await harness.service.call('DELETE', at(harness, `segments/${await makeEmptySegment(harness)}`));
  },
  previewSegment: (harness) =>
    post(harness, at(harness, 'segments/preview'), { definition: harness.segment }),
  explainMembership,
  createCollection: async (harness) =>
    post(harness, at(harness, 'collections'), { name: 'L', segments: [harness.segment, byName] }),
  listCollections: async (harness) => {
    for (let made = 0; made < 2; made += 1) await makeCollection(harness, harness.segment);
    await get(harness, at(harness, 'collections?limit=1'));
  },
  getCollection: async (harness) =>
    get(harness, at(harness, `collections/${await makeCollection(harness, harness.segment)}`)),
  replaceCollection: async (harness) => {
    const path = at(harness, `collections/${await makeCollection(harness, harness.segment)}`);
    const body = JSON.stringify({ name: 'Replaced', segments: [await makeSegment(harness), byName] });
    await harness.service.call('PUT', path, { body });
  },
  deleteCollection: async (harness) => {
    const id = await makeCollection(harness, harness.segment);
    await abandoned(harness, 'createExport', () =>
      post(harness, at(harness, 'exports'), { collection: [id] }),
    );
    await harness.service.call('DELETE', at(harness, `collections/${id}`));
  },
};
