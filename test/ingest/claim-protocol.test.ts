import { afterAll, describe, expect, it } from 'vitest';
import { MemoryTable } from '../support/memory-table.ts';
import { before, families, sets, writes } from './claim-protocol-families.ts';
import { attributesOf, CLAIMS, isProfile, isRedirect, keyOf, namedBy } from './claim-protocol-items.ts';
import type { Sabotage } from './claim-protocol-model.ts';
import { forgetter, recordOf, writer } from './claim-protocol-programs.ts';
import type { CellWrite } from './claim-protocol-replay.ts';
import { alone, empty, play, type Scene } from './claim-protocol-scenes.ts';
import { storyOf } from './claim-protocol-story.ts';
import { worldOn } from '../profiles/world.ts';

/**
 * Every interleaving of a few actors, where races.test.ts and forget-crashes.test.ts draw some of many. The actors are the
 * real code (claim-protocol-replay.ts); their states and the table's are counted and visited once
 * (support/explore.ts); what must hold is in claim-protocol-check.ts.
 */

/** Plays scenes until one goes wrong. */
const playAll = async (scenes: readonly Scene[]) => {
  let [states, ends] = [0, 0];
  for (const scene of scenes) {
    const { fault, ...counts } = await play(scene);
    states += counts.states;
    ends += counts.finals;
    if (fault) return { states, ends, fault: storyOf(fault, scene) };
  }
  return { states, ends, fault: undefined };
};

const lines: string[] = [];
afterAll(() => {
  process.stdout.write(lines.join(''));
});

it('an actor alone leaves in the model what it leaves in a table', async () => {
  for (const one of sets)
    for (const other of sets) {
      const state = await alone(writes(other, 4), await alone(writes(one), empty));
      const cells = [...state.claims, ...state.entries];
      const { table, apply } = worldOn(new MemoryTable());
      for (const record of [recordOf(one, 0), recordOf(other, 4)]) await apply([record]);
      for (const [cell, item] of cells.entries()) {
        const stored = await table.get(keyOf(cell));
        if (item === 0) expect(stored).toBeUndefined();
        else expect(stored).toEqual({ ...attributesOf(item), ...keyOf(cell), w: stored?.w });
      }
    }
});

describe('in every order of their steps, with a crash anywhere,', () => {
  it.each(Object.entries(families))('%s end with every claim on its profile', async (name, scenes) => {
    const { states, ends, fault } = await playAll(scenes);
    expect(fault).toBeUndefined();
    const [count, all, last] = [scenes.length, states, ends].map((figure) => figure.toLocaleString('en'));
    lines.push(
      `${name.padEnd(32)}${String(count).padStart(4)} scenes ${String(all).padStart(10)} states ${String(last).padStart(7)} ends\n`,
    );
  });
});

const isClaim = ({ cell }: CellWrite): boolean => cell < CLAIMS;
const isTombstone = ({ cell, set }: CellWrite): boolean =>
  cell >= CLAIMS && !isProfile(set) && !isRedirect(set);

const guards: Readonly<Record<string, readonly [family: string, sabotage: Sabotage]>> = {
  'claims are made only where there is none': [
    'two writers',
    { forced: (write) => isClaim(write) && write.kind === 'insert' },
  ],
  'claims are moved only as they were read': [
    'three writers',
    { forced: (write) => isClaim(write) && write.kind !== 'insert' },
  ],
  'profiles are made only where there is nothing': [
    'two writers',
    { forced: ({ set, kind }) => isProfile(set) && kind === 'insert' },
  ],
  'profiles are changed only as they were read': [
    'two writers, a profile before',
    { forced: ({ set, kind }) => isProfile(set) && kind !== 'insert' },
  ],
  'provisional ordinals are closed before their claims are moved': [
    'two writers',
    { pretended: ({ set }) => isRedirect(set) },
  ],
  'only vacant ordinals are closed': ['two writers', { forced: ({ set }) => isRedirect(set) }],
  'profiles become tombstones only as they were read': [
    'a writer and a forgetter',
    { forced: (write) => isTombstone(write) && write.kind !== 'insert' },
  ],
  'provisional ordinals are closed before their claims are freed': [
    'two writers and a forgetter',
    { pretended: (write) => isTombstone(write) && write.kind === 'insert' },
  ],
  'claims are freed only as they were read': [
    'a writer and a forgetter',
    { forced: (write) => isClaim(write) && namedBy(write.set) < 0 },
  ],
};

describe('the model shows what goes wrong unless', () => {
  it.each(Object.entries(guards))('%s', async (_, [family, sabotage]) => {
    const scenes = families[family] ?? [];
    const { fault } = await playAll(scenes.map((scene) => ({ ...scene, sabotage })));
    expect(fault).toBeDefined();
  });

  it.each([
    [true, 'redirects go in a circle'],
    [false, undefined],
  ])('all agree which of two provisional ordinals is closed (one does not: %s)', async (turned, what) => {
    const third = writer('e+s', [recordOf('e+s', 8)], { turned });
    const { fault } = await play({ programs: [writes('e, s'), writes('e+s', 4), third], crashes: 0 });
    expect(fault?.what).toBe(what);
  });

  it('claims are freed only if they still lead to the tombstone', async () => {
    const scenes = sets.map((one) => ({
      stored: before('u1+e'),
      programs: [writes(one, 0, 'newer'), forgetter({ allOwn: true })],
      crashes: 1,
    }));
    expect((await playAll(scenes)).fault).toBeDefined();
  });
});
