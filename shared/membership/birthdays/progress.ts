import * as v from 'valibot';
import { propertyItem } from '../../properties/items.ts';
import { keys } from '../../table/keys.ts';
import type { Table } from '../../table/table.ts';
import { dayOf, type Day } from './days.ts';

/** Where a walk over the people of a property stopped: in the hidden segment of a month, ahead of an ordinal. */
const place = v.object({ to: v.string(), month: v.number(), from: v.number() });

/** The birthdays of a property are followed up to `day`; `place` is where those up to its `to` are being followed. */
const progressItem = v.object({ day: v.string(), place: v.nullable(place) });
export type Progress = Readonly<v.InferOutput<typeof progressItem>>;

/** How far a property is. One that was never visited is as far as the day it was made: bands are right when people are stored. */
export const readProgress = async (table: Table, property: number): Promise<Progress> => {
  const item = await table.get(keys.birthdays(property));
  if (item) return v.parse(progressItem, item);
  const { created } = v.parse(propertyItem, await table.get(keys.property(property)));
  return { day: dayOf(created), place: null };
};

/** Every state that is written is true for ever, so whichever comes last is good; an older one costs a walk over again. */
export const saveProgress = async (table: Table, property: number, progress: Progress): Promise<void> => {
  await table.put(keys.birthdays(property), {
    day: progress.day,
    place: progress.place && { ...progress.place },
  });
};

const round = v.object({ day: v.string(), after: v.nullable(v.string()), waiting: v.boolean() });
const roundsItem = v.object({ day: v.string(), round: v.nullable(round) });

/** All properties are followed up to `day`; `round` is the visit to all under way: how far it is, and whether some must wait. */
export interface Rounds {
  readonly day: Day;
  readonly round: Readonly<v.InferOutput<typeof round>> | null;
}

const BIRTHDAYS = 'birthdays';
/** Before any service ran. */
const NEVER: Day = '0000-01-01';

export const readRounds = async (table: Table): Promise<Rounds> => {
  const item = await table.get(keys.allProperties(BIRTHDAYS));
  return item ? v.parse(roundsItem, item) : { day: NEVER, round: null };
};

export const saveRounds = async (table: Table, { day, round: visit }: Rounds): Promise<void> => {
  await table.put(keys.allProperties(BIRTHDAYS), { day, round: visit && { ...visit } });
};
