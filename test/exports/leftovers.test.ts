import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { capabilityOf } from '../../shared/exports/model/location.ts';
import { locationParts, path, people, ref } from './steps.ts';
import { type Before, bodyOf, exportsWorld, type ExportsWorld, segment } from './world.ts';

/** The longest that a step which was cut off may go on writing. */
const SETTLED = 1_200_000;

const planned = async (options: { before?: Before } = {}, more: object = {}): Promise<ExportsWorld> => {
  const world = exportsWorld(options);
  people(world, 10);
  world.world.members.set(segment(2), [1, 2]);
  bodyOf(await world.create({ segment: [segment(2)], field_set: 'email', ...more }));
  const { shards } = await world.plan(ref);
  for (const { shard } of shards) await world.part(ref, shard);
  return world;
};

/** Cancels the job right after its file was stored, before the job names it. */
const cancelledLate = async (world: ExportsWorld): Promise<void> => {
  const { files } = world;
  const store = files.putStream.bind(files);
  files.putStream = async (key, body) => {
    const stored = await store(key, body);
    bodyOf(await world.cancel(path));
    return stored;
  };
  expect(await world.assemble(ref)).toEqual({ status: 'failed' });
};

const filesOf = (world: ExportsWorld): readonly string[] =>
  world.files.keys().filter((key) => !key.includes('/members-'));

const grants = v.array(v.looseObject({ expires: v.number() }));

/** Opens every stored capability. */
const opened = async (world: ExportsWorld): Promise<readonly boolean[]> => {
  const items = world.table.items().filter(({ pk }) => pk.startsWith('DOWNLOAD#'));
  const names = filesOf(world).map((key) => key.split('/').at(-1) ?? '');
  const answers = v
    .parse(grants, items)
    .flatMap(({ expires }) =>
      names.map((file_name) =>
        world.open({ capability: capabilityOf(world.keys.downloads, ref, expires), file_name }),
      ),
    );
  return (await Promise.all(answers)).map(({ ok }) => ok);
};

describe('a file that is cancelled while it is written', () => {
  it('is opened by nothing, and removed once no step can still write', async () => {
    const world = await planned();
    await cancelledLate(world);
    expect(bodyOf(await world.readJob(path))).toMatchObject({
      status: 'cancelled',
      location: null,
      manifest: null,
    });
    expect(filesOf(world)).toHaveLength(2);
    expect(await opened(world)).toEqual([false, false]);
    world.world.now += SETTLED - 1;
    await world.repair();
    expect(filesOf(world)).toHaveLength(2);
    world.world.now += 1;
    await world.repair();
    expect(world.files.keys()).toEqual([]);
    expect(world.table.items().filter(({ pk }) => pk.startsWith('EXPORT-OUTBOX'))).toEqual([]);
  });

  it('goes with the export, too', async () => {
    const world = await planned();
    await cancelledLate(world);
    bodyOf(await world.remove(path));
    world.world.now += SETTLED;
    await world.repair();
    expect(world.files.keys()).toEqual([]);
  });

  it('and one whose writer was killed at any step, leave nothing', async () => {
    class Killed extends Error {}
    const run = async (at: number): Promise<number> => {
      let [calls, armed] = [0, false];
      const world = await planned({
        before: () => {
          if (armed && (calls += 1) === at) throw new Killed();
        },
      });
      armed = true;
      const done = await world.assemble(ref).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
      });
      armed = false;
      if (!done) bodyOf(await world.cancel(path));
      world.world.now += SETTLED;
      await world.repair();
      expect(filesOf(world)).toHaveLength(done ? 2 : 0);
      return calls;
    };
    const calls = await run(-1);
    expect(calls).toBeGreaterThan(5);
    for (let at = 1; at <= calls; at += 1) await run(at);
  });
});

describe('a file that is written twice', () => {
  it('stays once, with its manifest and the members that the next delta is counted from', async () => {
    const world = await planned({}, { scope: 'delta' });
    await Promise.all([world.assemble(ref), world.assemble(ref)]);
    expect(filesOf(world)).toHaveLength(4);
    world.world.now += SETTLED;
    await world.repair();
    expect(filesOf(world)).toHaveLength(2);
    const { location } = bodyOf(await world.readJob(path));
    expect(await world.open(locationParts(location))).toMatchObject({ ok: true });
    const again = v.parse(v.looseObject({ id: v.string() }), bodyOf(await world.runAgain(path)));
    await world.plan({ ...ref, job: Number(again.id) });
    expect(bodyOf(await world.readJob({ ...path, job_id: again.id }))).toMatchObject({
      delta_from: String(ref.job),
    });
  });
});
