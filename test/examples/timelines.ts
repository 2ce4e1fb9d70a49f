import * as v from 'valibot';
import { keys } from '../../shared/table/keys.ts';
import { changeItem } from '../support/change-item.ts';
import type { Recorder } from './recorder.ts';

const anything = v.unknown();
const made = v.looseObject({ id: v.number() });
const madeTimeline = v.looseObject({ id: v.number(), moments: v.tuple([made]) });

/** A timeline of a segment: two moments with a new person between them, the changes, and the chart. */
export const recordTimelines = async (recorder: Recorder, segment: number): Promise<void> => {
  const { record, send, service } = recorder;
  const body = {
    name: 'Jazz audience',
    reference_tile: segment,
    comments: 'Before the season',
    schedule: { hour: '6', timezone: 'Europe/Berlin' },
  };
  const { id, moments } = await record('createTimeline', { body }, madeTimeline);
  const [first] = moments;
  const path = { timeline_id: id };
  await send(
    'createProfile',
    {
      body: {
        email: 'eve@example.org',
        first_name: 'Eve',
        tags: [{ datetime: '2026-05-05 20:15:00', tag: ['Jazz'] }],
      },
    },
    anything,
  );
  // The interval between moments is over.
  await changeItem(service, keys.timeline(service.property, id), { 'latest.created': 1 });
  const second = await record('createMoment', { path }, made);
  await record('getMoment', { path: { ...path, moment_id: second.id } }, anything);
  await record('getTimeline', { path, query: { limit: 1 } }, anything);
  await record('listTimelines', { query: { name: 'jazz' } }, anything);
  await record('listTimelineChanges', { path, query: { from: first.id, to: second.id } }, anything);
  await record('drawTimelineChart', { path, query: { width: 640, height: 320 } }, anything);
  const { url } = await record(
    'createChartLink',
    { path, body: { days: 90 } },
    v.object({ url: v.string() }),
  );
  const capability = new URL(url).pathname.split('/')[2] ?? '';
  await record('showLinkedChart', { path: { capability }, query: { width: 640 } }, anything);
  await record('renameTimeline', { path, body: { name: 'Jazz, all year' } }, anything);
  await record('withdrawChartLinks', { path }, anything);
  await record('deleteTimeline', { path }, anything);
};
