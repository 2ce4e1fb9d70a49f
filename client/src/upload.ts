/** Uploads a file for an import: whole, or in parts if it is large. */
import type { Operations } from './generated/operations.ts';
import type { Ports, WorkOptions } from './ports.ts';
import { TidemarkProblem } from './problem.ts';
import { putPart, type Target } from './put.ts';
import { isOutage } from './transport.ts';
import type { Answer } from './types.ts';
import { UploadError } from './upload-error.ts';
import { openSource, type OpenSource, type UploadSource } from './upload-source.ts';

/**
 * How much of a file has been sent, in bytes.
 * @public
 */
export interface UploadProgress {
  readonly sent: number;
  readonly size: number;
}

/**
 * What to upload, and where.
 * @public
 */
export interface Upload extends WorkOptions {
  /** The import definition. */
  readonly importId: number;
  /** The path of a file, or its content. */
  readonly file: UploadSource;
  /** The name that the job shows. By default the last part of the path; other content needs a name. */
  readonly fileName?: string | undefined;
  /** Judges the file and stores nothing. */
  readonly dryRun?: boolean | undefined;
  /** Continues the upload of this job, with the same file. */
  readonly jobId?: number | undefined;
  /** Is called with the job as soon as it exists. */
  readonly onJob?: ((jobId: number) => void) | undefined;
  readonly onProgress?: ((progress: UploadProgress) => void) | undefined;
  /** Ends the upload. Continue it later with `jobId`. */
  readonly signal?: AbortSignal | undefined;
}

/** The operations that an upload uses. */
export type UploadApi = Pick<Operations, 'createUpload' | 'getUpload' | 'completeUpload'>;

/** Parts that are sent at once. */
const PARTS_AT_ONCE = 4;

/** Rounds in which not one part arrived. After them the upload fails. */
const FRUITLESS_ROUNDS = 5;

/**
 * An expired address, a store that still works on an earlier attempt (409), a late or overloaded store: another attempt may
 * succeed.
 */
const PASSING = new Set([undefined, 403, 408, 409, 429, 500, 502, 503, 504]);

/**
 * Uploads a file and returns the id of its job. Parts that fail are sent again, to new addresses. Throws
 * `TidemarkProblem` when the service refuses the upload, `UploadError` when the store of files does,
 * and `FileChangedError` when the file changes meanwhile.
 */
export const uploadFile = async (
  api: UploadApi,
  ports: Pick<Ports, 'sleep' | 'random'>,
  upload: Upload,
): Promise<{ readonly jobId: number }> => {
  const source = await openSource(upload.file);
  const begun = await begin(api, source, upload);
  if (typeof begun === 'number') return { jobId: begun };
  let open = begun;
  const jobId = open.job_id;
  upload.onJob?.(jobId);
  const isInParts = 'parts' in open;
  for (let fruitless = 0; ;) {
    const targets = targetsOf(open, source.size);
    const { arrived, failure } = await putAll(source, targets, open.headers, upload);
    if (failure === undefined) break;
    fruitless = arrived > 0 ? 0 : fruitless + 1;
    let refreshed: OpenUpload | 'arrived' | undefined;
    while (refreshed === undefined) {
      if (fruitless >= FRUITLESS_ROUNDS) throw failure;
      await ports.sleep(ports.random() * 500 * 2 ** fruitless, upload.signal);
      refreshed = await refresh(api, upload, jobId).catch(nothingInOutage);
      if (refreshed === undefined) fruitless += 1;
    }
    if (refreshed === 'arrived') return { jobId };
    open = refreshed;
  }
  if (isInParts) await api.completeUpload(at(upload, jobId));
  return { jobId };
};

type OpenUpload = Answer<'createUpload'>;

/** The upload to send; the id of its job if an earlier call has delivered the file. */
const begin = async (api: UploadApi, source: OpenSource, upload: Upload): Promise<OpenUpload | number> => {
  if (upload.jobId !== undefined) {
    const found = await refresh(api, upload, upload.jobId);
    return found === 'arrived' ? upload.jobId : found;
  }
  const fileName = upload.fileName ?? source.name;
  if (fileName === undefined) throw new Error('Content without a name needs `fileName`.');
  return api.createUpload({
    path: { import_id: upload.importId },
    body: {
      file_name: fileName,
      size: source.size,
      ...(upload.dryRun === undefined ? {} : { dry_run: upload.dryRun }),
    },
  });
};

const at = ({ importId }: Upload, jobId: number) => ({ path: { import_id: importId, job_id: jobId } });

/** New addresses for what is missing; `arrived` when an earlier attempt delivered the file after all. */
const refresh = async (api: UploadApi, upload: Upload, jobId: number): Promise<OpenUpload | 'arrived'> => {
  try {
    return await api.getUpload(at(upload, jobId));
  } catch (error) {
    if (error instanceof TidemarkProblem && error.code === 'uploaded') return 'arrived';
    throw error;
  }
};

/** Nothing while the service is out of reach, as it is for a laptop that wakes up: the next round asks again. */
const nothingInOutage = (error: unknown): undefined => {
  if (!isOutage(error)) throw error;
};

const targetsOf = (open: OpenUpload, size: number): readonly Target[] =>
  'parts' in open ? open.parts : [{ url: open.url, offset: 0, size }];

/** Sends all targets, a few at once. Counts those that arrived, and keeps the first failure that may pass. */
const putAll = async (
  source: OpenSource,
  targets: readonly Target[],
  headers: Readonly<Record<string, string>>,
  { onProgress, signal }: Upload,
): Promise<{ readonly arrived: number; readonly failure: UploadError | undefined }> => {
  const waiting = [...targets];
  const fatal = new AbortController();
  const ends = signal ? AbortSignal.any([signal, fatal.signal]) : fatal.signal;
  let sent = source.size - targets.reduce((sum, { size }) => sum + size, 0);
  let arrived = 0;
  let failure: UploadError | undefined;
  const report = (count: number): void => {
    sent += count;
    onProgress?.({ sent, size: source.size });
  };
  const work = async (): Promise<void> => {
    for (let target = waiting.shift(); target; target = waiting.shift()) {
      let bytes = 0;
      const onBytes = (count: number): void => {
        bytes += count;
        report(count);
      };
      try {
        await putPart(source, target, headers, { onBytes, signal: ends });
        arrived += 1;
      } catch (error) {
        if (!(error instanceof UploadError) || !PASSING.has(error.status)) {
          fatal.abort(error);
          throw error;
        }
        failure ??= error;
        report(-bytes);
      }
    }
  };
  await Promise.all(Array.from({ length: PARTS_AT_ONCE }, work));
  return { arrived, failure };
};
