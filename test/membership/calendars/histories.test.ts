import { describe, expect, it } from 'vitest';
import { readConditions } from '../../../shared/catalogue/conditions/condition-list.ts';
import { pick, seeded, type Choose } from '../../ingest/interleave.ts';
import { scope } from '../../profiles/harness.ts';
import { casesOf } from '../../support/scale.ts';
import { CalendarWorld, timedWheres } from './world.ts';

/** Days before ends of months, leap days and turns of years. */
const begins = ['2026-02-24', '2028-02-22', '2026-12-24', '2027-03-29', '2026-05-30', '2027-02-26'] as const;
const DAYS = 20;
const PEOPLE = 6;

/** Something about a person that counts in days: near today, or at the edge of a longer window. */
const aDay = (world: CalendarWorld, choose: Choose): string => {
  const day = world.day(choose(4) === 0 ? -30 - choose(6) : choose(9) - 5);
  return choose(4) === 0 ? `${day}T21:30:00Z` : day;
};

const aBirthday = (world: CalendarWorld, choose: Choose): string => {
  if (choose(6) === 0) return pick(['2008-02-29', '2004-02-29'], choose);
  const years = world.day().slice(0, 4);
  const [, ...rest] = world.day(choose(7) - 3).split('-');
  const day = [String(Number(years) - pick([17, 18, 25, 30], choose)), ...rest].join('-');
  return Number.isNaN(Date.parse(day)) || day.endsWith('02-29') ? '2008-02-29' : day;
};

const seen = (world: CalendarWorld, choose: Choose): unknown =>
  pick(
    [
      () => aDay(world, choose),
      () => aDay(world, choose),
      () => [aDay(world, choose), 'soon', aDay(world, choose)],
      () => [aDay(world, choose), aDay(world, choose), aDay(world, choose)],
      () => 'soon',
      () => null,
    ],
    choose,
  )();

/** What a story is about: whether conditions and records are about birthdays, about other days, or about both. */
const themes = ['birthdays', 'days', 'both'] as const;
type Theme = (typeof themes)[number];

const isOfBirthdays = ({ field }: (typeof timedWheres)[number]): boolean =>
  field === 'birthday' || field === 'age';

const wheresOf = (theme: Theme) =>
  timedWheres.filter((where) => theme === 'both' || isOfBirthdays(where) === (theme === 'birthdays'));

const aRecord = (world: CalendarWorld, choose: Choose, theme: Theme): Record<string, unknown> => {
  const who = `u${choose(PEOPLE)}`;
  const birthday = () => ({ birthday: choose(8) === 0 ? null : aBirthday(world, choose) });
  const age = () => ({ age: choose(3) === 0 ? null : 16 + choose(4) });
  const days = () => ({ extra_data: { seen: seen(world, choose) } });
  const tag = () => ({ tags: [{ tag: ['Concert'], datetime: `${world.day(-choose(6))}T00:30:00Z` }] });
  const other = () => ({ gender: pick(['Female', 'Male'], choose) });
  const kinds = {
    birthdays: [birthday, birthday, birthday, age, other],
    days: [days, days, days, tag, other],
  };
  const all = theme === 'both' ? [...kinds.birthdays, ...kinds.days] : kinds[theme];
  return { unique_id: who, email: `${who}@example.org`, ...pick(all, choose)() };
};

const ordinalOf = async (world: CalendarWorld, choose: Choose): Promise<number | undefined> =>
  (await world.people.find({ kind: 'unique_id', value: `u${choose(PEOPLE)}` }))?.ordinal;

/** What may happen in the hours of a day. */
const steps = (world: CalendarWorld, choose: Choose, made: Set<number>, theme: Theme) => {
  const say = (how: 'now' | 'later' | number) => () => world.say(aRecord(world, choose, theme), how);
  const create = async (): Promise<void> => {
    if (made.size < 9) made.add(await world.create(pick(wheresOf(theme), choose), 'A condition'));
  };
  const remove = async (): Promise<void> => {
    const id = [...made][choose(Math.max(1, made.size))];
    if (id === undefined) return;
    made.delete(id);
    await world.remove(id);
  };
  const forget = async (): Promise<void> => {
    const ordinal = await ordinalOf(world, choose);
    if (ordinal !== undefined) await world.people.forget(ordinal);
  };
  const rule = async (): Promise<void> => {
    const ordinal = await ordinalOf(world, choose);
    if (ordinal !== undefined) await world.people.followRules(ordinal, choose(2) === 0);
  };
  const object = () => world.object(`u${choose(PEOPLE)}`, choose(2) === 0);
  const prepare = async (): Promise<void> => {
    for (let minute = 0; minute < 3; minute += 1) {
      world.now += 60_000;
      await world.look();
    }
  };
  const index = () => world.index(choose(2) === 0);
  return [
    ...[say('now'), say('now'), say('later'), say('later'), say(choose(4))],
    ...[() => world.undo(choose(4)), forget, rule, rule, object, create, create, remove],
    ...[prepare, prepare, () => world.look(), index],
  ];
};

/** What may come of the job before its last call. */
const mishaps = (world: CalendarWorld, choose: Choose) => {
  const briefly = () => {
    let looks = choose(4);
    return world.job(() => (looks -= 1) >= 0, choose(2) === 0);
  };
  return [
    () => world.dyingJob(choose(60)),
    () => world.dyingJob(choose(60)),
    briefly,
    () => Promise.all([world.job(), world.job()]),
    () => Promise.resolve(),
  ];
};

const play = async (seed: number): Promise<void> => {
  const choose = seeded(seed);
  const world = await CalendarWorld.on(pick(begins, choose));
  const made = new Set<number>();
  const theme = pick(themes, choose);
  for (let round = 0; round < DAYS; round += 1) {
    // Some things happen before the job of the day, some behind it, and some just before midnight.
    const work = async (most: number): Promise<void> => {
      for (let left = choose(most); left > 0; left -= 1) {
        await pick(steps(world, choose, made, theme), choose)();
        world.now += choose(900_000);
      }
    };
    await work(9);
    world.now = Date.parse(`${world.day()}T23:58:00Z`);
    await work(3);
    const missed = choose(5) === 0 ? choose(8) : 0;
    world.now = Date.parse(`${world.day()}T00:07:00Z`) + 86_400_000 * (1 + missed);
    await work(4);
    await pick(mishaps(world, choose), choose)();
    await work(4);
    await world.endDay();
    await world.expectExact();
  }
  for (const id of made) await world.remove(id);
  await world.settle();
  expect(await readConditions(world.table, scope.id)).toMatchObject({ dropped: [], calendars: [] });
  const hidden = world.table.items().filter(({ pk }) => /#M#799\d{7}/.test(pk) && !/#M#79999999/.test(pk));
  expect(hidden).toEqual([]);
};

describe('the index shows exactly who belongs in it after the job of the day', () => {
  it.each(Array.from({ length: casesOf('CALENDARS', { full: 150, sample: 8 }) }, (_, seed) => seed + 1))(
    'for people who come, change and go, and conditions that begin and end (seed %i)',
    (seed) => play(seed),
    120_000,
  );
});
