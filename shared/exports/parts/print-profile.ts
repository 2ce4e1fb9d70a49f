import type { ResolvedProfile } from '../../profiles/types.ts';
import type { PropertyKeys } from '../../properties/scope.ts';
import { sealOrdinal } from '../../profiles/profile-uuid.ts';
import { DAY_SECONDS } from '../../runtime/clock.ts';
import { changedSince, type CandidateState } from './delta-base.ts';
import { cellReader, identifyingFields, type SealOrdinal } from '../model/fields.ts';
import type { ExportDefinition, ExportPlan } from '../model/items.ts';
import { layoutOf, styleOf } from '../file/layout.ts';
import type { PartRow } from '../file/part-rows.ts';
import { printLine } from '../../csv/print-line.ts';

/**
 * What becomes of a member: a row, none because it lacks what the export is about, or none because it wasn't asked for (out of
 * the dates, or known to those who have the last file).
 */
type PrintResult = PartRow | 'skipped' | 'not_asked';

/** Prints the profiles of one export. `standing` matters to a delta only. */
export type ProfilePrinter = (profile: ResolvedProfile, standing: CandidateState) => PrintResult;

/** A printer for a definition's columns, dates and format. `keys` seal the ordinals into UUIDs; `base` is that of the plan. */
export const profilePrinter = (
  definition: ExportDefinition,
  keys: PropertyKeys['uuid'],
  base: ExportPlan['base'],
): ProfilePrinter => {
  const print = rowPrinter(definition, keys);
  const inRange = dateRange(definition);
  const isDelta = definition.scope === 'delta';
  const since = changedSince(base);
  return (profile, standing) => {
    if (definition.field_set === 'email' && profile.fields.email === null) return 'skipped';
    const change = isDelta ? changeOf(standing, profile.updatedAt, { since, inRange }) : undefined;
    if (change === undefined && (isDelta || !inRange(profile.updatedAt))) return 'not_asked';
    return print(profile, change);
  };
};

type Change = 'added' | 'changed' | 'removed';
type InRange = (time: number) => boolean;

/**
 * What a delta tells of a candidate; nothing when those who have the last file know. Whoever left the dates by being stored
 * is told as removed, known or not: a row may be needless, none is missed.
 */
const changeOf = (
  standing: CandidateState,
  updatedAt: number,
  { since, inRange }: { readonly since: number; readonly inRange: InRange },
): Change | undefined => {
  if (standing === 'removed') return 'removed';
  if (standing === 'added') return inRange(updatedAt) ? 'added' : undefined;
  if (updatedAt < since) return undefined;
  return inRange(updatedAt) ? 'changed' : 'removed';
};

/** Prints a row; the first cell of a delta is its change, and a removed row tells only who it is about. */
const rowPrinter = (definition: ExportDefinition, keys: PropertyKeys['uuid']) => {
  const layout = layoutOf(definition);
  const style = styleOf(definition);
  const readers = layout.fields.map(cellReader);
  const identities = layout.fields.map((name) => (identifyingFields.has(name) ? cellReader(name) : () => ''));
  const seal: SealOrdinal = (ordinal) => sealOrdinal(keys, ordinal);
  return (profile: ResolvedProfile, change: Change | undefined): PartRow => {
    const cells = (change === 'removed' ? identities : readers).map((read) => read(profile, seal));
    const line = printLine(style, change === undefined ? cells : [change, ...cells]);
    const hasExtra = layout.extras && change !== 'removed' && Object.keys(profile.extra).length > 0;
    return { line, extra: hasExtra ? profile.extra : undefined };
  };
};

/** Whether a time lies in a definition's range of UTC days, both ends included. */
const dateRange = ({ start_date, end_date }: ExportDefinition): ((time: number) => boolean) => {
  const from = start_date === null ? -Infinity : Date.parse(`${start_date}T00:00:00Z`);
  const end = end_date === null ? Infinity : Date.parse(`${end_date}T00:00:00Z`) + DAY_SECONDS * 1000;
  return (time) => time >= from && time < end;
};
