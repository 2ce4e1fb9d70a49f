import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { completeDefinitions } from '../../shared/operator/complete-definitions.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { dyingAnywhere } from '../support/death.ts';
import { begun, path, ref, runJob, withPeople } from './steps.ts';
import { bodyOf, type ExportsHarness, PROPERTY, segment } from './harness.ts';
import { tasksIn } from '../support/look-at-tasks.ts';

const jobsIn = v.looseObject({ jobs: v.array(v.object({ id: v.string(), status: v.string() })) });
const daily = { segment: [segment(2)], field_set: 'email', schedule: { hour: '3' } };
const once = { ...daily, schedule: { hour: '3', once: true } };

const scheduledHarness = async (body: object = daily): Promise<ExportsHarness> => {
  const harness = await begun(body);
  await harness.repair();
  return harness;
};

/** Replaces the export, and looks at its tasks. */
const replaced = async (harness: ExportsHarness, body: object): Promise<void> => {
  bodyOf(await harness.replace(path, body));
  await harness.repair();
};
const made = (harness: ExportsHarness): readonly string[] =>
  [...harness.schedules.made.values()].map(({ expression }) => expression);
const jobCount = async (harness: ExportsHarness): Promise<number> =>
  v.parse(jobsIn, bodyOf(await harness.listJobs(path))).jobs.length;

/** The message of a schedule for a time. */
const tell = (harness: ExportsHarness, input: string | undefined, time: string): Promise<unknown> =>
  harness.deliverScheduleMessage(JSON.parse((input ?? '').replace('<time>', time)));

/** The messages of the schedules for a time. */
const tellAll = async (harness: ExportsHarness, time: string): Promise<void> => {
  for (const { input } of [...harness.schedules.made.values()]) await tell(harness, input, time);
};

/** The message of the first definition for its time, which comes after the job was made up for. */
const tellLate = (harness: ExportsHarness) =>
  harness.deliverScheduleMessage({
    ...{ property: PROPERTY, export: ref.export, revision: 1 },
    time: '2026-06-01T03:00:00Z',
  });

