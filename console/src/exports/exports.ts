/** Exports with their newest jobs: names, where they go, and what became of a run. */
import type { Answer } from '../../../client/src/types.ts';
import { linkTo } from '../address.ts';
import type { Format } from '../format.ts';
import type { Texts } from '../texts/en.ts';

/** The definition of an export. */
export type ExportDefinition = Answer<'listExports'>['exports'][number];

/** A run of an export. */
export type ExportJob = Answer<'listExportJobs'>['jobs'][number];

/** An export with its newest job; `undefined` if it has not run. */
export interface ExportWithJob {
  readonly definition: ExportDefinition;
  readonly job: ExportJob | undefined;
}

/** The name of an export. */
export const exportName = (texts: Texts, { name }: ExportDefinition): string => name ?? texts.home.unnamed;

/** The page of the first segment of an export; `undefined` for an export of collections alone. */
export const exportLink = ({ segment: [first] }: ExportDefinition): string | undefined =>
  first === undefined ? undefined : linkTo('segments', [first]);

/** The receivers of an export, or of an import, which has only notices. */
type Receivers = Pick<ExportDefinition, 'notification_email' | 'webhook_url'> &
  Partial<Pick<ExportDefinition, 'destination_credentials' | 's3_destination'>>;

/** Where all deliveries of a definition go, or those of one kind; `undefined` if they go nowhere. */
export const placeOf = (definition: Receivers, kind?: string): string | undefined => {
  const { destination_credentials, s3_destination, notification_email, webhook_url } = definition;
  const places: Readonly<Record<string, string | undefined>> = {
    sftp: destination_credentials?.domain,
    s3: s3_destination?.bucket,
    email: notification_email ?? undefined,
    webhook: webhook_url === null ? undefined : new URL(webhook_url).host,
  };
  if (kind !== undefined) return places[kind];
  const all = Object.values(places).filter((place) => place !== undefined);
  return all.length === 0 ? undefined : all.join(', ');
};

/** A delivery that has not arrived, and says why. */
export const undeliveredIn = <
  Delivery extends { readonly state: string; readonly last_error: string | null },
>(
  deliveries: readonly Delivery[],
): Delivery | undefined =>
  deliveries.find(
    ({ state, last_error }) => state === 'exhausted' || (state === 'retrying' && last_error !== null),
  );

/** Why a delivery failed: in words for the codes of mail, or as the service said it. */
export const reasonOf = (texts: Texts, error: string | null | undefined): string | null | undefined => {
  const reasons: Readonly<Record<string, string>> = texts.home.exports.reasons;
  return typeof error === 'string' && Object.hasOwn(reasons, error) ? reasons[error] : error;
};

/** How many people or rows the newest file has. A delta has rows of people who left, too. */
export const sizeOf = (texts: Texts, format: Format, { definition, job }: ExportWithJob) => {
  const rows = job?.rows ?? null;
  if (rows === null) return undefined;
  const say = definition.scope === 'delta' ? texts.import.mend.rows : texts.home.files.people;
  return say(format.number(rows), rows);
};

/** Whether an export is more than a download: it has a schedule or a destination. */
export const isLasting = (definition: ExportDefinition): boolean =>
  definition.schedule !== null || placeOf(definition) !== undefined;

/** Whether the newest job of an export waits or runs. */
export const isRunning = ({ job }: ExportWithJob): boolean =>
  job?.status === 'pending' || job?.status === 'running';

/** Whether an export runs, or delivers what it has written. */
export const isAtWork = (one: ExportWithJob): boolean =>
  isRunning(one) ||
  one.job?.deliveries.some(({ state }) => state === 'waiting' || state === 'sending') === true;
