import { scheduleFaults } from '../schedules/check-schedule.ts';
import type { ProblemError } from '../http/problem.ts';
import { pointerOf } from '../http/text.ts';
import type { WebhookStage } from '../webhooks/stage.ts';
import { checkWebhookUrl, webhookUrlDetails } from '../webhooks/url.ts';
import { CHANGE_COLUMN, identifyingFields } from './fields.ts';
import type { ExportBody } from './schemas.ts';

/** The faults of a definition whose fields are well formed each; whether its targets exist is asked elsewhere. */
export const checkDefinition = (
  body: ExportBody,
  stage: WebhookStage,
  now: number,
): readonly ProblemError[] => [
  ...targetFaults(body),
  ...formatFaults(body),
  ...deltaFaults(body),
  ...dateFaults(body),
  ...(body.schedule === null ? [] : scheduleFaults(body.schedule, now)),
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

/** A delta has a column of its own, and its removed rows tell who was removed. */
const deltaFaults = ({ scope, custom_result_format }: ExportBody): readonly ProblemError[] => {
  if (scope !== 'delta' || custom_result_format === null) return [];
  const name = 'custom_result_format';
  const taken = custom_result_format.flatMap((column, index) => {
    const pointer = pointerOf([name, index, 'destination_field_name']);
    return column.destination_field_name === CHANGE_COLUMN
      ? [{ pointer, code: 'duplicate', detail: 'The first column of a delta has this name.' }]
      : [];
  });
  const tells = custom_result_format.some((column) => identifyingFields.has(column.umbel_field_name));
  const detail = `A delta needs one of ${[...identifyingFields].join(', ')}.`;
  return tells ? taken : [...taken, fault(name, 'identity_required', detail)];
};

const dateFaults = ({ start_date, end_date }: ExportBody): readonly ProblemError[] =>
  start_date !== null && end_date !== null && end_date < start_date
    ? [fault('end_date', 'out_of_range', 'Must not be before start_date.')]
    : [];

const webhookFaults = ({ webhook_url }: ExportBody, stage: WebhookStage): readonly ProblemError[] => {
  if (webhook_url === null) return [];
  const checked = checkWebhookUrl(webhook_url, stage);
  return checked.ok ? [] : [fault('webhook_url', checked.error, webhookUrlDetails[checked.error])];
};

/** Fields that are understood but not yet acted on: refused, so that nobody waits for what won't come. */
const unsupportedFields = ['notification_email', 'pgp_public_key', 'destination_credentials'] as const;

const unsupported = (body: ExportBody): readonly ProblemError[] =>
  unsupportedFields.filter((name) => body[name] !== null).map(notYet);

const notYet = (field: string): ProblemError =>
  fault(field, 'not_supported_yet', 'This version of the service does not do this yet.');
