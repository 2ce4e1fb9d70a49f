import { limits } from '../../config/limits.ts';
import type { ProblemError } from '../../http/problem.ts';
import type { Ids } from '../../runtime/ids.ts';
import type { KeyService } from '../../runtime/ports.ts';
import { nextRun, timetableOf } from '../../schedules/timetable.ts';
import { channelsOf } from '../model/channels.ts';
import type { ExportDefinition, RunQueue } from '../model/items.ts';
import type { ExportBody } from '../model/schemas.ts';
import type { NamedTargets } from '../model/targets.ts';

/** What a client says of a definition, as stored; the rest is the service's own. */
type ClientFields = Omit<
  ExportDefinition,
  'account' | 'property' | 'export' | 'created' | 'revision' | keyof RunQueue
>;

interface DefinitionInput {
  readonly property: number;
  readonly id: number;
  readonly body: ExportBody;
  readonly now: number;
  readonly targets: NamedTargets;
  /** The definition that is replaced: its webhook keeps its secret. */
  readonly before?: ExportDefinition;
}

/** A checked body as the fields of a definition, with the webhook's secret when it is new. */
export const definitionFields = async (
  deps: { readonly keyService: KeyService; readonly ids: Ids },
  { property, id, body, now, targets, before }: DefinitionInput,
): Promise<{ readonly fields: ClientFields; readonly secret: Uint8Array | undefined }> => {
  const { channels, secret } = await channelsOf(deps, { property, id, body, before });
  const fields: ClientFields = {
    segment: [...targets.segment],
    collection: [...targets.collection],
    tile_types: [...targets.tile_types],
    field_set: body.field_set,
    data_format: body.data_format,
    scope: body.scope,
    custom_result_format: body.custom_result_format,
    start_date: body.start_date,
    end_date: body.end_date,
    formula_guard: body.formula_guard,
    schedule: body.schedule,
    run_at: body.schedule?.once === true ? (nextRun(timetableOf(body.schedule), now) ?? null) : null,
    to_come: body.schedule !== null,
    ...channels,
  };
  return { fields, secret };
};

/** Whether a definition would not stay one item of the table. */
export const isTooLarge = (definition: ExportDefinition): boolean =>
  Buffer.byteLength(JSON.stringify(definition)) > limits.exports.definitionBytes;

/** The fault of a definition that is too large. */
export const tooLarge: ProblemError = {
  pointer: '',
  code: 'too_large',
  detail: `With its columns and segments, a definition has at most ${limits.exports.definitionBytes} bytes.`,
};
