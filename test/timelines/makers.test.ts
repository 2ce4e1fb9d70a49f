/** Makers of moments that are slow, stand still or die, and who clears up after them. */
import { describe, expect, it } from 'vitest';
import { countMembers } from '../../shared/membership/read-members.ts';
import { keys, type Key } from '../../shared/table/keys.ts';
import type { Table } from '../../shared/table/table.ts';
import { property } from '../segments/fixture.ts';
import { frozenAt } from '../support/frozen.ts';
import { viewOf } from '../support/table-view.ts';
import { clearUpMoments, HOUR, taggedPeople } from './harness.ts';

const isWork = ({ pk }: Key): boolean => pk.startsWith('TASKS#');

/** Three people with a tag, and a timeline of them that is due for its second moment. */
const setUp = async () => {
  const { tag, clock, table, harness: process } = await taggedPeople();
  const harness = process();
  const { id } = await harness.created('t', tag);
  clock.now += HOUR;
  const look = (on: Table = table) => clearUpMoments({ table: on, clock: () => clock.now });
  /** Clears up after a maker who counts as dead by now. */
  const clearUp = async (on?: Table): Promise<void> => {
    clock.now += 901_000;
    expect(await look(on)).toBe(1);
    clock.now += 60_000;
  };
  const counts = async () => (await harness.counted(id)).moments.map(({ count }) => count);
  const newest = async () => (await harness.counted(id)).moments.at(-1)?.id ?? 0;
  const isAtTimeline = (write: string) => {
    const timeline = keys.timeline(property, id);
    return (operation: string, { pk, sk }: Key) =>
      operation === write && pk === timeline.pk && sk === timeline.sk;
  };
  /** The moment is there with all its people, although its timeline is not. */
  const stays = async (moment: number): Promise<void> => {
    expect(await harness.deps.catalogue.get(property, moment)).toMatchObject({ type: 'moment' });
    expect(await countMembers(table, { property, expression: moment })).toBe(3);
  };
  const works = () => table.items().filter(isWork);
  return {
    ...{ tag, clock, table, process, harness, id, look, clearUp, isAtTimeline },
    ...{ counts, newest, stays, works },
  };
};

describe('a maker of a moment that is slow', () => {
  /** The maker is held at the write that brings the moment. */
  const held = async () => {
    const scene = await setUp();
    const { view, reached, thaw } = frozenAt(
      scene.table,
      (_operation, _key, write) => write?.kind === 'update' && 'latest' in write.set,
    );
    const slow = scene.process(view).add(scene.id);
    await reached;
    return { ...scene, slow, thaw };
  };

  it('brings no second moment into the hour when another maker is faster', async () => {
    const { id, harness, slow, thaw, counts } = await held();
    expect((await harness.add(id)).status).toBe(201);
    thaw();
    expect((await slow).status).toBe(429);
    expect(await counts()).toHaveLength(2);
  });

  it('brings its moment whole: nothing is cleared up while the maker may be alive', async () => {
    const { clock, slow, thaw, look, counts } = await held();
    clock.now += 2_000;
    expect(await look()).toBe(0);
    thaw();
    expect((await slow).status).toBe(201);
    expect(await counts()).toEqual([3, 3]);
  });
});

describe('a maker of a moment that was frozen at the write which decides, and thawed after it was cleared up', () => {
  it('commits no copy that was cleared up: it makes another one', async () => {
    const { table, clock, process, harness, id, clearUp, isAtTimeline, counts, works } = await setUp();
    const late = await frozenAt(table, isAtTimeline('update')).during(
      (view) => process(view).add(id),
      () => clearUp(),
    );
    expect(late.status).toBe(201);
    expect(await counts()).toEqual([3, 3]);
    clock.now += 2 * HOUR;
    expect((await harness.add(id)).status).toBe(201);
    expect(await counts()).toEqual([3, 3, 3]);
    expect((await harness.list()).timelines).toHaveLength(1);
    expect(works()).toEqual([]);
  });

  it('commits no copy of which the cleanup has removed a part', async () => {
    const { table, process, id, clearUp, isAtTimeline, counts, works } = await setUp();
    const maker = frozenAt(table, isAtTimeline('update'));
    const late = process(maker.view).add(id);
    await maker.reached;
    await frozenAt(table, (operation, { sk }) => operation === 'delete' && sk === 'DIRECTORY').during(
      clearUp,
      async () => {
        maker.thaw();
        expect((await late).status).toBe(201);
      },
    );
    expect(await counts()).toEqual([3, 3]);
    expect(works()).toEqual([]);
  });

  it('makes no timeline whose first moment is gone', async () => {
    const { table, process, harness, tag, clearUp, works } = await setUp();
    const { pk } = keys.timeline(property, 1);
    await frozenAt(table, (operation, key) => operation === 'insert' && key.pk === pk).during(
      (view) => process(view).create('u', tag),
      () => clearUp(),
    );
    for (const { id } of (await harness.list()).timelines) expect((await harness.get(id)).status).toBe(200);
    expect(works()).toEqual([]);
  });
});

describe('a moment that has come', () => {
  it('stays, although its maker is told that it was refused, and its timeline was deleted meanwhile', async () => {
    const { table, process, harness, id, newest, stays } = await setUp();
    let seen = 0;
    const lossy = viewOf(table, {
      // The table reports a transaction as refused when its answer was lost and its items have changed since.
      transact: async (writes) => {
        expect(await table.transact(writes)).toEqual([]);
        seen = await newest();
        expect((await harness.remove(id)).status).toBe(200);
        return [0];
      },
    });
    expect(await process(lossy).add(id)).toMatchObject({ status: 404 });
    await stays(seen);
  });

  it('stays, although its timeline is deleted while it is cleared up after its dead maker', async () => {
    const { table, process, harness, id, clearUp, isAtTimeline, newest, stays, works } = await setUp();
    // The maker dies right after the write by which the moment comes.
    const dying = viewOf(table, {
      write: (write) => {
        if (write.kind === 'delete' && isWork(write.key)) throw new Error('killed');
        return table.write(write);
      },
    });
    await expect(process(dying).add(id)).rejects.toThrow('killed');
    const moment = await newest();
    // The first look at the timeline comes after the abandoned moment has been listed.
    await frozenAt(table, isAtTimeline('get')).during(clearUp, async () =>
      expect((await harness.remove(id)).status).toBe(200),
    );
    await stays(moment);
    expect(works()).toEqual([]);
  });
});
