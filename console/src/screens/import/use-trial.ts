/** The dry run of a file, and the import that follows: one definition, up to two uploads. */
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { Answer } from '../../../../client/src/types.ts';
import { useAction } from '../../load.ts';
import { goTo } from '../../route.ts';
import { expectRows } from './expected-rows.ts';
import type { Reading } from './read-file.ts';

/** An import job with its counts and its reasons. */
export type ImportJob = Answer<'getImportJob'>;

/** What a dry run found, and for which definition. */
interface Tried {
  readonly key: string;
  readonly importId: number;
  readonly job: ImportJob;
}

/** A file on its way, or a dry run that the service works on. */
export type Progress =
  | { readonly kind: 'sending'; readonly sent: number; readonly size: number }
  | { readonly kind: 'trying'; readonly job: ImportJob };

/** The dry run and the import of a file. */
export interface Trial {
  /** The dry run of this very reading; `undefined` before it, and after a change. */
  readonly tried: ImportJob | undefined;
  readonly progress: Progress | undefined;
  readonly running: boolean;
  readonly problem: unknown;
  readonly tryFile: () => void;
  /** Imports the file and goes to its job. */
  readonly importFile: () => void;
}

/** What this page left in the service for a file. */
interface Own {
  /** The definition that it stored, and that no import uses yet. */
  id: number | undefined;
  /** The job whose file is on its way, or whose dry run goes on. */
  open: { readonly import_id: number; readonly job_id: number } | undefined;
  /** The job of an import whose file is on its way: a second press goes on with it, and imports nothing twice. */
  importing: number | undefined;
}

/** Ends what is open, and removes the definition of a file that was not imported. A failure leaves no data behind. */
const discard = async (api: Tidemark, { id, open }: Own): Promise<void> => {
  if (open !== undefined) await api.cancelImportJob({ path: open }).catch(() => undefined);
  if (id !== undefined) await api.deleteImport({ path: { import_id: id } });
};

/** The id of the definition in the service: the one that is used again, or one of this page that follows the reading. */
const storeDefinition = async (
  api: Tidemark,
  own: Own,
  { again, definition: body }: Reading,
): Promise<number> => {
  if (again !== undefined) return again.stored.id;
  if (body === undefined) throw new Error('A file without a mapping cannot be tried.');
  if (own.id !== undefined) return (await api.replaceImport({ path: { import_id: own.id }, body })).id;
  own.id = (await api.createImport({ body })).id;
  return own.id;
};

/** Discards what is left with the part that uses it, in the session of that time. */
const useDiscard = (api: Tidemark, own: RefObject<Own>, ends: RefObject<AbortController>): void => {
  const latest = useRef(api);
  latest.current = api;
  useEffect(
    () => () => {
      ends.current.abort();
      discard(latest.current, own.current).catch(() => undefined);
    },
    [],
  );
};

/** Tries and imports a file as it is read now. Ends with the part that uses it. */
export const useTrial = (api: Tidemark, file: File, reading: Reading | undefined): Trial => {
  const [tried, setTried] = useState<Tried | undefined>(undefined);
  const [progress, setProgress] = useState<Progress | undefined>(undefined);
  const own = useRef<Own>({ id: undefined, open: undefined, importing: undefined });
  const ends = useRef(new AbortController());
  useDiscard(api, own, ends);
  const key = JSON.stringify([reading?.again?.stored.id, reading?.definition]);

  const send = async (importId: number, dryRun: boolean): Promise<number> => {
    setProgress({ kind: 'sending', sent: 0, size: file.size });
    const { jobId } = await api.uploadFile({
      ...{ importId, file, fileName: file.name, dryRun, signal: ends.current.signal },
      jobId: dryRun ? undefined : own.current.importing,
      onJob: (id) => {
        own.current.open = { import_id: importId, job_id: id };
        own.current.importing = dryRun ? undefined : id;
      },
      onProgress: (sent) => setProgress({ kind: 'sending', ...sent }),
    });
    return jobId;
  };
  const work = useAction(async (isTrial: boolean) => {
    if (reading === undefined) return;
    try {
      if (!isTrial && tried !== undefined) {
        const { importId } = tried;
        const jobId = await send(importId, false);
        const id = importId === own.current.id ? undefined : own.current.id;
        own.current = { id, open: undefined, importing: undefined };
        expectRows(jobId, tried.job.counts.ingested);
        goTo('import', [importId, jobId]);
        return;
      }
      const importId = await storeDefinition(api, own.current, reading);
      const jobId = await send(importId, true);
      const onProgress = (job: ImportJob): void => {
        setProgress({ kind: 'trying', job });
      };
      const { signal } = ends.current;
      setTried({ key, importId, job: await api.waitForImport({ importId, jobId, onProgress, signal }) });
      own.current.open = undefined;
    } finally {
      setProgress(undefined);
    }
  });
  return {
    tried: tried?.key === key ? tried.job : undefined,
    progress,
    running: work.running,
    problem: work.problem,
    tryFile: work.run.bind(undefined, true),
    importFile: work.run.bind(undefined, false),
  };
};
