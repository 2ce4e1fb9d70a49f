import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../shared/schedules/schedule.ts';
import { keys } from '../../shared/table/keys.ts';
import { addScheduledMoments } from '../../shared/timelines/add-scheduled-moments.ts';
import { Fixture, property } from '../segments/fixture.ts';
import { HOUR, START, timelineHarness } from './harness.ts';

const MINUTE = 60_000;
const DAY = 24 * HOUR;

const setUp = async () => {
  const fixture = new Fixture();
  await fixture.put([[0, { tags: ['a'] }]], ['a']);
  const tag = await fixture.tag('a');
  // Ten minutes past midnight.
  const clock = { now: START + 10 * MINUTE };
  const { table, readProfiles } = fixture;
  const harness = () => timelineHarness({ property, table, readProfiles, clock });
  const scheduled = async (fields: Schedule): Promise<number> => {
    const { status, body } = await harness().schedule(JSON.stringify(fields), tag, fields);
    expect(status).toBe(201);
    return typeof body === 'object' && body !== null && 'id' in body ? Number(body.id) : 0;
  };
  /** Lets time pass; the service looks once a minute, `offset` after it begins. */
  const pass = async (ms: number, offset = 7_000): Promise<void> => {
    const end = clock.now + ms;
    const first = Math.ceil((clock.now - offset) / MINUTE) * MINUTE + offset;
    for (let now = first; now <= end; now += MINUTE) {
      clock.now = now;
      await addScheduledMoments(harness().deps);
    }
    clock.now = end;
  };
  const momentsOf = async (id: number) =>
    (await harness().counted(id)).moments.slice(1).map(({ created_date }) => created_date.slice(5, 19));
  const dueItems = () => table.items().filter(({ pk }) => pk.startsWith('DUE'));
  return { fixture, clock, table, harness, scheduled, pass, momentsOf, dueItems };
};

describe('scheduled moments', () => {
  it('are refused together with an unknown segment', async () => {
    const { harness } = await setUp();
    const never = { day_of_month: '31', month: '2' };
    expect(await harness().schedule('x', 5, never)).toMatchObject({
      status: 422,
      faults: ['/schedule never_runs', '/reference_tile unknown_reference'],
    });
  });

  it('come at their times, each hour if so, though the service looks a little later', async () => {
    const { scheduled, pass, momentsOf, harness } = await setUp();
    const hourly = await scheduled({ minute: '0' });
    await pass(4 * HOUR + 30 * MINUTE);
    // That at 1 o'clock is less than an hour after the first moment, and the next one would be too early behind it.
    expect(await momentsOf(hourly)).toEqual(['01-01T02:00:00', '01-01T03:00:00', '01-01T04:00:00']);
    const { moments, schedule } = await harness().counted(hourly);
    expect(schedule).toEqual({ minute: '0' });
    expect(moments.at(-1)?.created_by).toEqual(moments[0]?.created_by);
  });

  it('come by date or weekday, and once only when they are to', async () => {
    const { scheduled, pass, momentsOf, dueItems } = await setUp();
    const daily = await scheduled({ hour: '6', minute: '30' });
    const once = await scheduled({ day_of_month: '2', once: true });
    await pass(3 * DAY);
    expect(await momentsOf(daily)).toEqual(['01-01T06:30:00', '01-02T06:30:00', '01-03T06:30:00']);
    expect(await momentsOf(once)).toEqual(['01-02T00:00:00']);
    expect(dueItems()).toHaveLength(1);
  });

  it('that meet a young moment come when the hour is over, unless the next one is near', async () => {
    const { scheduled, pass, momentsOf, harness } = await setUp();
    const daily = await scheduled({ hour: '6' });
    await pass(5 * HOUR + 20 * MINUTE);
    expect((await harness().add(daily)).status).toBe(201);
    await pass(DAY);
    expect(await momentsOf(daily)).toEqual(['01-01T05:30:00', '01-01T06:30:07']);
  });

  it('that were missed are not made up for, but for the last', async () => {
    const { scheduled, pass, momentsOf, clock } = await setUp();
    const hourly = await scheduled({ minute: '0' });
    clock.now += 5 * HOUR + 20 * MINUTE;
    await pass(2 * HOUR);
    expect(await momentsOf(hourly)).toEqual(['01-01T05:30:07', '01-01T07:00:00']);
  });

  it('come once however often and whenever they are told, and go on', async () => {
    const { fixture, scheduled, momentsOf, harness, clock, dueItems } = await setUp();
    const id = await scheduled({ hour: '2' });
    for (let fatal = 0, through = false; !through; fatal += 1) {
      clock.now = START + 2 * HOUR + 5_000 * (fatal + 1);
      let left = fatal;
      fixture.before = () => {
        if (left <= 0) throw new Error('killed');
        left -= 1;
      };
      const run = addScheduledMoments({
        ...harness().deps,
        pause: () => Promise.resolve(void (clock.now += 100)),
      });
      const failed = await run.then(
        () => false,
        () => true,
      );
      through = !failed;
      fixture.before = () => undefined;
    }
    await Promise.all([addScheduledMoments(harness().deps), addScheduledMoments(harness().deps)]);
    expect(await momentsOf(id)).toEqual(['01-01T02:00:00']);
    expect(dueItems().map(({ time }) => time)).toEqual([START + DAY + 2 * HOUR]);
  });

  it('are followed by the next ones wherever their maker dies', async () => {
    for (let fatal = 0, died = true; died; fatal += 1) {
      const { fixture, clock, harness, scheduled, dueItems } = await setUp();
      await scheduled({ hour: '6' });
      clock.now = START + 6 * HOUR + 1_000;
      died = false;
      let left = fatal;
      fixture.before = () => {
        left -= 1;
        if (left >= 0) return;
        died = true;
        throw new Error('killed');
      };
      await addScheduledMoments(harness().deps).catch(() => undefined);
      expect(dueItems().length, `killed at operation ${fatal}`).toBeGreaterThan(0);
    }
  });

  it('of a deleted timeline do not come, and one that fails holds up no other', async () => {
    const { scheduled, momentsOf, harness, table, clock, dueItems } = await setUp();
    const [gone, other] = [await scheduled({ hour: '3' }), await scheduled({ hour: '3', minute: '1' })];
    await harness().remove(gone);
    const broken = { property, timeline: gone + 900, time: START + HOUR };
    await table.put(keys.timeline(property, broken.timeline), { id: 'not one' });
    await table.put(keys.due(broken), broken);
    clock.now = START + 3 * HOUR + 2 * MINUTE;
    await expect(addScheduledMoments(harness().deps)).rejects.toThrow();
    expect(await momentsOf(other)).toEqual(['01-01T03:01:00']);
    clock.now += 15 * MINUTE;
    await expect(addScheduledMoments(harness().deps)).rejects.toThrow();
    expect(
      dueItems()
        .map(({ timeline }) => Number(timeline))
        .sort(),
    ).toEqual([other, broken.timeline]);
  });

  it('are refused more often than moments may come, or never', async () => {
    const { harness, fixture } = await setUp();
    const tag = await fixture.tag('a');
    for (const [fields, code] of [
      [{}, 'required'],
      [{ minute: '*/30' }, 'too_frequent'],
      [{ minute: '*' }, 'too_frequent'],
      [{ month: '2', day_of_month: '30' }, 'never_runs'],
    ] as const)
      expect(await harness().schedule('x', tag, fields)).toMatchObject({ status: 422, code });
    expect(await harness().schedule('x', tag, { minute: '*/30', once: true })).toMatchObject({ status: 201 });
  });
});
