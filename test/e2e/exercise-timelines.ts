import * as v from 'valibot';
import { identified } from '../../cli/api-client.ts';
import { keys } from '../../shared/table/keys.ts';
import { changeItem } from '../support/change-item.ts';
import { get, post, type Exercise, type World } from './exercise-scene.ts';

const at = ({ service }: World, path = ''): string => `/v2/properties/${service.property}/timelines${path}`;

const timelineSchema = v.looseObject({ id: v.number(), moments: v.tuple([identified]) });
const tracking = (world: World) => ({ name: `T${world.fresh()}`, reference_tile: world.segment });

const makeTimeline = async (world: World): Promise<{ readonly id: number; readonly moment: number }> => {
  const { id, moments } = await world.service.client.post(at(world), tracking(world), timelineSchema);
  return { id, moment: moments[0].id };
};

/** A timeline with a moment that a person left so long ago that the service keeps the fresh count. */
const miscounted = async (world: World): Promise<number> => {
  const { id, moment } = await makeTimeline(world);
  await changeItem(world.service, keys.moment(world.service.property, moment), { touched: 1 });
  return id;
};

/** Exercises of the functions of timelines. */
export const timelineExercises: Readonly<Record<string, Exercise>> = {
  createTimeline: (world) => post(world, at(world), tracking(world)),
  listTimelines: async (world) => {
    for (let made = 0; made < 2; made += 1) await makeTimeline(world);
    await get(world, at(world, '?limit=1'));
  },
  getTimeline: async (world) => {
    const id = await miscounted(world);
    await get(world, at(world, `/${id}`));
    await get(world, at(world, `/${id}?cursor=AAAA`));
  },
  renameTimeline: async (world) => {
    const { id } = await makeTimeline(world);
    const body = JSON.stringify({ name: `T${world.fresh()}` });
    await world.service.call('PUT', at(world, `/${id}`), { body });
  },
  deleteTimeline: async (world) => {
    const { id } = await makeTimeline(world);
    await world.service.call('DELETE', at(world, `/${id}`));
  },
  getMoment: async (world) => {
    const { id, moment } = await makeTimeline(world);
    await changeItem(world.service, keys.moment(world.service.property, moment), { touched: 1 });
    await get(world, at(world, `/${id}/moments/${moment}`));
  },
  createMoment: async (world) => {
    const { id } = await makeTimeline(world);
    await changeItem(world.service, keys.timeline(world.service.property, id), { 'latest.created': 1 });
    await post(world, at(world, `/${id}/moments`), {});
  },
  addScheduledMoments: async (world) => {
    const { property, cloud } = world.service;
    const body = { ...tracking(world), schedule: { hour: '6' } };
    const { id } = await world.service.client.post(at(world), body, timelineSchema);
    await changeItem(world.service, keys.timeline(property, id), { 'latest.created': 1 });
    const due = { property, timeline: id, time: 1 };
    await changeItem(world.service, keys.due(due), due);
    await cloud.fireSchedule('tidemark-local-addScheduledMoments').catch(() => undefined);
  },
  listTimelineChanges: async (world) => {
    const { id, moment } = await makeTimeline(world);
    await get(world, at(world, `/${id}/changes?from=${moment}&to=${moment}`));
  },
  drawTimelineChart: async (world) => get(world, at(world, `/${await miscounted(world)}/chart.svg`)),
  clearUpMoments: async (world) => {
    const { property, cloud } = world.service;
    const { id, moment } = await makeTimeline(world);
    // One moment whose request died after the moment came, and one moment that never came.
    for (const segment of [moment, moment + 1_000_000]) {
      const making = { property, timeline: id, segment, since: 1 };
      await changeItem(world.service, keys.making(property, segment), making);
    }
    await cloud.fireSchedule('tidemark-local-clearUpMoments').catch(() => undefined);
  },
};
