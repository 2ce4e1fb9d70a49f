/** Webhooks: the calls that the service makes to addresses of clients. */
import type { GenericSchema } from 'valibot';
import { enrichmentAnswer, enrichmentRequested } from '../../../shared/enrichment/enrichment-call.ts';
import {
  exportEnded,
  exportTested,
  segmentChanges,
  segmentChangesTested,
} from '../../../shared/exports/model/export-events.ts';
import { importEnded } from '../../../shared/imports/schemas/import-event.ts';
import type { Converter, Model } from './json-schema.ts';
import { objectFrom, type Json } from './json.ts';

/** The models of the bodies. */
export const webhookModels = {
  ExportEnded: [exportEnded, 'A job of an export has ended.'],
  ExportTested: [exportTested, 'A client tests the webhook of an export.'],
  SegmentChanges: [segmentChanges, 'Who came into the members of an export, who left, and who changed.'],
  SegmentChangesTested: [segmentChangesTested, 'A client tests the receiver of the changes of an export.'],
  ImportEnded: [importEnded, 'The import of a file has ended.'],
  EnrichmentRequested: [enrichmentRequested, 'A question to an enricher about a person.'],
  EnrichmentAnswer: [enrichmentAnswer, 'What an enricher knows about a person.'],
} as const satisfies Readonly<Record<string, Model>>;

/** A call of the service: its type, its title and its body. */
interface Webhook {
  readonly type: string;
  readonly summary: string;
  readonly tag: string;
  readonly body: GenericSchema;
  /** The form of the receiver's answer, where the service reads it. */
  readonly answer?: GenericSchema;
}

const webhooks: readonly Webhook[] = [
  {
    type: 'export.completed',
    summary: 'A job of an export is complete',
    tag: 'Exports',
    body: exportEnded,
  },
  {
    type: 'export.failed',
    summary: 'A job of an export has failed',
    tag: 'Exports',
    body: exportEnded,
  },
  {
    type: 'export.test',
    summary: 'Somebody tests the destinations of an export',
    tag: 'Exports',
    body: exportTested,
  },
  {
    type: 'segment.changes',
    summary: 'The members of an export have changed',
    tag: 'Exports',
    body: segmentChanges,
  },
  {
    type: 'segment.changes.test',
    summary: 'Somebody tests the receiver of the changes of an export',
    tag: 'Exports',
    body: segmentChangesTested,
  },
  {
    type: 'import.completed',
    summary: 'The import of a file is complete, with or without refused rows',
    tag: 'Imports',
    body: importEnded,
  },
  {
    type: 'import.failed',
    summary: 'The import of a file has failed',
    tag: 'Imports',
    body: importEnded,
  },
  {
    type: 'enrichment.requested',
    summary: 'The service asks an enricher about a person',
    tag: 'Imports',
    body: enrichmentRequested,
    answer: enrichmentAnswer,
  },
];

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

/** The headers of the Standard Webhooks scheme. */
const headers = [
  header('webhook-id', 'The id of the message. It stays the same through all attempts: act on it once.'),
  header('webhook-timestamp', 'The time of the attempt, in seconds since 1970. Refuse old messages.'),
  header(
    'webhook-signature',
    '`v1,` and the base64 of the HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>` under your secret.',
  ),
];

/** The `webhooks` of the document. */
export const webhookObjects = ({ convert }: Converter): Json =>
  objectFrom(
    webhooks.map(({ type, summary, tag, body, answer }) => [
      type,
      {
        post: {
          summary,
          description:
            'The service signs each call by the Standard Webhooks scheme (https://www.standardwebhooks.com).',
          tags: [tag],
          security: [],
          parameters: headers,
          requestBody: { required: true, content: { 'application/json': { schema: convert(body) } } },
          responses: answer ? answered(convert(answer)) : accepted,
        },
      },
    ]),
  );

const repeated = {
  '4XX': { description: 'Failed. The service tries again for three days, except after 410.' },
};
const accepted = { '2XX': { description: 'Delivered. The service ignores the body.' }, ...repeated };

const answered = (schema: Json): Json => ({
  '200': {
    description: 'What the enricher knows, within 10 seconds.',
    content: { 'application/json': { schema } },
  },
  '204': { description: 'The enricher knows nothing.' },
  '4XX': { description: 'Refused. The service does not ask again, except after 408, 425 and 429.' },
});
