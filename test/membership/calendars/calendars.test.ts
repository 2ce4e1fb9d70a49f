import { describe, expect, it } from 'vitest';
import { dayCalendarId, isHiddenId } from '../../../shared/catalogue/calendars.ts';
import { readConditions } from '../../../shared/catalogue/conditions/condition-list.ts';
import type { Where } from '../../../shared/catalogue/conditions/shape.ts';
import { monthsBetween, residuesBetween } from '../../../shared/membership/calendars/days.ts';
import { readProgress } from '../../../shared/membership/calendars/progress.ts';
import { membersFrom } from '../../../shared/membership/walk-members.ts';
import { keys } from '../../../shared/table/keys.ts';
import { scope } from '../../profiles/harness.ts';
import { dyingAnywhere } from '../../support/death.ts';
import { CalendarWorld } from './world.ts';

const withinOne: Where = { field: 'extra_data.seen', op: 'within_days', value: 1 };
const person = (seen: unknown) => ({ unique_id: 'ann', extra_data: { seen } });

/** Seven minutes past midnight of a day. */
const wakeOn = (world: CalendarWorld, day: string): void => {
  world.now = Date.parse(`${day}T00:07:00Z`);
};

describe('the days of a walk', () => {
  it('are those that are so many days behind the value', () => {
    const residue = (day: string): number => (Date.parse(day) / 86_400_000) % 32;
    expect(residuesBetween('2026-03-01', '2026-03-02', [0])).toEqual([residue('2026-03-02')]);
    expect(residuesBetween('2026-03-01', '2026-03-02', [4])).toEqual([residue('2026-02-26')]);
    expect(residuesBetween('2026-03-01', '2026-03-02', [0, 32])).toEqual([residue('2026-03-02')]);
    expect(residuesBetween('2026-03-01', '2026-03-04', [0])).toHaveLength(3);
    expect(residuesBetween('2026-03-01', '2026-03-04', [])).toEqual([]);
    expect(residuesBetween('2025-03-01', '2026-03-04', [0])).toHaveLength(32);
    expect(residuesBetween('1969-12-30', '1969-12-31', [0])).toEqual([31]);
  });

  it('have the months of the anniversaries, also of 29 February', () => {
    expect(monthsBetween('2026-02-26', '2026-02-27', [-2])).toEqual([2, 3]);
    expect(monthsBetween('2026-03-01', '2026-03-02', [1])).toEqual([2, 3]);
    expect(monthsBetween('2026-03-30', '2026-03-31', [0, -364])).toEqual([3]);
  });
});

describe('a window', () => {
  it('has a person from its first day to its last', async () => {
    const world = await CalendarWorld.on('2026-02-26');
    const id = await world.create(withinOne);
    await world.settle();
    await world.say(person('2026-02-28'));
    const shown: Record<string, number> = {};
    for (let day = 0; day < 5; day += 1) {
      shown[world.day()] = (await world.members(id)).length;
      wakeOn(world, world.day(1));
      await world.endDay();
    }
    expect(shown).toEqual({
      ...{ '2026-02-26': 0, '2026-02-27': 0 },
      ...{ '2026-02-28': 1, '2026-03-01': 1, '2026-03-02': 0 },
    });
  });

  it('that was filled on a day between two jobs, and is over since, has nobody left in it', async () => {
    const world = await CalendarWorld.on('2026-02-26');
    await world.say(person('2026-02-27'));
    wakeOn(world, '2026-02-27');
    const id = await world.create(withinOne);
    await world.settle();
    expect(await world.members(id)).toEqual(['ann']);
    wakeOn(world, '2026-03-03');
    await world.endDay();
    expect(await world.members(id)).toEqual([]);
  });

  it('has nobody left whose special categories are no longer used on the day on which a window ends', async () => {
    const world = await CalendarWorld.on('2026-02-26');
    const id = await world.create({ field: 'age', op: 'between', value: [17, 17] });
    await world.settle();
    await world.say({ unique_id: 'ann', birthday: '2008-02-28' });
    expect(await world.members(id)).toEqual(['ann']);
    wakeOn(world, '2026-02-28');
    const ann = await world.people.find({ kind: 'unique_id', value: 'ann' });
    await world.people.followRules(ann?.ordinal ?? -1, false);
    await world.endDay();
    expect(await world.members(id)).toEqual([]);
  });

  it('shows who comes of age where special categories are not used', async () => {
    const world = await CalendarWorld.on('2026-02-26');
    const id = await world.create({ field: 'birthday', op: 'before', value: '2020-01-01' });
    await world.settle();
    await world.say({ unique_id: 'ann', birthday: '2008-02-29' });
    const ann = await world.people.find({ kind: 'unique_id', value: 'ann' });
    await world.people.followRules(ann?.ordinal ?? -1, false);
    await world.endDay();
    expect(await world.members(id)).toEqual([]);
    wakeOn(world, '2026-03-01');
    await world.endDay();
    expect(await world.members(id)).toEqual(['ann']);
  });
});

