import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import { path, people, ref, runJob } from './steps.ts';
import { type Before, bodyOf, exportsWorld, type ExportsWorld, PROPERTY, segment } from './world.ts';

const jobsIn = v.looseObject({ jobs: v.array(v.object({ id: v.string(), status: v.string() })) });
const daily = { segment: [segment(2)], field_set: 'email', schedule: { hour: '3' } };
const once = { ...daily, schedule: { hour: '3', once: true } };

const emptyWorld = (options: { before?: Before } = {}): ExportsWorld => {
  const world = exportsWorld(options);
  people(world, 10);
  world.world.members.set(segment(2), [1, 2]);
  return world;
};
const scheduledWorld = async (body: object = daily): Promise<ExportsWorld> => {
  const world = emptyWorld();
  bodyOf(await world.create(body));
  return world;
};
const made = (world: ExportsWorld): readonly string[] =>
  [...world.schedules.made.values()].map(({ expression }) => expression);
const jobCount = async (world: ExportsWorld): Promise<number> =>
  v.parse(jobsIn, bodyOf(await world.listJobs(path))).jobs.length;

/** The messages of the schedules for a time. */
const tellAll = async (world: ExportsWorld, time: string): Promise<void> => {
  for (const { input } of [...world.schedules.made.values()])
    await world.tell(JSON.parse(input.replace('<time>', time)));
};

describe('an export with a schedule', () => {
  it('starts no job, and shows its schedule as it was sent', async () => {
    const world = emptyWorld();
    const answer = bodyOf(await world.create(daily));
    expect(answer).toMatchObject({ status: 'received', schedule: { hour: '3' } });
    expect(bodyOf(await world.read(path))).toMatchObject({ status: 'scheduled', schedule: { hour: '3' } });
    expect(world.started).toEqual([]);
    expect(made(world)).toEqual(['cron(0 3 * * ? *)']);
    const [schedule] = world.schedules.made.values();
    expect(schedule?.once).toBe(false);
  });

  it('runs once for each scheduled time, however often that is told, also late and at once', async () => {
    const world = await scheduledWorld();
    const time = '2026-06-02T03:00:00Z';
    await Promise.all([1, 2, 3].map(() => tellAll(world, time)));
    await tellAll(world, time);
    expect(await jobCount(world)).toBe(1);
    await runJob(world, ref);
    await tellAll(world, '2026-06-02T03:00:00.000Z');
    expect(await jobCount(world)).toBe(1);
    expect(bodyOf(await world.read(path))).toMatchObject({ status: 'complete' });
    await tellAll(world, '2026-06-03T03:00:00Z');
    await tellAll(world, time);
    expect(await jobCount(world)).toBe(2);
    expect(world.started).toHaveLength(2);
  });

  it('with both fields of days has two schedules, and runs once on a day of both', async () => {
    const world = await scheduledWorld({ ...daily, schedule: { day_of_month: '1', day_of_week: '1' } });
    expect(made(world)).toEqual(['cron(0 0 1 * ? *)', 'cron(0 0 ? * 2 *)']);
    await tellAll(world, '2026-06-01T00:00:00Z');
    expect(await jobCount(world)).toBe(1);
  });

  it('that runs once has a schedule that removes itself, and runs at no other time', async () => {
    const world = await scheduledWorld(once);
    expect([...world.schedules.made.values()]).toMatchObject([
      { expression: 'at(2026-06-01T03:00:00)', once: true },
    ]);
    await tellAll(world, '2026-06-01T03:00:00Z');
    expect(await jobCount(world)).toBe(1);
    world.world.now += 86_400_000;
    await world.repair();
    expect(made(world)).toEqual([]);
    expect(await jobCount(world)).toBe(1);
  });

  it('that runs once is made up for when its time passed untold', async () => {
    const world = await scheduledWorld(once);
    await world.schedules.remove([...world.schedules.made.keys()][0] ?? '');
    world.world.now = Date.parse('2026-06-01T03:01:00Z');
    await world.repair();
    expect(await jobCount(world)).toBe(0);
    world.world.now = Date.parse('2026-06-01T03:05:00Z');
    await world.repair();
    expect(await jobCount(world)).toBe(1);
    await world.tell({ property: PROPERTY, export: ref.export, revision: 1, time: '2026-06-01T03:00:00Z' });
    expect(await jobCount(world)).toBe(1);
  });

  it('gets other schedules when it is replaced, and none when it is deleted', async () => {
    const world = await scheduledWorld();
    const [first] = world.schedules.made.values();
    bodyOf(await world.replace(path, { ...daily, schedule: { hour: '4' } }));
    expect(made(world)).toEqual(['cron(0 4 * * ? *)']);
    // The old one may still be under way.
    await world.tell(JSON.parse((first?.input ?? '').replace('<time>', '2026-06-02T03:00:00Z')));
    expect(await jobCount(world)).toBe(0);
    bodyOf(await world.replace(path, { ...daily, schedule: null }));
    expect(made(world)).toEqual([]);
    bodyOf(await world.replace(path, daily));
    const [last] = world.schedules.made.values();
    bodyOf(await world.remove(path));
    expect(made(world)).toEqual([]);
    await world.tell(JSON.parse((last?.input ?? '').replace('<time>', '2026-06-02T03:00:00Z')));
    expect(world.started).toEqual([]);
  });

  it('replaced by many at once ends with the schedule of the one that stands', async () => {
    const world = await scheduledWorld();
    await Promise.all(
      [4, 5, 6, 7].map((hour) => world.replace(path, { ...daily, schedule: { hour: `${hour}` } })),
    );
    const { schedule } = v.parse(
      v.looseObject({ schedule: v.object({ hour: v.string() }) }),
      bodyOf(await world.read(path)),
    );
    expect(made(world)).toEqual([`cron(0 ${schedule.hour} * * ? *)`]);
  });

  const actions: Readonly<Record<string, (world: ExportsWorld) => Promise<unknown>>> = {
    created: (world) => world.create(daily),
    replaced: async (world) => world.replace(path, { ...daily, schedule: { hour: '5' } }),
    'changed to none': (world) => world.replace(path, { ...daily, schedule: null }),
    deleted: (world) => world.remove(path),
  };

  it.each(Object.keys(actions))(
    'killed at any step while it is %s: the repair makes it good',
    async (name) => {
      class Killed extends Error {}
      const kill = async (at: number): Promise<{ world: ExportsWorld; calls: number }> => {
        let [calls, armed] = [0, false];
        const world = emptyWorld({
          before: () => {
            if (armed && (calls += 1) === at) throw new Killed();
          },
        });
        if (name !== 'created') bodyOf(await world.create(daily));
        armed = true;
        await actions[name]?.(world).catch((error: unknown) => {
          if (!(error instanceof Killed)) throw error;
        });
        armed = false;
        world.world.now += 300_000;
        await world.repair();
        return { world, calls };
      };
      const { calls } = await kill(-1);
      expect(calls).toBeGreaterThan(3);
      for (let at = 1; at <= calls; at += 1) {
        const { world } = await kill(at);
        const definition = (await world.exports.definition(PROPERTY, scopedId(PROPERTY, 1)))?.value;
        const hour = definition?.schedule?.hour;
        expect(made(world)).toEqual(hour === undefined ? [] : [`cron(0 ${hour} * * ? *)`]);
        expect(world.table.items().filter(({ pk }) => pk.startsWith('EXPORT-OUTBOX'))).toEqual([]);
      }
    },
  );
});
