import { isoTime } from '../../runtime/clock.ts';
import type { ExportDefinition, ExportJob } from '../model/items.ts';

/** The body of the webhook call for an ended job of an export with this name. */
export const webhookBody = (
  job: ExportJob,
  { name }: Pick<ExportDefinition, 'name'>,
  location: string | null,
): string =>
  JSON.stringify({
    type: job.status === 'complete' ? 'export.completed' : 'export.failed',
    export_id: String(job.export),
    export_name: name,
    job_id: String(job.job),
    status: job.status,
    location,
    file_name: job.file?.name ?? null,
    rows: job.file?.rows ?? null,
    sha256: job.file?.sha256 ?? null,
    timestamp: isoTime(job.finished ?? job.created),
  });

/** Id of the message. It is the same in every attempt, so a receiver recognizes repetitions. */
export const messageId = ({ job }: ExportJob): string => `msg_export_job_${job}`;
