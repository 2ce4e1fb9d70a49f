import type { ImportDefinition } from '../items/import-definition.ts';
import type { ImportJob } from '../items/import-job.ts';
import type { jobDetailView } from '../schemas/views.ts';

/** A job that has ended, its definition, and the job as `GET` shows it. */
export interface EndedImport {
  readonly job: ImportJob;
  readonly definition: ImportDefinition;
  readonly view: ReturnType<typeof jobDetailView>;
}

/** Whether the file was imported, with or without refused rows. */
export const isImported = ({ view }: Pick<EndedImport, 'view'>): boolean => view.counts.status !== 'failed';
