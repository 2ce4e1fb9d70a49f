/**
 * Made things: what each user has made in a property, as far as it outlives the user: definitions of imports and exports,
 * export jobs, whose files have locations, and links to charts. Each is noted before it is made, so a note may be of a
 * thing that never was or is gone. Releases until 0.2.0 have noted nothing.
 */
import * as v from 'valibot';
import { DAY_MS, ttlAt } from '../runtime/clock.ts';
import { allItems } from '../table/all-items.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';

const madeThing = v.variant('kind', [
  v.object({ kind: v.picklist(['import', 'export']), id: v.number() }),
  v.object({ kind: v.literal('job'), export: v.number(), job: v.number() }),
  v.object({ kind: v.literal('chart'), timeline: v.number(), expires: v.number() }),
]);

/** A thing that a user has made. */
export type MadeThing = Readonly<v.InferOutput<typeof madeThing>>;

/** The file of a job and its locations are gone by then. */
const JOB_DAYS = 60;

/** Notes that a user makes a thing. Repeated notes change nothing. */
export const noteMade = async (
  table: Pick<Table, 'write'>,
  { property, user, now }: { readonly property: number; readonly user: number; readonly now: number },
  thing: MadeThing,
): Promise<void> => {
  const key = keys.madeThing(property, user, nameOf(thing));
  await table.write({ kind: 'insert', key, set: { ...thing, ...endOf(thing, now) } });
};

const nameOf = (thing: MadeThing): string => {
  if (thing.kind === 'job') return `job#${thing.export}#${thing.job}`;
  if (thing.kind === 'chart') return `chart#${thing.timeline}#${thing.expires}`;
  return `${thing.kind}#${thing.id}`;
};

/** Definitions stay until somebody deletes them; jobs and links end by themselves. */
const endOf = (thing: MadeThing, now: number): { readonly ttl?: number } => {
  if (thing.kind === 'job') return { ttl: ttlAt(now + JOB_DAYS * DAY_MS) };
  return thing.kind === 'chart' ? { ttl: ttlAt(thing.expires) } : {};
};

/** What a user has made in a property. */
export const thingsMadeBy = async (
  table: Table,
  property: number,
  user: number,
): Promise<readonly MadeThing[]> =>
  (await allItems(table, keys.madeThings(property, user))).map((item) => v.parse(madeThing, item));
