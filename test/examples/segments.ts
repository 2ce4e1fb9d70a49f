import * as v from 'valibot';
import type { Recorder } from './recorder.ts';

const anything = v.unknown();
const made = v.looseObject({ id: v.number() });

/** Segments and collections. Returns the segment of everyone who likes jazz. `person` is the UUID of such a person. */
export const recordSegments = async (recorder: Recorder, person: string): Promise<number> => {
  const { record, send, service } = recorder;
  const [jazz] = await record('findSegments', { query: { name: 'jazz' } }, v.tuple([made]));
  const path = { segment_id: jazz.id };
  await record('getSegment', { path }, anything);
  await record('listSegmentProfiles', { path, query: { limit: 1 } }, anything);
  await record('explainMembership', { path: { ...path, profile_uuid: person } }, anything);
  const subscribers = { named: { type: 'tag', name: 'Subscriber' } };
  await record(
    'previewSegment',
    { body: { definition: { all: [jazz.id, { not: subscribers }] } } },
    anything,
  );
  const { id } = await record(
    'createSegment',
    { body: { name: 'Jazz, no subscription', definition: { all: [jazz.id, { not: subscribers }] } } },
    made,
  );
  const body = {
    name: 'Jazz or opera',
    definition: { any: [jazz.id, { named: { type: 'tag', name: 'Opera' } }] },
  };
  const replaced = await record('replaceSegment', { path: { segment_id: id }, body }, made);
  await service.cloud.fireSchedule('tidemark-local-measureSizes');
  await record('listSegmentSizes', { query: { limit: 2 } }, anything);
  await recordCollections(recorder, jazz.id);
  await record('deleteSegment', { path: { segment_id: replaced.id } }, anything);
  await send('createSegment', { body: { name: 'No jazz', definition: { not: jazz.id } } }, made);
  return jazz.id;
};

const recordCollections = async ({ record }: Recorder, jazz: number): Promise<void> => {
  const opera = { type: 'tag', name: 'Opera' };
  const body = { name: 'Spring season', segments: [jazz, opera] };
  const { id } = await record('createCollection', { body }, made);
  const path = { collection_id: id };
  await record('getCollection', { path }, anything);
  await record('listCollections', { query: { name: 'spring' } }, anything);
  await record('replaceCollection', { path, body: { name: 'Summer season', segments: [jazz] } }, anything);
  await record('deleteCollection', { path }, anything);
};
