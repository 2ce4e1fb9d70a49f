import type { ProblemError } from '../http/problem.ts';
import { pointerOf } from '../http/text.ts';
import type { PrivateTargets } from './addresses.ts';
import type { ExportBody } from './schemas.ts';
import type { WebhookUrlFault } from './webhook-url.ts';
import { checkWebhookUrl } from './webhook-url.ts';

/** What the rules need to know of the stage. */
export interface StageFacts {
  readonly baseUrl: string;
  readonly privateTargets: PrivateTargets;
}

/** The faults of a definition whose fields are well formed each; whether its targets exist is asked elsewhere. */
export const checkDefinition = (body: ExportBody, stage: StageFacts): readonly ProblemError[] => [
  ...targetFaults(body),
  ...formatFaults(body),
  ...dateFaults(body),
  ...webhookFaults(body, stage),
  ...unsupported(body),
];

const fault = (field: string, code: string, detail: string): ProblemError => ({
  pointer: `/${field}`,
  code,
  detail,
});

const targetFaults = ({ segment, collection, tile_types }: ExportBody): readonly ProblemError[] =>
  [segment, collection, tile_types].some((targets) => targets !== null && targets.length > 0)
    ? []
    : [
        fault(
          'segment',
          'nothing_to_export',
          'One of segment, collection and tile_types must name something.',
        ),
      ];

const formatFaults = ({ field_set, custom_result_format }: ExportBody): readonly ProblemError[] => {
  const name = 'custom_result_format';
  if (field_set !== 'custom')
    return custom_result_format === null ? [] : [fault(name, 'not_allowed', 'Is for field_set custom only.')];
  if (custom_result_format === null) return [fault(name, 'required', 'Is required with field_set custom.')];
  const seen = new Set<string>();
  return custom_result_format.flatMap(({ destination_field_name }, index) => {
    if (!seen.has(destination_field_name)) {
      seen.add(destination_field_name);
      return [];
    }
    const pointer = pointerOf([name, index, 'destination_field_name']);
    return [{ pointer, code: 'duplicate', detail: 'Another column has this name.' }];
  });
};

const dateFaults = ({ start_date, end_date }: ExportBody): readonly ProblemError[] =>
  start_date !== null && end_date !== null && end_date < start_date
    ? [fault('end_date', 'out_of_range', 'Must not be before start_date.')]
    : [];

const webhookDetails: Readonly<Record<WebhookUrlFault, string>> = {
  not_a_url: 'Must be an absolute address.',
  scheme_not_allowed: 'Must be an https address.',
  credentials_in_url: 'Must not hold a user name or password.',
  private_target: 'Must not lead to a private or local address.',
  loops_back: 'Must not lead to this service.',
};

const webhookFaults = ({ webhook_url }: ExportBody, stage: StageFacts): readonly ProblemError[] => {
  if (webhook_url === null) return [];
  const checked = checkWebhookUrl(webhook_url, stage);
  return checked.ok ? [] : [fault('webhook_url', checked.error, webhookDetails[checked.error])];
};

/** Fields that are understood but not yet acted on: refused, so that nobody waits for what won't come. */
const unsupportedFields = [
  'tile_types',
  'schedule',
  'notification_email',
  'pgp_public_key',
  'destination_credentials',
] as const;

const unsupported = (body: ExportBody): readonly ProblemError[] => [
  ...unsupportedFields.filter((name) => body[name] !== null).map(notYet),
  ...(body.scope === 'delta' ? [notYet('scope')] : []),
];

const notYet = (field: string): ProblemError =>
  fault(field, 'not_supported_yet', 'This version of the service does not do this yet.');