describe('a calendar', () => {
  it('begins with the first timed condition of its field and ends with the last, and none has its place again', async () => {
    const world = await CalendarWorld.on('2026-02-26');
    await world.say(person('2026-02-28'));
    const one = await world.create(withinOne);
    const other = await world.create({ ...withinOne, value: 7 });
    await world.create({ field: 'extra_data.seen', op: 'exists' });
    await world.create({ field: 'age', op: 'gte', value: 18 });
    expect(await readConditions(world.table, scope.id)).toMatchObject({
      calendars: [{ slot: 0, ready: false, of: [one, other] }],
      next_slot: 1,
    });
    await world.settle();
    const hidden = dayCalendarId(scope.id, 0) + ((Date.parse('2026-02-28') / 86_400_000) % 32);
    const membersOf = (id: number) =>
      Array.fromAsync(membersFrom(world.table, { property: scope.id, expression: id }));
    expect(await membersOf(hidden)).toHaveLength(1);
    expect(isHiddenId(scope.id, hidden)).toBe(true);
    expect(await world.people.catalogue.get(scope.id, hidden)).toBeUndefined();
    await world.remove(one);
    expect((await readConditions(world.table, scope.id)).calendars).toMatchObject([{ of: [other] }]);
    await world.remove(other);
    const third = await world.create({ ...withinOne, value: 9 });
    expect(await readConditions(world.table, scope.id)).toMatchObject({
      calendars: [{ slot: 1, ready: false, of: [third] }],
      next_slot: 2,
      dropped: [{ id: one }, { id: other }, { id: dayCalendarId(scope.id, 0) }],
    });
    await world.settle();
    expect(await membersOf(hidden)).toEqual([]);
    expect(await membersOf(hidden + 32)).toHaveLength(1);
    expect(await readConditions(world.table, scope.id)).toMatchObject({ dropped: [] });
  });

  it('is unknown to a list that was stored without calendars', async () => {
    const world = await CalendarWorld.on('2026-02-26');
    await world.table.put(keys.conditions(scope.id), { preparing: [], ready: [], dropped: [] });
    expect(await readConditions(world.table, scope.id)).toMatchObject({ calendars: [], next_slot: 0 });
    await world.create(withinOne);
    expect((await readConditions(world.table, scope.id)).calendars).toHaveLength(1);
  });

  it('has people by each of their days', async () => {
    const world = await CalendarWorld.on('2026-02-26');
    await world.say(person(['2026-02-28', '2026-03-04', 'never']));
    await world.create(withinOne);
    await world.settle();
    await world.expectExact();
    await world.say(person(['2026-03-04', '2026-03-04T23:59:59Z']));
    await world.expectExact();
    await world.say(person(null));
    await world.expectExact();
  });
});

describe('the job', () => {
  it('goes on where release 0.2.0 has stopped', async () => {
    const world = await CalendarWorld.on('2026-02-26');
    const place = { to: '2026-02-28', month: 2, from: 4_096 };
    await world.table.put(keys.birthdays(scope.id), { day: '2026-02-27', place });
    expect(await readProgress(world.table, scope.id)).toEqual({ day: '2026-02-27', place });
    wakeOn(world, '2026-02-28');
    await world.endDay();
    expect(await readProgress(world.table, scope.id)).toEqual({ day: '2026-02-28', place: null });
  });

  it('is finished by the next call, wherever a call dies', () =>
    dyingAnywhere({
      begin: async (tick) => {
        const world = await CalendarWorld.on('2026-02-26', tick);
        await world.create(withinOne);
        await world.create({ field: 'birthday', op: 'anniversary_within_days', value: 2 });
        await world.settle();
        await world.say({ ...person(['2026-02-28', '2026-02-24']), birthday: '2001-03-01' });
        wakeOn(world, '2026-02-27');
        return world;
      },
      run: (world) => world.job(),
      check: async (world) => {
        await world.job();
        await world.index();
        await world.expectExact();
      },
    }));
});

describe('an audit', () => {
  it('takes each day since the last that the job has followed for right', async () => {
    const world = await CalendarWorld.on('2026-02-26');
    await world.say(person('2026-02-27'));
    wakeOn(world, '2026-02-27');
    await world.create(withinOne);
    await world.settle();
    wakeOn(world, '2026-03-03');
    expect(await world.audit()).toMatchObject({ missing: 0, extra: 0 });
    await world.endDay();
    expect(await world.audit()).toMatchObject({ missing: 0, extra: 0 });
  });

  it('misses nobody in a calendar that is being filled', async () => {
    const world = await CalendarWorld.on('2026-02-26');
    await world.say(person('2026-02-27'));
    await world.create(withinOne);
    expect(await world.audit()).toMatchObject({ missing: 0, extra: 0, directories: 0 });
    await world.settle();
    expect(await world.audit()).toMatchObject({ missing: 0, extra: 0, directories: 0 });
  });
});
