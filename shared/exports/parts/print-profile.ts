/** Print profile: turns a profile into the row of an export file, or decides that it has none. */
import { currentAge } from '../../profiles/age.ts';
import { withoutSpecialValues } from '../../profiles/special.ts';
import type { ResolvedProfile } from '../../profiles/types.ts';
import type { PropertyKeys } from '../../properties/scope.ts';
import { sealOrdinal } from '../../profiles/profile-uuid.ts';
import { DAY_MS, type Clock } from '../../runtime/clock.ts';
import type { CandidateState } from './candidates.ts';
import { changedSince } from './delta-base.ts';
import { cellReader, CURRENT_AGE, identifyingFields, UUID_FIELD, type CellContext } from '../model/fields.ts';
import { changeKinds, type ExportDefinition, type ExportPlan } from '../model/items.ts';
import { layoutOf, styleOf, type Layout } from '../file/layout.ts';
import type { PartRow } from '../file/part-rows.ts';
import { identityKinds } from '../../table/keys.ts';
import { printLine, type PrintStyle } from '../../csv/print-line.ts';
import { jsonPrinter } from './print-json.ts';
import { rowBudget } from './row-budget.ts';

/**
 * The result for a candidate: its rows, the row of the profile last; `skipped`, because the profile has no e-mail for
 * an e-mail export; or `filtered`, because the profile is outside the dates, has lost its consent, or is unchanged
 * since the base of the delta.
 */
type PrintResult = readonly PartRow[] | 'skipped' | 'filtered';

/**
 * Prints the profiles of one export. Only a delta depends on `state`. Throws `RowTooLargeError` for a row that a format
 * makes too large.
 */
export type ProfilePrinter = (profile: ResolvedProfile, state: CandidateState) => PrintResult;

/**
 * A printer with the columns, dates and format of a definition. `keys` turn ordinals into UUIDs. The plan says from which
 * base a delta goes, and on which day people have their ages: when the members were read, so that no age contradicts them.
 */
export const profilePrinter = (
  definition: ExportDefinition,
  keys: PropertyKeys['uuid'],
  { base, watermark }: Pick<ExportPlan, 'base' | 'watermark'>,
): ProfilePrinter => {
  const context = { seal: (ordinal: number) => sealOrdinal(keys, ordinal), at: watermark };
  const print = rowPrinter(definition, context);
  const isWanted = wantedBy(definition);
  const isDelta = definition.scope === 'delta';
  const kinds = new Set<Change>(definition.changes?.kinds ?? changeKinds);
  const isExact = definition.changes !== null;
  const { fields } = layoutOf(definition);
  const hasAged = fields.includes(CURRENT_AGE) && base ? agedBetween(base.watermark, watermark) : () => false;
  const since = changedSince(base);
  const hasChanged: IsWanted = (profile) => profile.usedSince >= since || hasAged(profile);
  const printFormer = formerPrinter(definition, print);
  const printGone = gonePrinter(definition, keys);
  return (profile, state) => {
    if (definition.field_set === 'email' && profile.fields.email === null) return 'skipped';
    const change = isDelta ? changeOf(state, profile, { hasChanged, isWanted, isExact }) : undefined;
    if (change === undefined ? isDelta || !isWanted(profile) : !kinds.has(change)) return 'filtered';
    const isGone = change === 'removed' && !isNamed(profile);
    const row = isGone && printGone ? printGone(profile.ordinal) : print(profile, change);
    // The file of the base may name a person who was in it by an address that the profile no longer shows.
    return state === 'added' || state === 'unsure' ? [row] : [...printFormer(profile), row];
  };
};

/**
 * A printer of the rows of people of whom a receiver knows, and of whom nothing is left but the ordinal. `undefined` for
 * files without UUIDs, which cannot name them.
 */
export const gonePrinter = (
  definition: ExportDefinition,
  keys: PropertyKeys['uuid'],
): ((ordinal: number) => PartRow) | undefined => {
  const { fields, header } = layoutOf({ ...definition, scope: 'full' });
  // A client may give the UUID several names.
  const names = header.filter((_, index) => fields[index] === UUID_FIELD);
  const isTold = definition.changes?.kinds.includes('removed') ?? true;
  if (definition.scope !== 'delta' || names.length === 0 || !isTold) return undefined;
  const style = styleOf(definition);
  const change: Change = 'removed';
  return (ordinal) => {
    const uuid = sealOrdinal(keys, ordinal);
    const line = style
      ? printLine(style, [change, ...fields.map((field) => (field === UUID_FIELD ? uuid : ''))])
      : JSON.stringify({ change, ...Object.fromEntries(names.map((name) => [name, uuid])) });
    return { line, extra: undefined };
  };
};

/** A printer for a property that does not use special categories: their cells are empty in every format. */
export const ordinaryPrinter =
  (print: ProfilePrinter, clock: Clock): ProfilePrinter =>
  (profile, state) =>
    print(withoutSpecialValues(profile, clock()), state);

