/** The run of an export that writes a file for download. Downloads of the same people and columns are runs of one export. */
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { Input, Item } from '../../../../client/src/types.ts';

/** What a file is made from. */
export type FileBody = Pick<
  NonNullable<Input<'createExport'>['body']>,
  'name' | 'segment' | 'consent' | 'field_set' | 'custom_result_format' | 'data_format'
>;

/** Exports that are looked through for one that makes this file already, the newest first. */
const LISTED = 200;

type Definition = Item<'listExports'>;

const factsOf = (one: FileBody | Definition): string =>
  JSON.stringify([
    [one.name, one.segment, one.consent?.channel, one.consent?.state, one.field_set, one.data_format],
    (one.custom_result_format ?? []).map((column) => [
      column.umbel_field_name,
      column.destination_field_name,
    ]),
  ]);

/** Whether an export makes a file for download and nothing else. */
const isPlain = (one: Definition): boolean =>
  [
    ...[one.schedule, one.notification_email, one.webhook_url, one.pgp_public_key, one.file_name],
    ...[one.destination_credentials, one.s3_destination, one.start_date, one.end_date],
  ].every((part) => part === null) &&
  one.formula_guard &&
  one.scope === 'full' &&
  one.compression === 'none' &&
  one.collection.length + one.tile_types.length === 0;

/** Starts to write a file: runs the export that made it before, or a new one. Throws as a call does. */
export const startFile = async (
  api: Tidemark,
  body: FileBody,
  signal: AbortSignal,
): Promise<{ readonly exportId: string; readonly jobId?: string }> => {
  const { exports } = await api.listExports({ query: { order: 'newest', limit: LISTED }, signal });
  const before = exports.find((one) => isPlain(one) && factsOf(one) === factsOf(body));
  if (before === undefined) return { exportId: (await api.createExport({ body, signal })).id };
  const { id } = await api.createExportJob({ path: { export_id: before.id }, signal });
  return { exportId: before.id, jobId: id };
};
