/** Definition fields: turns a checked body into the stored fields of a definition, with new secrets encrypted. */
import { limits } from '../../config/limits.ts';
import { webhookSecret } from '../../deliveries/notice-fields.ts';
import type { ProblemError } from '../../http/problem.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { nextRun, timetableOf } from '../../schedules/timetable.ts';
import type { PropertyScopes } from '../../properties/property-keys.ts';
import { destinationOf } from './destination.ts';
import type { ExportDefinition, RunQueue, S3Destination } from './items.ts';
import { externalIdOf } from './s3-destination.ts';
import type { ExportBody } from './schemas.ts';
import type { NamedTargets } from './targets.ts';

/** Encryption context of a webhook secret. */
export const secretContext = (property: number, exportId: number): Readonly<Record<string, string>> => ({
  purpose: 'webhook-secret',
  property: String(property),
  export: String(exportId),
});

/** The fields that follow from the body; the service sets all others. */
type ClientFields = Omit<
  ExportDefinition,
  'account' | 'property' | 'export' | 'created' | 'revision' | keyof RunQueue
>;

interface FieldsInput {
  readonly property: number;
  readonly id: number;
  readonly body: ExportBody;
  readonly now: number;
  readonly targets: NamedTargets;
  /** The definition that is replaced: its webhook secret stays, and the secret of its login if the body sends none. */
  readonly before?: ExportDefinition;
}

interface FieldsDeps {
  readonly keyService: KeyService;
  readonly ids: Ids;
  readonly scopeOf: PropertyScopes;
}

/** The fields of a definition from a checked body, and the webhook secret if it is new. */
export const definitionFields = async (
  deps: FieldsDeps,
  input: FieldsInput,
): Promise<{ readonly fields: ClientFields; readonly secret: Uint8Array | undefined }> => {
  const { property, id, body, now, targets, before } = input;
  const context = secretContext(property, id);
  const { stored, secret } = await webhookSecret(deps, {
    ...{ body, context },
    before: before?.webhook_secret ?? null,
  });
  const fields: ClientFields = {
    name: body.name,
    segment: [...targets.segment],
    collection: [...targets.collection],
    tile_types: [...targets.tile_types],
    consent: body.consent,
    field_set: body.field_set,
    data_format: body.data_format,
    compression: body.compression,
    file_name: body.file_name,
    directory: body.directory,
    scope: body.scope,
    custom_result_format: body.custom_result_format,
    start_date: body.start_date,
    end_date: body.end_date,
    formula_guard: body.formula_guard,
    pgp_public_key: body.pgp_public_key,
    notification_email: body.notification_email,
    destination: await destinationOf(deps, input),
    s3_destination: await s3DestinationOf(deps, input),
    webhook_url: body.webhook_url,
    webhook_secret: stored,
    schedule: body.schedule,
    run_at: body.schedule?.once === true ? (nextRun(timetableOf(body.schedule), now) ?? null) : null,
    to_come: body.schedule !== null,
  };
  return { fields, secret };
};

/** The bucket of a checked body, with the external id of the property. */
const s3DestinationOf = async (
  { scopeOf }: FieldsDeps,
  { property, body: { s3_destination: sent } }: FieldsInput,
): Promise<S3Destination | null> => {
  if (sent === null) return null;
  const { keys } = await scopeOf(property);
  return { ...sent, external_id: externalIdOf(property, keys.externalIds) };
};

/** Whether a definition is too large for one item of the table. */
export const isTooLarge = (definition: ExportDefinition): boolean =>
  Buffer.byteLength(JSON.stringify(definition)) > limits.exports.definitionBytes;

/** The fault of a definition that is too large. */
export const tooLarge: ProblemError = {
  pointer: '',
  code: 'too_large',
  detail: `With its columns and segments, a definition has at most ${limits.exports.definitionBytes} bytes.`,
};