/**
 * Prints a removed row for each identity that a newer one has replaced, if the file has no UUIDs: its receiver knows people
 * by these identities alone. A row has one identity, and no other person can have it.
 */
const formerPrinter = (
  definition: ExportDefinition,
  print: PrintRow,
): ((profile: ResolvedProfile) => readonly PartRow[]) => {
  const { fields } = layoutOf(definition);
  if (fields.includes(UUID_FIELD)) return () => [];
  return (profile) =>
    profile.former
      .filter(({ kind }) => fields.includes(kind))
      .map(({ kind, value }) => {
        const only = { ...profile.fields, unique_id: null, email: null, social_id: null, [kind]: value };
        return print({ ...profile, fields: only }, 'removed');
      });
};

/** Whether a profile has an identity. An undo may leave none. */
const isNamed = ({ fields }: ResolvedProfile): boolean => identityKinds.some((kind) => fields[kind] !== null);

type Change = (typeof changeKinds)[number];
type IsWanted = (profile: ResolvedProfile) => boolean;

interface ChangeRules {
  readonly hasChanged: IsWanted;
  readonly isWanted: IsWanted;
  /** Whether the base has nobody but whom the receiver knows. */
  readonly isExact: boolean;
}

/**
 * The change of a candidate since the base; `undefined` for no change. A kept member that was stored outside the dates
 * counts as removed even if the base had no row for it: a delta may have a needless row, but it misses none.
 */
const changeOf = (
  state: CandidateState,
  profile: ResolvedProfile,
  { hasChanged, isWanted, isExact }: ChangeRules,
): Change | undefined => {
  if (state === 'removed') return 'removed';
  if (state === 'added') return isWanted(profile) ? 'added' : undefined;
  if (state === 'unsure') return isWanted(profile) ? 'added' : 'removed';
  if (isWanted(profile)) return hasChanged(profile) ? 'changed' : undefined;
  return isExact || hasChanged(profile) ? 'removed' : undefined;
};

/** Tests whether somebody has another age at a time than the base shows: nothing is stored on a birthday. */
const agedBetween =
  (before: number, now: number): IsWanted =>
  (profile) =>
    currentAge(profile, before) !== currentAge(profile, now);

/**
 * Whether the file takes a member: the profile was stored on the days of the definition, and has its consent still.
 * Somebody who withdraws consent, or objects to every use, after the members were frozen is left out.
 */
export const wantedBy = (definition: ExportDefinition): IsWanted => {
  const inRange = dateRange(definition);
  const { consent } = definition;
  return (profile) =>
    !profile.restricted &&
    inRange(profile.updatedAt) &&
    (consent === null ||
      profile.consent.some(({ channel, state }) => channel === consent.channel && state === consent.state));
};

type PrintRow = (profile: ResolvedProfile, change: Change | undefined) => PartRow;

/** Prints a row. A removed row has only the values that identify a person. */
const rowPrinter = (definition: ExportDefinition, context: CellContext): PrintRow => {
  const style = styleOf(definition);
  const layout = layoutOf(definition);
  return style === undefined ? objectPrinter(definition, context) : linePrinter(layout, style, context);
};

/** Prints a row as a line of cells. The first cell of a delta row is its change. */
const linePrinter = (layout: Layout, style: PrintStyle, context: CellContext): PrintRow => {
  const readers = layout.fields.map(cellReader);
  const identities = layout.fields.map((name) => (identifyingFields.has(name) ? cellReader(name) : () => ''));
  return (profile, change) => {
    const within = rowBudget();
    const cells = (change === 'removed' ? identities : readers).map((read) => within(read(profile, context)));
    const line = printLine(style, change === undefined ? cells : [change, ...cells]);
    const hasExtra = layout.extras && change !== 'removed' && Object.keys(profile.extra).length > 0;
    return { line, extra: hasExtra ? profile.extra : undefined };
  };
};

/** Prints a row as an object of JSON. */
const objectPrinter = (definition: ExportDefinition, context: CellContext): PrintRow => {
  const { fields, header } = layoutOf({ ...definition, scope: 'full' });
  const members = fields.map((field, index) => ({ field, name: header[index] ?? field }));
  const whole = jsonPrinter(members, context);
  const identities = jsonPrinter(
    members.filter(({ field }) => identifyingFields.has(field)),
    context,
  );
  return (profile, change) => ({
    line: (change === 'removed' ? identities : whole)(profile, change),
    extra: undefined,
  });
};

/** Tests whether a time lies in the definition's range of UTC days, both days included. */
const dateRange = ({ start_date, end_date }: ExportDefinition): ((time: number) => boolean) => {
  const from = start_date === null ? -Infinity : Date.parse(`${start_date}T00:00:00Z`);
  const end = end_date === null ? Infinity : Date.parse(`${end_date}T00:00:00Z`) + DAY_MS;
  return (time) => time >= from && time < end;
};
