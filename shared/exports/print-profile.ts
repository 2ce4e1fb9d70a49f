import type { PropertyKeys, SurfacedProfile } from '../profiles/types.ts';
import { sealOrdinal } from '../profiles/uuid.ts';
import { DAY_SECONDS } from '../runtime/clock.ts';
import { cellReader } from './fields.ts';
import type { ExportDefinition } from './items.ts';
import { layoutOf, styleOf } from './layout.ts';
import type { PartRow } from './part-rows.ts';
import { printLine } from './print.ts';

/** What becomes of a member: a row, none because it lacks what the export is about, or none because it wasn't asked for. */
type Printed = PartRow | 'skipped' | 'out_of_range';

/** Prints the profiles of one export. */
export type ProfilePrinter = (profile: SurfacedProfile) => Printed;

/** A printer for a definition's columns, dates and format. `keys` seal the ordinals into UUIDs. */
export const profilePrinter = (definition: ExportDefinition, keys: PropertyKeys['uuid']): ProfilePrinter => {
  const layout = layoutOf(definition);
  const style = styleOf(definition);
  const readers = layout.fields.map(cellReader);
  const needsUuid = layout.fields.includes('profile_uuid');
  const inRange = dateRange(definition);
  return (profile) => {
    if (!inRange(profile.updatedAt)) return 'out_of_range';
    if (definition.field_set === 'email' && profile.fields.email === null) return 'skipped';
    const exported = { ...profile, uuid: needsUuid ? sealOrdinal(keys, profile.ordinal) : '' };
    const line = printLine(
      style,
      readers.map((read) => read(exported)),
    );
    const extra = layout.extras && Object.keys(profile.extra).length > 0 ? profile.extra : undefined;
    return { line, extra };
  };
};

/** Whether a time lies in a definition's range of UTC days, both ends included. */
const dateRange = ({ start_date, end_date }: ExportDefinition): ((time: number) => boolean) => {
  const from = start_date === null ? -Infinity : Date.parse(`${start_date}T00:00:00Z`);
  const end = end_date === null ? Infinity : Date.parse(`${end_date}T00:00:00Z`) + DAY_SECONDS * 1000;
  return (time) => time >= from && time < end;
};
