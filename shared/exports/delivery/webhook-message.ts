import { isoTime } from '../../runtime/clock.ts';
import type { ExportJob } from '../model/items.ts';

/** What a webhook is told of a job that ended. */
export const webhookBody = (job: ExportJob, location: string | null): string =>
  JSON.stringify({
    type: job.status === 'complete' ? 'export.completed' : 'export.failed',
    export_id: String(job.export),
    job_id: String(job.job),
    status: job.status,
    location,
    rows: job.file?.rows ?? null,
    sha256: job.file?.sha256 ?? null,
    timestamp: isoTime(job.finished ?? job.created),
  });

/** Id of the message: the same at every attempt, so that a receiver tells a repetition. */
export const messageId = ({ job }: ExportJob): string => `msg_export_job_${job}`;
