/** The steps of the demo, each as a client of the API. */
import * as v from 'valibot';
import { type ApiClient, identified } from './api-client.ts';
import { followJob, type JobCounts, uploadFile } from './import-client.ts';
import { type Sample, sampleDefinition } from './sample.ts';
import { count, step } from './terminal.ts';
import type { WebhookInbox } from './webhook-inbox.ts';

const PATIENCE_MS = 600_000;

const profileSchema = v.looseObject({
  profile: v.looseObject({ profile_uuid: v.string(), full_name: v.nullable(v.string()) }),
});
const segmentsSchema = v.array(v.looseObject({ id: v.number(), name: v.string(), type: v.string() }));
const pageSchema = v.looseObject({
  paging: v.looseObject({ next_page: v.nullable(v.string()) }),
  profiles: v.array(v.looseObject({ profile_uuid: v.string() })),
});
const exportSchema = v.looseObject({ id: v.string(), webhook_secret: v.string() });
const noticeSchema = v.looseObject({
  type: v.string(),
  status: v.string(),
  location: v.string(),
  rows: v.number(),
});

/** The result of an import, and the milliseconds from its upload to its end. */
interface Imported {
  readonly counts: JobCounts;
  readonly milliseconds: number;
}

/** Creates an import definition, uploads the sample to a presigned URL, and follows the job to its end. */
export const importFile = (client: ApiClient, property: number, sample: Sample): Promise<Imported> =>
  step(
    `Import ${count(sample.planted.rows)} rows`,
    async (line) => {
      const { id } = await client.post(`/v1/${property}/imports`, sampleDefinition, identified);
      const file = { name: 'visitors.csv', bytes: Buffer.from(sample.csv) };
      const started = performance.now();
      const job = await uploadFile(client, `/v1/${property}/imports/${id}`, file);
      const counts = await followJob(client, job, ({ completed, unserializable, status }) =>
        line.progress((completed + unserializable) / sample.planted.rows, status),
      );
      return { counts, milliseconds: performance.now() - started };
    },
    ({ counts }) =>
      `${counts.status}: ${count(counts.completed)} stored, ${count(counts.unserializable)} refused`,
  );

/** Looks up one person by e-mail address. */
export const lookUp = (client: ApiClient, property: number, email: string): Promise<unknown> =>
  step(
    'Look up a profile',
    () => client.get(`/v1/${property}/profile?email=${encodeURIComponent(email)}`, profileSchema),
    ({ profile }) => `${email} is ${profile.profile_uuid}`,
  );

/** Finds the tag segment with a name. */
export const findSegment = (client: ApiClient, property: number, name: string): Promise<number> =>
  step(
    'Find a segment',
    async () => {
      const found = await client.get(
        `/v1/${property}/segments?name=${encodeURIComponent(name)}`,
        segmentsSchema,
      );
      const segment = found.find(({ type }) => type === 'tag');
      if (!segment) throw new Error(`There is no tag segment "${name}".`);
      return segment.id;
    },
    (id) => `"${name}" is segment ${id}`,
  );

/** Walks all pages of a segment and counts its distinct members. */
export const pageThrough = (client: ApiClient, property: number, segment: number): Promise<number> =>
  step(
    'Page through the segment',
    async () => {
      const seen = new Set<string>();
      let next: string | null = `/v2/properties/${property}/segments/${segment}/profiles?limit=500`;
      while (next !== null) {
        const page: v.InferOutput<typeof pageSchema> = await client.get(next, pageSchema);
        for (const { profile_uuid } of page.profiles) seen.add(profile_uuid);
        next = page.paging.next_page;
      }
      return seen.size;
    },
    (size) => `${count(size)} members`,
  );

export interface Delivered {
  readonly rows: number;
  readonly verified: boolean;
  readonly location: string;
}

/** Exports a segment, waits for the webhook, downloads the file and counts its rows. */
export const exportSegment = (
  client: ApiClient,
  property: number,
  segment: number,
  inbox: WebhookInbox,
): Promise<Delivered> =>
  step(
    'Export it and wait for the webhook',
    async () => {
      const definition = {
        segment: [segment],
        field_set: 'email',
        data_format: 'csv',
        webhook_url: inbox.url,
      };
      const created = await client.post(`/v1/${property}/exports`, definition, exportSchema);
      inbox.expect(created.webhook_secret);
      const call = await inbox.next(PATIENCE_MS);
      if (!call) throw new Error('No webhook call came.');
      const notice = v.parse(noticeSchema, JSON.parse(call.body));
      const file = await fetch(notice.location);
      if (!file.ok) throw new Error(`The download answered ${file.status}.`);
      const rows = (await file.text()).trimEnd().split('\r\n').length - 1;
      if (rows !== notice.rows)
        throw new Error(`The webhook names ${notice.rows} rows, but the file has ${rows}.`);
      return { rows, verified: call.verified, location: notice.location };
    },
    ({ rows }) => `${count(rows)} rows`,
  );
