/** Clients of the tests: by path, for tests of the HTTP contract, and the client of users for files and waits. */
import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { type Answer, Tidemark } from '../../client/src/index.ts';

/** A client with a token. A test gives the path, the body and the shape that it expects. */
export interface ApiClient {
  /** The client of users, with the same token. */
  readonly tidemark: Tidemark;
  get<S extends v.GenericSchema>(path: string, schema: S): Promise<v.InferOutput<S>>;
  post<S extends v.GenericSchema>(path: string, body: unknown, schema: S): Promise<v.InferOutput<S>>;
}

/** An answer with the id of a new resource. */
export const identified = v.looseObject({ id: v.number() });

/** Presigned request for a file in one part. */
export const uploadSchema = v.looseObject({
  job_id: v.number(),
  headers: v.record(v.string(), v.string()),
  url: v.string(),
});

/** A job of an import. */
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

const FINAL = new Set(['complete', 'complete-with-errors', 'failed', 'cancelled']);

/** Whether a job with these counts has ended. */
export const isFinal = ({ status }: JobCounts): boolean => FINAL.has(status);

/** Tests ask again soon: the embedded cloud answers at no cost. */
const LONGEST_PAUSE_MS = 50;

/** A client with an issued token. */
export const clientWith = (token: string, baseUrl: string): ApiClient => {
  const send = async <S extends v.GenericSchema>(
    path: string,
    schema: S,
    init: RequestInit,
  ): Promise<v.InferOutput<S>> => {
    // Links in answers are absolute.
    const url = path.startsWith('http') ? path : `${baseUrl}${path}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const response = await fetch(url, { ...init, headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${init.method} ${path} answered ${response.status}: ${text}`);
    return v.parse(schema, JSON.parse(text));
  };
  return {
    tidemark: new Tidemark({
      baseUrl,
      token,
      ports: {
        sleep: (ms, signal) => sleep(Math.min(ms, LONGEST_PAUSE_MS), undefined, signal && { signal }),
      },
    }),
    get: (path, schema) => send(path, schema, { method: 'GET' }),
    post: (path, body, schema) => send(path, schema, { method: 'POST', body: JSON.stringify(body) }),
  };
};

/** Uploads a file for the import definition at a path, and returns the path of its job. */
export const uploadFile = async (
  { tidemark }: ApiClient,
  importPath: string,
  { name, bytes }: { readonly name: string; readonly bytes: Buffer<ArrayBuffer> },
): Promise<string> => {
  const [propertyId = 0, importId = 0] = idsIn(importPath);
  const { jobId } = await tidemark.uploadFile({ propertyId, importId, file: bytes, fileName: name });
  return `${importPath}/jobs/${jobId}`;
};

const PATIENCE_MS = 60_000;

/** Waits until the job at a path has ended, and returns its counts. */
export const finalCounts = async (
  { tidemark }: ApiClient,
  jobPath: string,
): Promise<Answer<'getImportJob'>['counts']> => {
  const [propertyId = 0, importId = 0, jobId = 0] = idsIn(jobPath);
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { counts } = await tidemark
    .waitForImport({ propertyId, importId, jobId, signal })
    .catch((cause: unknown) => {
      throw signal.aborted ? new Error(`waited in vain for the end of ${jobPath}`, { cause }) : cause;
    });
  return counts;
};

/** The ids in a path, in their order. */
const idsIn = (path: string): readonly number[] => [...path.matchAll(/\/(\d+)/g)].map(([, id]) => Number(id));
