import { isoTime } from '../../runtime/clock.ts';
import type { ExportEnded } from '../model/export-events.ts';
import type { ExportDefinition, ExportJob } from '../model/items.ts';
import { objectAddressOf } from '../model/s3-destination.ts';

/** The body of the webhook call for an ended job, by the definition that the job worked by. */
export const webhookBody = (job: ExportJob, definition: ExportDefinition, location: string | null): string =>
  JSON.stringify({
    type: job.status === 'complete' ? 'export.completed' : 'export.failed',
    export_id: String(job.export),
    export_name: definition.name,
    job_id: String(job.job),
    status: job.status,
    location,
    s3_object: objectAddressOf(definition, job),
    file_name: job.file?.name ?? null,
    rows: job.file?.rows ?? null,
    sha256: job.file?.sha256 ?? null,
    timestamp: isoTime(job.finished ?? job.created),
  } satisfies ExportEnded);

/** Id of the message. It is the same in every attempt, so a receiver recognizes repetitions. */
export const messageId = ({ job }: ExportJob): string => `msg_export_job_${job}`;
