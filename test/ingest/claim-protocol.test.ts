import { afterAll, describe, expect, it } from 'vitest';
import { MemoryTable } from '../support/memory-table.ts';
import { before, families, sets, writes } from './claim-protocol-families.ts';
import { attributesOf, CLAIMS, isProfile, isRedirect, keyOf, namedBy } from './claim-protocol-items.ts';
import type { Sabotage } from './claim-protocol-model.ts';
import { forgetter, recordOf, writer } from './claim-protocol-programs.ts';
import type { CellWrite } from './claim-protocol-replay.ts';
import { alone, empty, play, type Scene } from './claim-protocol-scenes.ts';
import { storyOf } from './claim-protocol-story.ts';
import { sampledStates, sampleOf } from '../support/scale.ts';
import { harnessOn } from '../profiles/harness.ts';

/**
 * Model checker: plays every interleaving of a few actors, where races.test.ts and forget-crashes.test.ts sample the
 * interleavings of many. The actors run the real code (claim-protocol-replay.ts). The checker visits each state of
 * actors and table once (support/explore.ts). claim-protocol-check.ts holds the invariants.
 */

/** Plays scenes up to the first fault, each with all states or the first `most` of them. */
const playAll = async (scenes: readonly Scene[], most?: number) => {
  let [states, ends] = [0, 0];
  for (const scene of scenes) {
    const { fault, ...counts } = await play(scene, most);
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

it('a lone actor leaves the same items in the model and in a table', async () => {
  for (const one of sets)
    for (const other of sets) {
      const state = await alone(writes(other, 4), await alone(writes(one), empty));
      const cells = [...state.claims, ...state.entries];
      const { table, apply } = harnessOn(new MemoryTable(), { deflateFrom: 1 });
      for (const record of [recordOf(one, 0), recordOf(other, 4)]) await apply([record]);
      for (const [cell, item] of cells.entries()) {
        const stored = await table.get(keyOf(cell));
        if (item === 0) expect(stored).toBeUndefined();
        else expect(stored).toEqual({ ...attributesOf(item), ...keyOf(cell), w: stored?.w });
      }
    }
});

/** `npm test` plays the first of so many scenes of a family. */
const SCENES = 16;

describe('in every order of steps, with a crash anywhere,', () => {
  it.each(Object.entries(families))('%s end with every claim on its profile', async (name, scenes) => {
    const played = sampleOf(scenes, SCENES);
    const { states, ends, fault } = await playAll(played, sampledStates);
    expect(fault).toBeUndefined();
    const [count, all, last] = [played.length, states, ends].map((figure) => figure.toLocaleString('en'));
    lines.push(
      `${name.padEnd(32)}${String(count).padStart(4)} scenes ${String(all).padStart(10)} states ${String(last).padStart(7)} ends\n`,
    );
  });
});

const isClaim = ({ cell }: CellWrite): boolean => cell < CLAIMS;
const isTombstone = ({ cell, set }: CellWrite): boolean =>
  cell >= CLAIMS && !isProfile(set) && !isRedirect(set);

const guards: Readonly<Record<string, readonly [family: string, sabotage: Sabotage]>> = {
  'a claim is created only where no claim exists': [
    'two writers',
    { forced: (write) => isClaim(write) && write.kind === 'insert' },
  ],
  'a claim is created only where no claim exists, by a writer that has read none': [
    'a writer that reads no claims',
    { forced: (write) => isClaim(write) && write.kind === 'insert' },
  ],
  'a claim is moved only if it is unchanged since it was read': [
    'three writers',
    { forced: (write) => isClaim(write) && write.kind !== 'insert' },
  ],
  'a profile is created only where no item exists': [
    'two writers',
    { forced: ({ set, kind }) => isProfile(set) && kind === 'insert' },
  ],
  'a profile is updated only if it is unchanged since it was read': [
    'two writers, a profile before',
    { forced: ({ set, kind }) => isProfile(set) && kind !== 'insert' },
  ],
  'provisional ordinals are closed before their claims are moved': [
    'two writers',
    { pretended: ({ set }) => isRedirect(set) },
  ],
  'only vacant ordinals are closed': ['two writers', { forced: ({ set }) => isRedirect(set) }],
  'a profile becomes a tombstone only if it is unchanged since it was read': [
    'a writer and a forgetter',
    { forced: (write) => isTombstone(write) && write.kind !== 'insert' },
  ],
  'provisional ordinals are closed before their claims are freed': [
    'two writers and a forgetter',
    { pretended: (write) => isTombstone(write) && write.kind === 'insert' },
  ],
  'a claim is freed only if it is unchanged since it was read': [
    'a writer and a forgetter',
    { forced: (write) => isClaim(write) && namedBy(write.set) < 0 },
  ],
};

describe('the model shows a fault unless', () => {
  it.each(Object.entries(guards))('%s', async (_, [family, sabotage]) => {
    const scenes = families[family] ?? [];
    const { fault } = await playAll(scenes.map((scene) => ({ ...scene, sabotage })));
    expect(fault).toBeDefined();
  });

  it.each([
    [true, 'redirects go in a circle'],
    [false, undefined],
  ])(
    'all writers close the same one of two provisional ordinals (one writer reverses the order: %s)',
    async (turned, what) => {
      const third = writer('e+s', [recordOf('e+s', 8)], { turned });
      const { fault } = await play({ programs: [writes('e, s'), writes('e+s', 4), third], crashes: 0 });
      expect(fault?.what).toBe(what);
    },
  );

  it('claims are freed only if they still lead to the tombstone', async () => {
    const scenes = sets.map((one) => ({
      stored: before('u1+e'),
      programs: [writes(one, 0, 'newer'), forgetter({ allOwn: true })],
      crashes: 1,
    }));
    expect((await playAll(scenes)).fault).toBeDefined();
  });
});
