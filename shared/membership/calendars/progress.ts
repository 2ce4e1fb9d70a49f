import * as v from 'valibot';
import { propertyItem } from '../../properties/items.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { dayOf, type Day } from './days.ts';

/**
 * The place where a walk over the people of a property stopped: in a hidden segment, before an ordinal. `month` is the place
 * of the segment among all of them (`Due.place`), which release 0.2.0 knows for the months.
 */
const place = v.object({ to: v.string(), month: v.number(), from: v.number() });

/** Calendars are followed up to `day`. `place` is the progress of following them up to its `to`. */
const progressItem = v.object({ day: v.string(), place: v.nullable(place) });
export type Progress = Readonly<v.InferOutput<typeof progressItem>>;

/** The progress of a property. At first it is the day of its creation: the index is right when profiles are stored. */
export const readProgress = async (table: Table, property: number): Promise<Progress> => {
  const item = await table.get(keys.birthdays(property));
  if (item) return v.parse(progressItem, item);
  const { created } = v.parse(propertyItem, await table.get(keys.property(property)));
  return { day: dayOf(created), place: null };
};

/** Stores progress, unconditionally: every stored state stays true, and an older state only costs a repeated walk. */
export const saveProgress = async (table: Table, property: number, progress: Progress): Promise<void> => {
  await table.put(keys.birthdays(property), {
    day: progress.day,
    place: progress.place && { ...progress.place },
  });
};

const round = v.object({ day: v.string(), after: v.nullable(v.string()), waiting: v.boolean() });
const roundsItem = v.object({ day: v.string(), round: v.nullable(round) });

/**
 * All properties are followed up to `day`. `round` is the visit in progress: its position, and whether a property has
 * to wait.
 */
export interface Rounds {
  readonly day: Day;
  readonly round: Readonly<v.InferOutput<typeof round>> | null;
}

/** The name that release 0.2.0 gives the job: it followed birthdays only. */
const BIRTHDAYS = 'birthdays';

/** Earlier than any service ran. */
const NEVER: Day = '0000-01-01';

export const readRounds = async (table: Table): Promise<Rounds> => {
  const item = await table.get(keys.allProperties(BIRTHDAYS));
  return item ? v.parse(roundsItem, item) : { day: NEVER, round: null };
};

export const saveRounds = async (table: Table, { day, round: visit }: Rounds): Promise<void> => {
  await table.put(keys.allProperties(BIRTHDAYS), { day, round: visit && { ...visit } });
};
