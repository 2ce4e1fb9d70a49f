/** Forgotten in calls: leaves nothing of a forgotten person in a call with changes but the UUID. */
import { limits } from '../../config/limits.ts';
import type { ForgottenPeople } from '../../profiles/forgotten-people.ts';
import type { ReadProfileSteps } from '../../profiles/profile-repository.ts';
import { openUuid } from '../../profiles/profile-uuid.ts';
import type { PropertyKeys, PropertyScope } from '../../properties/scope.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { ExportDefinition, ExportPlan } from '../model/items.ts';
import { uuidIn } from '../parts/print-json.ts';
import { gonePrinter } from '../parts/print-profile.ts';
import type { ChangeCall } from './change-calls.ts';

export interface ForgottenInCallsDeps {
  readonly forgotten: Pick<ForgottenPeople, 'since'>;
  readonly readProfiles: ReadProfileSteps;
  readonly scopeOf: (property: number) => Promise<PropertyScope>;
  readonly clock: Clock;
}

interface Told {
  readonly definition: ExportDefinition;
  readonly plan: Pick<ExportPlan, 'watermark'>;
}

/**
 * Filters the calls of a job. Whoever was forgotten since its plan is told as `removed`, with the UUID alone, whatever the
 * file says, or not at all if the receiver wants no `removed`. The next job tells the same, because its base has the person.
 * Somebody whose forgetting was announced only is in the list too, so a read of the profile decides.
 */
export const forgottenFilter = (
  deps: ForgottenInCallsDeps,
  { definition, plan }: Told,
): ((call: ChangeCall) => Promise<ChangeCall>) => {
  const { property } = definition;
  const listed = listReader(deps, property, plan.watermark);
  return async (call) => {
    const people = await listed();
    if (people.size === 0) return call;
    const { keys } = await deps.scopeOf(property);
    const told = call.lines.map((line) => ({ line, ordinal: ordinalOf(keys.uuid, line) }));
    const gone = new Set(told.map(({ ordinal }) => ordinal).filter((ordinal) => people.has(ordinal)));
    for await (const step of deps.readProfiles(property, gone.size === 0 ? [] : [...gone].toSorted(byNumber)))
      for (const { ordinal } of step) gone.delete(ordinal);
    const printGone = gonePrinter(definition, keys.uuid);
    const lines = told.flatMap(({ line, ordinal }) => {
      if (!gone.has(ordinal)) return [line];
      return printGone ? [printGone(ordinal).line] : [];
    });
    const sent = call.after.sent - (call.lines.length - lines.length);
    return { ...call, lines, after: { ...call.after, sent } };
  };
};

const byNumber = (a: number, b: number): number => a - b;

/** Fails closed: a line that names nobody may be of anybody. */
const ordinalOf = (keys: PropertyKeys['uuid'], line: string): number => {
  const ordinal = openUuid(keys, uuidIn(line));
  if (ordinal === undefined) throw new Error('exports: a change names nobody of the property');
  return ordinal;
};

const CLOCK_SKEW_MS = limits.clockSkewSeconds * 1_000;

/** A reader of the people who may have been forgotten since a time. Each read asks for those alone whom no other one saw. */
const listReader = ({ forgotten, clock }: ForgottenInCallsDeps, property: number, since: number) => {
  const people = new Set<number>();
  let seen = since;
  return async (): Promise<ReadonlySet<number>> => {
    const now = clock();
    for await (const page of forgotten.since(property, seen - CLOCK_SKEW_MS))
      for (const { ordinal } of page) people.add(ordinal);
    seen = now;
    return people;
  };
};
