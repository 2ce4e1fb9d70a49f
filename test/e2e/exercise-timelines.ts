import * as v from 'valibot';
import { keys } from '../../shared/table/keys.ts';
import { identified } from '../support/api-client.ts';
import { changeItem } from '../support/change-item.ts';
import { get, post, type Exercise, type Harness } from './exercise-scene.ts';

const at = ({ service }: Harness, path = ''): string => `/v2/properties/${service.property}/timelines${path}`;

const timelineSchema = v.looseObject({ id: v.number(), moments: v.tuple([identified]) });
const tracking = (harness: Harness) => ({ name: `T${harness.fresh()}`, reference_tile: harness.segment });

const makeTimeline = async (harness: Harness): Promise<{ readonly id: number; readonly moment: number }> => {
  const { id, moments } = await harness.service.client.post(at(harness), tracking(harness), timelineSchema);
  return { id, moment: moments[0].id };
};

/** A timeline with a moment that a person left so long ago that the service keeps the fresh count. */
const miscounted = async (harness: Harness): Promise<number> => {
  const { id, moment } = await makeTimeline(harness);
  await changeItem(harness.service, keys.moment(harness.service.property, moment), { touched: 1 });
  return id;
};

/** Exercises of the functions of timelines. */
export const timelineExercises: Readonly<Record<string, Exercise>> = {
  createTimeline: (harness) => post(harness, at(harness), tracking(harness)),
  listTimelines: async (harness) => {
    for (let made = 0; made < 2; made += 1) await makeTimeline(harness);
    await get(harness, at(harness, '?limit=1'));
  },
  getTimeline: async (harness) => {
    const id = await miscounted(harness);
    await get(harness, at(harness, `/${id}`));
    await get(harness, at(harness, `/${id}?cursor=AAAA`));
  },
  renameTimeline: async (harness) => {
    const { id } = await makeTimeline(harness);
    const body = JSON.stringify({ name: `T${harness.fresh()}` });
    await harness.service.call('PUT', at(harness, `/${id}`), { body });
  },
  deleteTimeline: async (harness) => {
    const { id } = await makeTimeline(harness);
    await harness.service.call('DELETE', at(harness, `/${id}`));
  },
  getMoment: async (harness) => {
    const { id, moment } = await makeTimeline(harness);
    await changeItem(harness.service, keys.moment(harness.service.property, moment), { touched: 1 });
    await get(harness, at(harness, `/${id}/moments/${moment}`));
  },
  createMoment: async (harness) => {
    const { id } = await makeTimeline(harness);
    await changeItem(harness.service, keys.timeline(harness.service.property, id), { 'latest.created': 1 });
    await post(harness, at(harness, `/${id}/moments`), {});
  },
  addScheduledMoments: async (harness) => {
    const { property, cloud } = harness.service;
    const body = { ...tracking(harness), schedule: { hour: '6' } };
    const { id } = await harness.service.client.post(at(harness), body, timelineSchema);
    await changeItem(harness.service, keys.timeline(property, id), { 'latest.created': 1 });
    const due = { property, timeline: id, time: 1 };
    await changeItem(harness.service, keys.due(due), due);
    await cloud.fireSchedule('tidemark-local-addScheduledMoments').catch(() => undefined);
  },
  listTimelineChanges: async (harness) => {
    const { id, moment } = await makeTimeline(harness);
    await get(harness, at(harness, `/${id}/changes?from=${moment}&to=${moment}`));
  },
  drawTimelineChart: async (harness) => get(harness, at(harness, `/${await miscounted(harness)}/chart.svg`)),
  createChartLink: async (harness) => {
    const { id } = await makeTimeline(harness);
    await post(harness, at(harness, `/${id}/chart-links`), {});
  },
  withdrawChartLinks: async (harness) => {
    const { id } = await makeTimeline(harness);
    await harness.service.call('DELETE', at(harness, `/${id}/chart-links`));
  },
  showLinkedChart: async (harness) => {
    const id = await miscounted(harness);
    const link = v.object({ url: v.string() });
    const { url } = await harness.service.client.post(at(harness, `/${id}/chart-links`), {}, link);
    await get(harness, new URL(url).pathname);
  },
  clearUpMoments: async (harness) => {
    const { property, cloud } = harness.service;
    const { id, moment } = await makeTimeline(harness);
    // One moment whose request died after the moment came, and one moment that never came.
    for (const segment of [moment, moment + 1_000_000]) {
      const making = { property, timeline: id, segment, since: 1 };
      await changeItem(harness.service, keys.making(property, segment), making);
    }
    await cloud.fireSchedule('tidemark-local-clearUpMoments').catch(() => undefined);
  },
};
