import * as v from 'valibot';
import { keys } from '../../shared/table/keys.ts';
import { changeItem, putItem } from '../support/items.ts';
import { made, secondPage, type Cast, type Extra } from './cast.ts';
import type { Stage } from './stage.ts';
import { lookAtTasks } from './tasks.ts';

const madeTimeline = v.looseObject({ id: v.number(), moments: v.tuple([made]) });

/** A timeline of a segment: two moments with a new person between them, the changes, and the chart. */
export const playTimelines = async (stage: Stage, segment: number): Promise<void> => {
  const { show, call, service } = stage;
  const body = {
    name: 'Jazz audience',
    reference_tile: segment,
    comments: 'Before the season',
    schedule: { hour: '3', timezone: 'Europe/Berlin' },
  };
  const { id, moments } = await show('createTimeline', { body }, madeTimeline);
  const [first] = moments;
  const path = { timeline_id: id };
  await call('createProfile', {
    body: {
      email: 'eve@example.org',
      first_name: 'Eve',
      tags: [{ datetime: '2026-05-05 20:15:00', tag: ['Jazz'] }],
    },
  });
  // The interval between moments is over.
  await changeItem(service, keys.timeline(service.property, id), { 'latest.created': 1 });
  const second = await show('createMoment', { path }, made);
  await show('getMoment', { path: { ...path, moment_id: second.id } });
  await show('getTimeline', { path, query: { limit: 1 } });
  await show('listTimelines', { query: { name: 'jazz' } });
  await show('listTimelineChanges', { path, query: { from: first.id, to: second.id } });
  await show('drawTimelineChart', { path, query: { timezone: 'Europe/Berlin', width: 640 } });
  const { url } = await show('createChartLink', { path, body: { days: 90 } }, v.object({ url: v.string() }));
  const capability = new URL(url).pathname.split('/')[2] ?? '';
  await show('showLinkedChart', { path: { capability }, query: { width: 640 } });
  await show('renameTimeline', { path, body: { name: 'Jazz, all year' } });
  await show('withdrawChartLinks', { path });
  await show('deleteTimeline', { path });
};

/** A new timeline of everyone. */
const track = async ({ call, everyone, fresh }: Cast, more: object = {}) => {
  const body = { name: `T${fresh()}`, reference_tile: everyone, ...more };
  const { id, moments } = await call('createTimeline', { body }, madeTimeline);
  return { timeline_id: id, moment_id: moments[0].id };
};

/** A timeline with a moment that a person left so long ago that the service keeps the fresh count. */
const miscounted = async (cast: Cast) => {
  const path = await track(cast);
  await changeItem(cast.service, keys.moment(cast.service.property, path.moment_id), { touched: 1 });
  return path;
};

const readMiscounted: Extra['play'] = async (cast) => {
  for (const read of ['getMoment', 'getTimeline', 'drawTimelineChart'])
    await cast.call(read, { path: await miscounted(cast) });
  const path = await miscounted(cast);
  const { url } = await cast.call('createChartLink', { path, body: {} }, v.object({ url: v.string() }));
  await cast.service.call('GET', new URL(url).pathname);
};

/**
 * A schedule adds a moment, which would be too early at its first time, then ends with its timeline. Another timeline had its
 * first time before anybody knew its schedule, and a third one is deleted without the look at its task.
 */
const runSchedules: Extra['play'] = async (cast) => {
  const { service, call } = cast;
  const { property } = service;
  const tracked = () => track(cast, { schedule: { hour: '6' } });
  const [{ timeline_id }, missed, gone] = [await tracked(), await tracked(), await tracked()];
  const ids = [missed.timeline_id];
  const key = keys.task(property, `timeline-schedule#${property}#${missed.timeline_id}`);
  const state = { since: Date.now() - 90_000_000 };
  // The whole task: the look of this minute may have ended it.
  await putItem(service, key, { kind: 'timeline-schedule', property, ids, due: 0, step: 0, until: 0, state });
  await lookAtTasks(cast);
  const run = (timeline: number) => {
    const body = JSON.stringify({ v: 1, property, timeline, time: new Date(), catches_up: false });
    return service.cloud.invoke('runScheduled', { Records: [{ messageId: 'm', receiptHandle: 'r', body }] });
  };
  await run(timeline_id);
  await changeItem(service, keys.timeline(property, timeline_id), { 'latest.created': 1 });
  await run(timeline_id);
  await call('deleteTimeline', { path: { timeline_id: gone.timeline_id } });
  await run(gone.timeline_id);
  await call('deleteTimeline', { path: { timeline_id } });
  await lookAtTasks(cast);
};

/** One moment whose request died after the moment came, and one moment that never came. */
const clearUpMoments: Extra['play'] = async (cast) => {
  const { property } = cast.service;
  const { timeline_id: timeline, moment_id } = await track(cast);
  for (const segment of [moment_id, moment_id + 1_000_000]) {
    const key = keys.task(property, `moment#${property}#${timeline}#${segment}`);
    const facts = { kind: 'moment', property, ids: [timeline, segment] };
    await changeItem(cast.service, key, { ...facts, due: 1, step: 1, until: 0, state: {} });
  }
  await lookAtTasks(cast);
};

export const timelineExtras: readonly Extra[] = [
  { of: ['getMoment', 'getTimeline', 'drawTimelineChart', 'showLinkedChart'], play: readMiscounted },
  { of: ['listTimelines'], play: (cast) => secondPage(cast, 'listTimelines', () => track(cast)) },
  { of: ['runScheduled', 'reconcileTasks', 'createTimeline', 'deleteTimeline'], play: runSchedules },
  { of: ['reconcileTasks'], play: clearUpMoments },
];
