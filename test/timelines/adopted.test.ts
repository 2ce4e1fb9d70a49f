import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { nextRun, timetableOf } from '../../shared/schedules/timetable.ts';
import { addMoment, type AddMomentDeps } from '../../shared/timelines/add-moment.ts';
import { property } from '../segments/fixture.ts';
import { frozenAt } from '../support/frozen.ts';
import { HOUR, START, taggedPeople } from './harness.ts';
import { timelineScheduler } from './scheduler.ts';

const MINUTE = 60_000;
const hourly = { minute: '0' };

/** The key of a due moment, as release 0.2.0 lists it. */
const dueKey = (timeline: number, time: number) => {
  const [first, second, third] = [[time, 13] as const, [property, 10] as const, [timeline, 16] as const].map(
    ([number, digits]) => String(number).padStart(digits, '0'),
  );
  return { pk: `DUE#${timeline % 16}`, sk: `${first}#${second}#${third}` };
};

/** What the function of release 0.2.0 does each minute with the first moment that is due. */
const earlier = async (deps: AddMomentDeps, timeline: number): Promise<void> => {
  const { table, clock } = deps;
  const { items } = await table.query(dueKey(timeline, 0).pk, { limit: 1 });
  const [due] = items.map((item) => v.parse(v.looseObject({ w: v.string(), time: v.number() }), item));
  if (!due || due.time > clock()) return;
  const requestKey = `due-${timeline}-${due.time}`;
  const requestIdentity = { property, requestKey, again: true, now: clock() };
  await addMoment(deps, { property, timeline, requestIdentity, at: due.time });
  const time = nextRun(timetableOf(hourly), clock()) ?? 0;
  await table.write({ kind: 'insert', key: dueKey(timeline, time), set: { property, timeline, time } });
  await table.write({ kind: 'delete', key: dueKey(timeline, due.time), expect: { w: due.w } });
};

/** A timeline as release 0.2.0 leaves it: with a due moment at two o'clock, and no schedule. */
const setUp = async () => {
  const { tag, clock, table, harness } = await taggedPeople([0]);
  clock.now += 10 * MINUTE;
  const { body } = await harness().schedule('t', tag, hourly);
  const { id } = v.parse(v.object({ id: v.number() }), body);
  const listed = (start: string) => table.items().filter(({ pk }) => pk.startsWith(start));
  for (const { pk, sk } of listed('TASKS'))
    await table.write({ kind: 'delete', key: { pk, sk }, expect: {} });
  const time = START + 2 * HOUR;
  await table.put(dueKey(id, time), { property, timeline: id, time });
  const momentsOf = async () =>
    (await harness().counted(id)).moments.slice(1).map(({ created_date }) => created_date.slice(11, 19));
  return { clock, table, harness, id, time, listed, momentsOf };
};

describe('a due moment that release 0.2.0 has listed', () => {
  it('comes once, and the next ones after it, wherever the function of 0.2.0 stands still meanwhile', async () => {
    for (let at = 1, isStill = true; isStill; at += 1) {
      const { clock, table, harness, id, time, listed, momentsOf } = await setUp();
      clock.now = time + 7_000;
      let operations = 0;
      const { view, reached, thaw } = frozenAt(table, () => (operations += 1) === at);
      const old = earlier(harness(view).deps, id).then(() => 'done' as const);
      isStill = (await Promise.race([old, reached])) !== 'done';
      const { pass, schedules } = timelineScheduler({ clock, deps: () => harness().deps });
      await pass(12 * MINUTE);
      thaw();
      await old;
      await pass(2 * HOUR + 20 * MINUTE);
      expect(await momentsOf(), `stood still at operation ${at}`).toEqual([
        '02:00:00',
        '03:00:00',
        '04:00:00',
      ]);
      expect([...listed('DUE'), ...listed('TASKS')]).toEqual([]);
      expect(schedules.made.size).toBe(1);
    }
  });

  it('stays listed while its timeline is being made', async () => {
    const { clock, table, harness, id, listed } = await setUp();
    const { pass, schedules } = timelineScheduler({ clock, deps: () => harness().deps });
    const [unmade, time] = [id + 5, clock.now + 20 * MINUTE];
    await table.put(dueKey(unmade, time), { property, timeline: unmade, time });
    await pass(30 * MINUTE);
    expect(listed('DUE')).toHaveLength(1);
    await pass(30 * MINUTE);
    expect([...listed('DUE'), ...listed('TASKS')]).toEqual([]);
    expect([...schedules.made.keys()]).toEqual([`p${property}-timeline-${id}-0`]);
  });
});