describe('an export with a schedule', () => {
  it('starts no job, and shows its schedule as it was sent', async () => {
    const harness = withPeople();
    const answer = bodyOf(await harness.create(daily));
    expect(answer).toMatchObject({ status: 'received', schedule: { hour: '3' } });
    expect(bodyOf(await harness.read(path))).toMatchObject({ status: 'scheduled', schedule: { hour: '3' } });
    expect(harness.started).toEqual([]);
    await harness.repair();
    expect(made(harness)).toEqual(['cron(0 3 * * ? *)']);
    const [schedule] = harness.schedules.made.values();
    expect(schedule?.once).toBe(false);
  });

  it('shows its next run, and none after the only one', async () => {
    const next = async (harness: ExportsHarness) => bodyOf(await harness.read(path))['next_run'];
    const repeated = await scheduledHarness();
    expect(await next(repeated)).toBe('2026-06-01T03:00:00.000Z');
    repeated.fakes.now = Date.parse('2026-06-01T03:00:00Z');
    expect(await next(repeated)).toBe('2026-06-02T03:00:00.000Z');
    const single = await scheduledHarness(once);
    expect(await next(single)).toBe('2026-06-01T03:00:00.000Z');
    single.fakes.now = Date.parse('2026-06-01T03:00:00Z');
    expect(await next(single)).toBeNull();
    expect(await next(await scheduledHarness({ segment: [segment(2)], start: false }))).toBeNull();
  });

  it('runs once for each scheduled time, however often that is told, also late and at once', async () => {
    const harness = await scheduledHarness();
    const time = '2026-06-02T03:00:00Z';
    await Promise.all([1, 2, 3].map(() => tellAll(harness, time)));
    await tellAll(harness, time);
    expect(await jobCount(harness)).toBe(1);
    await runJob(harness, ref);
    await tellAll(harness, '2026-06-02T03:00:00.000Z');
    expect(await jobCount(harness)).toBe(1);
    expect(bodyOf(await harness.read(path))).toMatchObject({ status: 'complete' });
    await tellAll(harness, '2026-06-03T03:00:00Z');
    await tellAll(harness, time);
    expect(await jobCount(harness)).toBe(2);
    expect(harness.started).toHaveLength(2);
  });

  it('with both fields of days has two schedules, and runs once on a day of both', async () => {
    const harness = await scheduledHarness({ ...daily, schedule: { day_of_month: '1', day_of_week: '1' } });
    expect(made(harness)).toEqual(['cron(0 0 1 * ? *)', 'cron(0 0 ? * 2 *)']);
    await tellAll(harness, '2026-06-01T00:00:00Z');
    expect(await jobCount(harness)).toBe(1);
  });

  it('that runs once has a schedule that removes itself, and runs at no other time', async () => {
    const harness = await scheduledHarness(once);
    expect([...harness.schedules.made.values()]).toMatchObject([
      { expression: 'at(2026-06-01T03:00:00)', once: true },
    ]);
    await tellAll(harness, '2026-06-01T03:00:00Z');
    expect(await jobCount(harness)).toBe(1);
    harness.fakes.now += 86_400_000;
    await harness.repair();
    expect(made(harness)).toEqual([]);
    expect(await jobCount(harness)).toBe(1);
  });

  it('that runs once is made up for when its time passed untold', async () => {
    const harness = await scheduledHarness(once);
    await harness.schedules.remove([...harness.schedules.made.keys()][0] ?? '');
    harness.fakes.now = Date.parse('2026-06-01T03:01:00Z');
    await harness.repair();
    expect(await jobCount(harness)).toBe(0);
    harness.fakes.now = Date.parse('2026-06-01T03:05:00Z');
    await harness.repair();
    expect(await jobCount(harness)).toBe(1);
    await tellLate(harness);
    expect(await jobCount(harness)).toBe(1);
  });

  it.each([daily, once])('is made up for when its time passed before its schedule: %j', async (body) => {
    const harness = await begun(body);
    harness.fakes.now = Date.parse('2026-06-01T03:05:00Z');
    await harness.repair();
    expect(await jobCount(harness)).toBe(1);
    await tellLate(harness);
    expect(await jobCount(harness)).toBe(1);
  });

  it('runs after a midnight that clocks skip, and on no other day at that time', async () => {
    const harness = await scheduledHarness();
    const cairo = { hour: '0', timezone: 'Africa/Cairo' };
    await replaced(harness, { ...daily, schedule: cairo });
    const [, late] = harness.schedules.made.values();
    expect(made(harness)).toEqual(['cron(0 0 * * ? *)', 'cron(0 1 * * ? *)']);
    await tell(harness, late?.input, '2027-04-28T23:00:00Z');
    expect(await jobCount(harness)).toBe(0);
    // On 30 April 2027 the clocks of Cairo go from midnight to one o'clock.
    await tell(harness, late?.input, '2027-04-29T22:00:00Z');
    expect(await jobCount(harness)).toBe(1);
  });

  it('gets other schedules when it is replaced, and none when it is deleted', async () => {
    const harness = await scheduledHarness();
    const [first] = harness.schedules.made.values();
    await replaced(harness, { ...daily, schedule: { hour: '4' } });
    expect(made(harness)).toEqual(['cron(0 4 * * ? *)']);
    // The old one may still be under way.
    await tell(harness, first?.input, '2026-06-02T03:00:00Z');
    expect(await jobCount(harness)).toBe(0);
    await replaced(harness, { ...daily, schedule: null });
    expect(made(harness)).toEqual([]);
    await replaced(harness, daily);
    const [last] = harness.schedules.made.values();
    bodyOf(await harness.remove(path));
    await harness.repair();
    expect(made(harness)).toEqual([]);
    await tell(harness, last?.input, '2026-06-02T03:00:00Z');
    expect(harness.started).toEqual([]);
  });

  it('has its schedules again after a restore that brings it back', async () => {
    const harness = await scheduledHarness();
    harness.fakes.now += 300_000;
    await harness.repair();
    await harness.schedules.remove([...harness.schedules.made.keys()][0] ?? '');
    await completeDefinitions({ ...harness, clock: () => harness.fakes.now }, PROPERTY, harness.fakes.now);
    harness.fakes.now += 300_000;
    await harness.repair();
    expect(made(harness)).toEqual(['cron(0 3 * * ? *)']);
  });

  it('replaced by many at once ends with the schedule of the one that stands', async () => {
    const harness = await scheduledHarness();
    await Promise.all(
      [4, 5, 6, 7].map((hour) => harness.replace(path, { ...daily, schedule: { hour: `${hour}` } })),
    );
    await harness.repair();
    const { schedule } = v.parse(
      v.looseObject({ schedule: v.object({ hour: v.string() }) }),
      bodyOf(await harness.read(path)),
    );
    expect(made(harness)).toEqual([`cron(0 ${schedule.hour} * * ? *)`]);
  });

  const actions: Readonly<Record<string, (harness: ExportsHarness) => Promise<unknown>>> = {
    created: (harness) => harness.create(daily),
    replaced: async (harness) => harness.replace(path, { ...daily, schedule: { hour: '5' } }),
    'changed to none': (harness) => harness.replace(path, { ...daily, schedule: null }),
    deleted: (harness) => harness.remove(path),
  };

  it.each(Object.keys(actions))(
    'killed at any step while it is %s: the repair makes it good',
    async (name) => {
      const calls = await dyingAnywhere({
        begin: async (before) => {
          const harness = withPeople({ before });
          if (name !== 'created') bodyOf(await harness.create(daily));
          return harness;
        },
        run: async (harness) => actions[name]?.(harness),
        check: async (harness) => {
          harness.fakes.now += 300_000;
          await harness.repair();
          const definition = (await harness.exports.definition(PROPERTY, scopedId(PROPERTY, 1)))?.value;
          const hour = definition?.schedule?.hour;
          expect(made(harness)).toEqual(hour === undefined ? [] : [`cron(0 ${hour} * * ? *)`]);
          expect(tasksIn(harness.table)).toEqual([]);
        },
      });
      expect(calls).toBeGreaterThan(3);
    },
  );
});
