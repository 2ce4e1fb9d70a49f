/** Read all: what a service answers about everything that the concert hall has stored and that does not expire. */
import * as v from 'valibot';
import type { Sent } from '../../functions/edge/openapi/examples.ts';
import { identified, segmentOf, type Send } from './concert-hall.ts';

const anything = v.unknown();

/** The answers of a service by request. */
export type Answers = Readonly<Record<string, unknown>>;

const people = ['clara@example.org', 'late@example.org', 'guest0@example.org', 'guest1@example.org'];

/**
 * Reads everything. Addresses are below `https://tidemark.example`. Times that follow from the time of the reading are
 * left out: of the next run of a schedule, and of a count.
 */
export const readAll = async (send: Send, baseUrl: string): Promise<Answers> => {
  const answers: Record<string, unknown> = {};
  const read: Send = async (operation, sent, schema) => {
    const body = await send(operation, sent, anything);
    const text = JSON.stringify(body)
      .replaceAll(baseUrl, 'https://tidemark.example')
      .replaceAll(/"(next_run|as_of)":"[^"]*"/g, '"$1":null');
    answers[requestOf(operation, sent)] = JSON.parse(text);
    return v.parse(schema, body);
  };
  for (const email of people) {
    const include = ['tags', 'consent', 'extra_data', 'segments'];
    await read('getProfile', { query: { email, include } }, anything);
    await read('listProfileSegments', { query: { email } }, anything);
  }
  await readSegments(read);
  await readTimelines(read);
  await readDefinitions(read);
  return answers;
};

const requestOf = (operation: string, { path, query }: Sent): string =>
  `${operation} ${JSON.stringify({ ...path, ...query })}`;

/** More than each list has. */
const limit = 100;

const readSegments = async (read: Send): Promise<void> => {
  const jazz = await segmentOf(read, 'Jazz');
  const own = await read('findSegments', { query: { name: 'Jazz alone' } }, v.array(identified));
  for (const segment_id of [jazz, ...own.map(({ id }) => Number(id))]) {
    await read('getSegment', { path: { segment_id } }, anything);
    await read('listSegmentProfiles', { path: { segment_id }, query: { limit } }, anything);
  }
};

const readTimelines = async (read: Send): Promise<void> => {
  const withMoments = v.looseObject({ ...identified.entries, moments: v.array(identified) });
  const timelines = await read('listTimelines', {}, v.array(withMoments));
  for (const timeline of timelines) {
    const path = { timeline_id: Number(timeline.id) };
    const ids = timeline.moments.map(({ id }) => Number(id));
    const [from, to] = [Math.min(...ids), Math.max(...ids)];
    await read('getTimeline', { path, query: { limit } }, anything);
    await read('listTimelineChanges', { path, query: { from, to, limit } }, anything);
    for (const moment_id of ids) await read('getMoment', { path: { ...path, moment_id } }, anything);
  }
};

const readDefinitions = async (read: Send): Promise<void> => {
  const list = v.array(identified);
  await read('listCollections', {}, anything);
  const { imports } = await read('listImports', {}, v.looseObject({ imports: list }));
  for (const { id } of imports) await read('getImport', { path: { import_id: Number(id) } }, anything);
  const { exports } = await read('listExports', {}, v.looseObject({ exports: list }));
  for (const { id } of exports) await read('getExport', { path: { export_id: Number(id) } }, anything);
};
