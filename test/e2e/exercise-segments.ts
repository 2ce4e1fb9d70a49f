import * as v from 'valibot';
import { identified } from '../../cli/api-client.ts';
import { get, post, type Exercise, type World } from './exercise-scene.ts';

const at = ({ service }: World, path: string): string => `/v1/${service.property}/${path}`;

const makeSegment = async (world: World, definition: unknown = world.segment): Promise<number> => {
  const body = { name: `C${world.fresh()}`, definition };
  return (await world.service.client.post(at(world, 'segments'), body, identified)).id;
};

const makeCollection = async (world: World, segment: number): Promise<number> => {
  const body = { name: `L${world.fresh()}`, segments: [segment] };
  return (await world.service.client.post(at(world, 'collections'), body, identified)).id;
};

const createSegment = async (world: World, definition: unknown): Promise<unknown> =>
  post(world, at(world, 'segments'), { name: `C${world.fresh()}`, definition });

/** A request may not write to the resources that it names, and dies after it has announced the reference. */
const abandoned = async (world: World, maker: string, make: () => Promise<unknown>): Promise<void> => {
  const restore = world.service.cloud.gateway.withoutAction(maker, 'dynamodb:PartiQLUpdate');
  await make().finally(restore);
};

const lookedUp = v.object({ profile: v.looseObject({ profile_uuid: v.string() }) });

const explainMembership: Exercise = async (world) => {
  const { profile } = await world.service.client.get(
    at(world, 'profile?email=known%40example.org'),
    lookedUp,
  );
  await get(world, at(world, `segments/${world.segment}/profiles/${profile.profile_uuid}`));
};

/** Exercises of the functions of custom segments and collections. */
export const segmentExercises: Readonly<Record<string, Exercise>> = {
  createSegment: async (world) => createSegment(world, { not: world.segment }),
  replaceSegment: async (world) => {
    const path = at(world, `segments/${await makeSegment(world)}`);
    const body = JSON.stringify({ name: 'Edited', definition: { not: world.segment } });
    await world.service.call('PUT', path, { body });
  },
  deleteSegment: async (world) => {
    const id = await makeSegment(world);
    await abandoned(world, 'createCollection', () =>
      post(world, at(world, 'collections'), { name: 'L', segments: [id] }),
    );
    await world.service.call('DELETE', at(world, `segments/${id}`));
  },
  previewSegment: (world) => post(world, at(world, 'segments/preview'), { definition: world.segment }),
  explainMembership,
  createCollection: async (world) =>
    post(world, at(world, 'collections'), { name: 'L', segments: [world.segment] }),
  listCollections: async (world) => {
    for (let made = 0; made < 2; made += 1) await makeCollection(world, world.segment);
    await get(world, at(world, 'collections?limit=1'));
  },
  getCollection: async (world) =>
    get(world, at(world, `collections/${await makeCollection(world, world.segment)}`)),
  replaceCollection: async (world) => {
    const path = at(world, `collections/${await makeCollection(world, world.segment)}`);
    const body = JSON.stringify({ name: 'Replaced', segments: [await makeSegment(world)] });
    await world.service.call('PUT', path, { body });
  },
  deleteCollection: async (world) => {
    const id = await makeCollection(world, world.segment);
    await abandoned(world, 'createExport', () => post(world, at(world, 'exports'), { collection: [id] }));
    await world.service.call('DELETE', at(world, `collections/${id}`));
  },
};
