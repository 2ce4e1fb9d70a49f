import { createHmac } from 'node:crypto';
import { isoTime } from '../runtime/clock.ts';
import type { ExportJob } from './items.ts';

const PREFIX = 'whsec_';

/** The form in which a webhook secret is shown: `whsec_` and the bytes in base64, as Standard Webhooks asks. */
export const showSecret = (secret: Uint8Array): string =>
  `${PREFIX}${Buffer.from(secret).toString('base64')}`;

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

/**
 * Headers of a call by the Standard Webhooks scheme: id, time in seconds, and `v1,` with the HMAC-SHA256 of
 * `id.timestamp.body` in base64.
 */
export const signedHeaders = (
  secret: Uint8Array,
  { id, now, body }: { id: string; now: number; body: string },
): Readonly<Record<string, string>> => {
  const timestamp = String(Math.floor(now / 1000));
  const signature = createHmac('sha256', secret).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Tidemark-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
};
