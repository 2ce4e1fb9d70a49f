import { describe, expect, it } from 'vitest';
import type { Schedule } from '../../shared/schedules/schedule.ts';
import { completeDefinitions } from '../../shared/operator/complete-definitions.ts';
import { keys } from '../../shared/table/keys.ts';
import { property } from '../segments/fixture.ts';
import { dyingAnywhere } from '../support/death.ts';
import { HOUR, START, taggedPeople } from './harness.ts';
import { timelineScheduler } from './scheduler.ts';

const MINUTE = 60_000;
const DAY = 24 * HOUR;

const setUp = async (tick: () => void = () => undefined) => {
  const { fixture, tag, clock, table, harness } = await taggedPeople([0]);
  // Ten minutes past midnight.
  clock.now += 10 * MINUTE;
  fixture.before = tick;
  const scheduled = async (fields: Schedule): Promise<number> => {
    const { status, body } = await harness().schedule(JSON.stringify(fields), tag, fields);
    expect(status).toBe(201);
    return typeof body === 'object' && body !== null && 'id' in body ? Number(body.id) : 0;
  };
  const scheduler = timelineScheduler({ clock, deps: () => harness().deps, before: tick });
  const momentsOf = async (id: number) =>
    (await harness().counted(id)).moments.slice(1).map(({ created_date }) => created_date.slice(5, 19));
  const names = () => [...scheduler.schedules.made.keys()];
  const tasks = () => table.items().filter(({ sk }) => sk.startsWith('timeline-schedule'));
  const messageOf = (timeline: number, time: number) => ({
    ...{ property, timeline, catches_up: false },
    time: new Date(time).toISOString(),
  });
  return { fixture, clock, table, harness, scheduled, ...scheduler, momentsOf, names, tasks, messageOf };
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
    const { scheduled, pass, momentsOf, harness, tasks } = await setUp();
    const hourly = await scheduled({ minute: '0' });
    await pass(4 * HOUR + 30 * MINUTE);
    // That at 1 o'clock is less than an hour after the first moment, and the next one would be too early behind it.
    expect(await momentsOf(hourly)).toEqual(['01-01T02:00:00', '01-01T03:00:00', '01-01T04:00:00']);
    const { moments, schedule } = await harness().counted(hourly);
    expect(schedule).toEqual({ minute: '0' });
    expect(moments.at(-1)?.created_by).toEqual(moments[0]?.created_by);
    expect(tasks()).toEqual([]);
  });

  it('come by date or weekday, and once only when they are to', async () => {
    const { scheduled, pass, momentsOf, names } = await setUp();
    const daily = await scheduled({ hour: '6', minute: '30' });
    const once = await scheduled({ day_of_month: '2', once: true });
    await pass(3 * DAY);
    expect(await momentsOf(daily)).toEqual(['01-01T06:30:00', '01-02T06:30:00', '01-03T06:30:00']);
    expect(await momentsOf(once)).toEqual(['01-02T00:00:00']);
    expect(names()).toEqual([`p${property}-timeline-${daily}-0`]);
  });

  it('are shown ahead: the next one, and none after the only one', async () => {
    const { scheduled, pass, harness } = await setUp();
    const daily = await scheduled({ hour: '6' });
    const once = await scheduled({ day_of_month: '2', once: true });
    const shown = async (id: number) => {
      const routes = harness();
      const listed = (await routes.list()).timelines.find((one) => one.id === id);
      const { next_run } = await routes.counted(id);
      expect(listed?.next_run).toBe(next_run);
      return next_run;
    };
    expect(await shown(daily)).toBe('2026-01-01T06:00:00.000Z');
    expect(await shown(once)).toBe('2026-01-02T00:00:00.000Z');
    await pass(2 * DAY);
    expect(await shown(daily)).toBe('2026-01-03T06:00:00.000Z');
    expect(await shown(once)).toBeNull();
  });

  it('come after a time that clocks skip, and on no other day at that time', async () => {
    const { scheduled, pass, momentsOf, clock } = await setUp();
    // On 29 March 2026 the clocks of Berlin go from two to three o'clock.
    clock.now = Date.UTC(2026, 2, 27, 12);
    const nightly = await scheduled({ hour: '2', timezone: 'Europe/Berlin' });
    await pass(3 * DAY);
    expect(await momentsOf(nightly)).toEqual(['03-28T01:00:00', '03-29T01:00:00', '03-30T00:00:00']);
  });

  it('come at a time before their schedules are known', async () => {
    const { scheduled, pass, momentsOf, names, clock } = await setUp();
    clock.now = START + 6 * HOUR - 63_000;
    const daily = await scheduled({ hour: '6' });
    await pass(MINUTE);
    const once = await scheduled({ hour: '6', once: true });
    await pass(DAY + 2 * MINUTE);
    // They wait until the first moment is an hour old.
    expect(await momentsOf(daily)).toEqual(['01-01T06:59:07', '01-02T06:00:00']);
    expect(await momentsOf(once)).toEqual(['01-01T07:00:07']);
    expect(names()).toEqual([`p${property}-timeline-${daily}-0`]);
  });

  it('are made up for once when nobody has looked at the task of their timeline for long', async () => {
    const { scheduled, pass, momentsOf, clock } = await setUp();
    const hourly = await scheduled({ minute: '0' });
    clock.now += 5 * HOUR + 20 * MINUTE;
    await pass(2 * HOUR);
    expect(await momentsOf(hourly)).toEqual(['01-01T05:30:07', '01-01T07:00:00']);
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
    const { scheduled, look, send, pass, momentsOf, clock } = await setUp();
    const [hourly, daily] = [await scheduled({ minute: '0' }), await scheduled({ hour: '1' })];
    await look();
    send();
    clock.now += 5 * HOUR + 20 * MINUTE;
    await pass(2 * HOUR);
    expect(await momentsOf(hourly)).toEqual(['01-01T05:30:07', '01-01T07:00:00']);
    clock.now += 3 * DAY;
    await pass(3 * HOUR);
    expect(await momentsOf(daily)).toEqual(['01-01T05:30:07', '01-04T07:30:07']);
  });

  it('come once however often and whenever they are told, and go on', async () => {
    const { fixture, scheduled, momentsOf, run, clock, messageOf } = await setUp();
    const id = await scheduled({ hour: '2' });
    const told = messageOf(id, START + 2 * HOUR);
    for (let fatal = 0, through = false; !through; fatal += 1) {
      clock.now = START + 2 * HOUR + 5_000 * (fatal + 1);
      let left = fatal;
      fixture.before = () => {
        if (left <= 0) throw new Error('killed');
        left -= 1;
      };
      through = await run(told).then(
        () => true,
        () => false,
      );
      fixture.before = () => undefined;
    }
    await Promise.all([run(told), run(told)]);
    clock.now += 2 * HOUR;
    await run(told);
    expect(await momentsOf(id)).toEqual(['01-01T02:00:00']);
  });

  it('follow a timeline wherever its maker or the look at its task dies', async () => {
    for (const dying of ['maker', 'look'] as const)
      await dyingAnywhere({
        begin: async (tick) => {
          const at = await setUp(tick);
          if (dying === 'look') await at.scheduled({ hour: '2' });
          return at;
        },
        run: ({ scheduled, look }) => (dying === 'look' ? look() : scheduled({ hour: '2' })),
        check: async ({ harness, pass, names, momentsOf, tasks }) => {
          const { timelines } = await harness().list();
          await pass(2 * HOUR);
          expect(names()).toEqual(timelines.map(({ id }) => `p${property}-timeline-${id}-0`));
          for (const { id } of timelines) expect(await momentsOf(id)).toEqual(['01-01T02:00:00']);
          expect(tasks()).toEqual([]);
        },
      });
  });

  it('end with their timeline, wherever its deletion dies', async () => {
    await dyingAnywhere({
      begin: async (tick) => {
        const at = await setUp(tick);
        const id = await at.scheduled({ hour: '3' });
        await at.pass(MINUTE);
        expect(at.names()).toHaveLength(1);
        return { ...at, id };
      },
      run: ({ harness, id }) => harness().remove(id),
      check: async ({ harness, pass, names, tasks }) => {
        const { timelines } = await harness().list();
        await pass(10 * MINUTE);
        expect(names()).toHaveLength(timelines.length);
        expect(tasks()).toEqual([]);
      },
    });
  });

  it('come again after a restore that brings back their timeline without its schedules', async () => {
    const { scheduled, pass, harness, schedules, names, momentsOf, clock } = await setUp();
    const daily = await scheduled({ hour: '6' });
    await pass(8 * HOUR);
    await Promise.all(names().map((name) => schedules.remove(name)));
    const restored = clock.now;
    clock.now += DAY;
    await completeDefinitions(harness().deps, property, restored);
    await pass(DAY);
    expect(await momentsOf(daily)).toEqual(['01-01T06:00:00', '01-02T08:10:07', '01-03T06:00:00']);
  });

  it('of a deleted timeline do not come, and one that fails holds up no other', async () => {
    const { scheduled, momentsOf, harness, table, clock, look, send, deliver, names, waiting, messageOf } =
      await setUp();
    const [gone, other] = [await scheduled({ hour: '3' }), await scheduled({ hour: '3', minute: '1' })];
    await look();
    send();
    // Its schedules are still there, as after a look that stood still.
    await harness().remove(gone);
    const broken = gone + 900;
    await table.put(keys.timeline(property, broken), { id: 'not one' });
    clock.now = START + 3 * HOUR + 2 * MINUTE;
    send();
    waiting.unshift(messageOf(broken, START + HOUR));
    expect(await deliver()).toBe(1);
    expect(await momentsOf(other)).toEqual(['01-01T03:01:00']);
    expect(names()).toEqual([`p${property}-timeline-${other}-0`]);
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
