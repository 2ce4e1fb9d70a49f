/** Concert hall: the data of a small customer, of which each release keeps a folder. */
import * as v from 'valibot';
import type { Sent } from '../../functions/edge/openapi/examples.ts';
import { until } from '../support/until.ts';
import { fieldMap } from '../support/field-map.ts';

/** Sends the request of an operation to a service, and returns the body of the answer. */
export type Send = <S extends v.GenericSchema>(
  operation: string,
  sent: Sent,
  schema: S,
) => Promise<v.InferOutput<S>>;

const anything = v.unknown();
/** An answer with the id of what it is about. */
export const identified = v.looseObject({ id: v.union([v.number(), v.string()]) });
const uploading = v.looseObject({
  job_id: v.number(),
  url: v.string(),
  headers: v.record(v.string(), v.string()),
});
const ended = v.looseObject({ finished: v.nullable(v.string()) });

/** The people of the file of the box office. */
const GUESTS = 40;
const guest = (index: number): string => `guest${index}@example.org`;

/** The file of the box office: a row for each guest, and a row that is refused. */
const boxOffice = [
  'E-mail;Name;City;Tags;Newsletter',
  ...Array.from(
    { length: GUESTS },
    (_, index) =>
      `${guest(index)};Guest ${index};Ulm;${index % 2 === 0 ? 'Jazz' : 'Opera'};${index % 4 === 0 ? 'yes' : 'no'}`,
  ),
  'nobody (at) example.org;Nobody;Ulm;Jazz;yes',
  '',
].join('\n');

/** A record of a person with a tag. */
export const tagged = (email: string, tag: string, more: object = {}) => ({
  email,
  tags: [{ datetime: '2026-05-02 19:30:00', tag: [tag] }],
  ...more,
});

/** Imports a file with a definition, and waits until the job has ended. */
export const importFile = async (send: Send, importId: number, csv: string): Promise<void> => {
  const { job_id, url, headers } = await send(
    'createUpload',
    { path: { import_id: importId }, body: { file_name: 'guests.csv', size: Buffer.byteLength(csv) } },
    uploading,
  );
  const { status } = await fetch(url, { method: 'PUT', headers, body: csv });
  if (status !== 200) throw new Error(`The upload answered ${status}.`);
  await until('the end of the job', async () => {
    const { finished } = await send('getImportJob', { path: { import_id: importId, job_id } }, ended);
    return finished === null ? undefined : true;
  });
};

/** The id of the segment of a tag. */
export const segmentOf = async (send: Send, name: string): Promise<number> => {
  const query = { name, type: 'tag', limit: 1 };
  const [found] = await send('findSegments', { query }, v.tuple([v.looseObject({ id: v.number() })]));
  return found.id;
};

const exported = v.looseObject({
  status: v.string(),
  location: v.nullable(v.string()),
  delta_from: v.nullable(v.string()),
});

/** Runs an export and waits for its end. Returns the state of the job and the address of its file. */
export const finishedExport = async (send: Send, exportId: number) => {
  const { id } = await send('createExportJob', { path: { export_id: exportId } }, identified);
  return until('the end of the export', async () => {
    const path = { export_id: exportId, job_id: Number(id) };
    const job = await send('getExportJob', { path }, exported);
    return ['complete', 'failed', 'cancelled'].includes(job.status) ? job : undefined;
  });
};

const importGuests = async (send: Send): Promise<void> => {
  const body = {
    name: 'Box office',
    delimiter: 'semicolon',
    mapping_fields: {
      required_fields: ['email'],
      field_maps: [
        fieldMap('email', 'E-mail'),
        fieldMap('full_name', 'Name'),
        fieldMap('city', 'City'),
        fieldMap('tags', 'Tags', { split: '|' }),
        fieldMap('consent.email', 'Newsletter'),
      ],
    },
  };
  const { id } = await send('createImport', { body }, v.looseObject({ id: v.number() }));
  await importFile(send, id, boxOffice);
};

const freezeJazz = async (send: Send, jazz: number): Promise<void> => {
  const body = { name: 'Jazz audience', reference_tile: jazz, comments: 'Before the season' };
  const { id } = await send('createTimeline', { body }, v.looseObject({ id: v.number() }));
  await send('createProfile', { body: tagged('late@example.org', 'Jazz') }, anything);
  await send('forgetProfile', { query: { email: guest(2) } }, anything);
  await until('the interval between moments is over', async () => {
    try {
      return await send('createMoment', { path: { timeline_id: id } }, identified);
    } catch (error) {
      if (error instanceof Error && error.message.includes('moment_too_early')) return undefined;
      throw error;
    }
  });
};

const exportJazz = async (send: Send, jazz: number): Promise<void> => {
  const body = {
    ...{
      name: 'Jazz, weekly',
      segment: [jazz],
      scope: 'delta',
      consent: { channel: 'email', state: 'given' },
    },
    field_set: 'custom',
    custom_result_format: [
      { umbel_field_name: 'email', destination_field_name: 'E-mail' },
      { umbel_field_name: 'first_name', destination_field_name: 'First name' },
    ],
    // A leap day, so that no run meets a test.
    schedule: { minute: '0', hour: '3', day_of_month: '29', month: '2', timezone: 'Europe/Berlin' },
  };
  const { id } = await send('createExport', { body }, identified);
  await finishedExport(send, Number(id));
};

/** Stores the data of the customer: by requests, by a file, and by what follows from both. */
export const fillConcertHall = async (send: Send): Promise<void> => {
  const clara = {
    ...{ first_name: 'Clara', last_name: 'Noor', phone_number: '+4930901820', gender: 'Female' },
    address: { city: 'Berlin', country: 'DE', postal_code: '10117' },
    consent: [{ channel: 'email', state: 'given', datetime: '2026-05-04 18:45:00', source: 'box office' }],
    extra_data: { seat: 'A12' },
  };
  await send('createProfile', { body: tagged('clara@example.org', 'Jazz', clara) }, anything);
  await send('createProfile', { body: tagged('dan@example.org', 'Opera') }, anything);
  await send('forgetProfile', { query: { email: 'dan@example.org' } }, anything);
  await importGuests(send);
  const jazz = await segmentOf(send, 'Jazz');
  const definition = { all: [jazz, { not: { named: { type: 'tag', name: 'Opera' } } }] };
  await send('createSegment', { body: { name: 'Jazz alone', definition } }, anything);
  const segments = [jazz, { type: 'tag', name: 'Opera' }];
  await send('createCollection', { body: { name: 'Spring season', segments } }, anything);
  await freezeJazz(send, jazz);
  await exportJazz(send, jazz);
};
