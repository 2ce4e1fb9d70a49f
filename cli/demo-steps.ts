/** The steps of the demo, each as a client of the API. */
import * as v from 'valibot';
import type { Answer, Tidemark } from '../client/src/index.ts';
import { type Sample, sampleDefinition } from './sample.ts';
import { count, step } from './terminal.ts';
import type { WebhookInbox } from './webhook-inbox.ts';

const PATIENCE_MS = 600_000;

const noticeSchema = v.looseObject({ location: v.string(), rows: v.number() });

/** The result of an import, and the milliseconds from its upload to its end. */
interface Imported {
  readonly counts: Answer<'getImportJob'>['counts'];
  readonly milliseconds: number;
}

/** Creates an import definition, uploads the sample to a presigned URL, and follows the job to its end. */
export const importFile = (client: Tidemark, sample: Sample): Promise<Imported> =>
  step(
    `Import ${count(sample.planted.rows)} rows`,
    async (line) => {
      const { id: importId } = await client.createImport({ body: sampleDefinition });
      const file = new Blob([sample.csv]);
      const started = performance.now();
      const { jobId } = await client.uploadFile({ importId, file, fileName: 'visitors.csv' });
      const { counts } = await client.waitForImport({
        importId,
        jobId,
        signal: AbortSignal.timeout(PATIENCE_MS),
        onProgress: ({ counts: { completed, unserializable, status } }) =>
          line.progress((completed + unserializable) / sample.planted.rows, status),
      });
      return { counts, milliseconds: performance.now() - started };
    },
    ({ counts }) =>
      `${counts.status}: ${count(counts.completed)} stored, ${count(counts.unserializable)} refused`,
  );

/** Looks up one person by e-mail address. */
export const lookUp = (client: Tidemark, email: string): Promise<unknown> =>
  step(
    'Look up a profile',
    () => client.getProfile({ query: { email } }),
    ({ profile }) => `${email} is ${profile.profile_uuid}`,
  );

/** Finds the tag segment with a name. */
export const findSegment = (client: Tidemark, name: string): Promise<number> =>
  step(
    'Find a segment',
    async () => {
      const [segment] = await client.findSegments({ query: { name, type: 'tag' } });
      if (!segment) throw new Error(`There is no tag segment "${name}".`);
      return segment.id;
    },
    (id) => `"${name}" is segment ${id}`,
  );

/** Walks all pages of a segment and counts its distinct members. */
export const pageThrough = (client: Tidemark, segment: number): Promise<number> =>
  step(
    'Page through the segment',
    async () => {
      const seen = new Set<string>();
      const members = client.listSegmentProfiles({ path: { segment_id: segment }, query: { limit: 500 } });
      for await (const { profile_uuid } of members) if (profile_uuid !== null) seen.add(profile_uuid);
      return seen.size;
    },
    (size) => `${count(size)} members`,
  );

/** A file of an export: its rows, and its address. */
interface ExportedFile {
  readonly rows: number;
  readonly location: string;
}

/** Downloads the file of an export. Throws when it has another number of rows than the service answered. */
const download = async (client: Tidemark, told: ExportedFile): Promise<ExportedFile> => {
  const file = await client.openLocation(told.location);
  const rows = (await file.text()).trimEnd().split('\r\n').length - 1;
  if (rows !== told.rows) throw new Error(`The service names ${told.rows} rows, but the file has ${rows}.`);
  return told;
};

const exportOf = (segment: number) =>
  ({ segment: [segment], field_set: 'email', data_format: 'csv' }) as const;

const tellRows = ({ rows }: ExportedFile): string => `${count(rows)} rows`;

export interface Delivered extends ExportedFile {
  readonly verified: boolean;
}

/** Exports a segment, waits for the webhook, downloads the file and counts its rows. */
export const exportSegment = (client: Tidemark, segment: number, inbox: WebhookInbox): Promise<Delivered> =>
  step(
    'Export it and wait for the webhook',
    async () => {
      const created = await client.createExport({ body: { ...exportOf(segment), webhook_url: inbox.url } });
      inbox.expect(created.webhook_secret ?? '');
      const call = await inbox.next(PATIENCE_MS);
      if (!call) throw new Error('No webhook call came.');
      const file = await download(client, v.parse(noticeSchema, JSON.parse(call.body)));
      return { ...file, verified: call.verified };
    },
    tellRows,
  );

/** Exports a segment, follows the job to its end, downloads the file and counts its rows. */
export const exportAndFollow = (client: Tidemark, segment: number): Promise<ExportedFile> =>
  step(
    'Export it and download the file',
    async (line) => {
      const { id: exportId } = await client.createExport({ body: exportOf(segment) });
      const { status, rows, location } = await client.waitForExport({
        exportId,
        signal: AbortSignal.timeout(PATIENCE_MS),
        onProgress: (job) => line.progress(job.progress, job.status),
      });
      if (rows === null || location === null) throw new Error(`The export ended as ${status}.`);
      return download(client, { rows, location });
    },
    tellRows,
  );
