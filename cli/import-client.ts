/** Import client: uploads a file through the API and follows its job to the end. */
import http from 'node:http';
import https from 'node:https';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { mapLimited } from '../shared/runtime/pool.ts';
import type { ApiClient } from './api-client.ts';

/** Pauses between two polls of a job. Each poll costs the service a read of all batches. */
const POLL_MS = { first: 250, least: 100, most: 1_000 };

/** Concurrent parts of an upload. */
const PARTS_AT_ONCE = 4;
const PATIENCE_MS = 600_000;
const FINAL = new Set(['complete', 'complete-with-errors', 'failed', 'cancelled']);

const address = { job_id: v.number(), headers: v.record(v.string(), v.string()) };

/** Presigned request for a file in one part. */
export const uploadSchema = v.looseObject({ ...address, url: v.string() });
const partSchema = v.object({ offset: v.number(), size: v.number(), url: v.string() });

/** Presigned requests for a large file in several parts. */
const partsSchema = v.looseObject({ ...address, parts: v.array(v.looseObject(partSchema.entries)) });
export const jobSchema = v.looseObject({
  counts: v.object({
    status: v.string(),
    ingested: v.number(),
    serialized: v.number(),
    unserializable: v.number(),
    processing: v.number(),
    completed: v.number(),
    failed: v.number(),
  }),
});
export type JobCounts = v.InferOutput<typeof jobSchema>['counts'];

/** Whether a job with these counts has ended. */
export const isFinal = ({ status }: JobCounts): boolean => FINAL.has(status);

/** Uploads a file for an import definition and returns the path of its job. Throws after an unsuccessful answer. */
export const uploadFile = (
  client: ApiClient,
  importPath: string,
  { name, bytes }: { readonly name: string; readonly bytes: Buffer<ArrayBuffer> },
): Promise<string> =>
  putFile(client, importPath, { name, size: bytes.length }, (offset, size) =>
    Readable.from([bytes.subarray(offset, offset + size)]),
  );

/** Uploads a file while reading it, whatever its size: a large file goes up in parts. */
export const putFile = async (
  client: ApiClient,
  importPath: string,
  { name, size: whole }: { readonly name: string; readonly size: number },
  read: (offset: number, size: number) => Readable,
): Promise<string> => {
  const request = { file_name: name, size: whole };
  const upload = await client.post(`${importPath}/uploads`, request, v.union([partsSchema, uploadSchema]));
  const { headers, job_id: job } = upload;
  if (v.is(partsSchema, upload)) {
    await mapLimited(upload.parts, PARTS_AT_ONCE, ({ url, offset, size }) =>
      put(url, headers, size, read(offset, size)),
    );
    await client.post(`${importPath}/uploads/${job}/complete`, {}, jobSchema);
  } else if (v.is(uploadSchema, upload)) {
    await put(upload.url, headers, whole, read(0, whole));
  }
  return `${importPath}/jobs/${job}`;
};

/**
 * Sends a body of known length as a stream. `fetch` would hold the whole body, and S3 refuses bodies of unknown length.
 */
const put = async (
  url: string,
  headers: Readonly<Record<string, string>>,
  size: number,
  body: Readable,
): Promise<void> => {
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, { method: 'PUT', headers: { ...headers, 'content-length': size } });
  const answered = new Promise<http.IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject);
  });
  // A server that refuses need not read to the end. Its answer is the result.
  const [answer] = await Promise.all([answered, pipeline(body, sent).catch(() => undefined)]);
  const message = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`The upload answered ${answer.statusCode}: ${message}`);
};

/**
 * Pause before the next poll of a job that has run for `elapsed` milliseconds: a third of its estimated remaining time,
 * so that polls of a long job are rare and its end is noticed soon.
 */
const pauseOf = ({ ingested, processing }: JobCounts, elapsed: number): number => {
  const share = ingested === 0 ? 0 : 1 - processing / ingested;
  if (share === 0) return POLL_MS.first;
  return Math.min(POLL_MS.most, Math.max(POLL_MS.least, (elapsed * (1 - share)) / share / 3));
};

/** Polls a job until it has ended, calls `onCounts` each time, and returns its counts. Gives up after ten minutes. */
export const followJob = async (
  client: ApiClient,
  jobPath: string,
  onCounts: (counts: JobCounts) => void = () => undefined,
): Promise<JobCounts> => {
  const started = Date.now();
  for (;;) {
    const { counts } = await client.get(jobPath, jobSchema);
    onCounts(counts);
    if (isFinal(counts)) return counts;
    const elapsed = Date.now() - started;
    if (elapsed > PATIENCE_MS) throw new Error('The import did not end in time.');
    await sleep(pauseOf(counts, elapsed));
  }
};
