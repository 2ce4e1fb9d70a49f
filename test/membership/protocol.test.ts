import { afterAll, describe, expect, it } from 'vitest';
import type { Fault } from '../support/explore.ts';
import { limits } from '../../shared/config/limits.ts';
import { familiesOf, type FamilyName } from './protocol-families.ts';
import type { State } from './protocol-model.ts';
import { programsWith, type Sabotage } from './protocol-programs.ts';
import { sampledStates, sampleOf } from '../support/scale.ts';
import { knowsAll, looksOnce, sabotages } from './protocol-sabotage.ts';
import { stage, type Scene } from './protocol-scenes.ts';

/**
 * Model checker: plays every interleaving of a few actors on one person and their segments. The actors run the real code,
 * from the writer of profiles to the drainer (protocol-replay.ts). The checker visits each state of actors, table and time
 * once (support/explore.ts). In every state the journal must announce each segment that the index shows wrongly. After a
 * complete sweep the index must be correct (protocol-check.ts). `bench/probes/protocol.ts` plays larger scenes.
 */
const play = async (family: FamilyName, sabotage: Sabotage = {}, step = 1) => {
  const programs = programsWith(sabotage);
  const explored = stage(programs, sabotage);
  let [states, ends] = [0, 0];
  const scenes: readonly Scene[] = sampleOf(familiesOf(programs).small[family], step);
  for (const scene of scenes) {
    const { fault, ...counts } = await explored(scene, sampledStates);
    states += counts.states;
    ends += counts.finals;
    if (fault) return { states, ends, fault: storyOf(fault, scene) };
  }
  return { states, ends, fault: undefined };
};

/** The steps that lead to a fault, by actor. */
const storyOf = ({ what, path }: Fault<State>, { programs }: Scene): string =>
  [what, ...path.map(({ actor, fate }) => `  ${programs[actor]?.name ?? ''} ${fate}`)].join('\n');

/** Milliseconds; a busy machine takes many times as long as an idle machine. */
const PATIENCE = 600_000;

const lines: string[] = [];
afterAll(() => {
  process.stdout.write(lines.join(''));
});

const names = Object.keys(familiesOf(programsWith()).small);
const isName = (name: string): name is FamilyName => names.includes(name);

/** `npm test` plays the first of so many scenes of a family. */
const SCENES = 5;

describe('in every order of steps, with a crash anywhere,', () => {
  it.each(names.filter(isName))(
    '%s leave an index that agrees with the profiles',
    async (family) => {
      const { states, ends, fault } = await play(family, {}, SCENES);
      expect(fault).toBeUndefined();
      const [all, last] = [states, ends].map((figure) => figure.toLocaleString('en').padStart(9));
      lines.push(`${family.padEnd(36)}${all ?? ''} states${last ?? ''} ends\n`);
    },
    PATIENCE,
  );

  it('a drainer whose clock is ahead by the margin leaves an index that agrees with the profiles', async () => {
    const margin = limits.segments.journalMarginSeconds * 1000;
    const ahead = { ripeClock: (clock: () => number) => () => clock() + margin };
    expect((await play('two writers, a drainer ahead of them', ahead)).fault).toBeUndefined();
  });
});

describe('an indexer that stands still, and then', () => {
  it.each([
    ['only leaves out the works of conditions that it does not know', looksOnce],
    ['only looks again at the conditions', knowsAll],
  ])(
    '%s leaves an index that agrees with the profiles',
    async (_, known) => {
      expect((await play('writers of a condition in the making', { known })).fault).toBeUndefined();
    },
    PATIENCE,
  );
});

describe('the index goes wrong somewhere unless', () => {
  it.each(Object.entries(sabotages))(
    '%s',
    async (_, [family, sabotage, telling = 0]) => {
      const programs = programsWith(sabotage);
      const scene = familiesOf(programs).small[family].at(telling);
      if (!scene) throw new Error(`The family has no scene ${telling}`);
      expect((await stage(programs, sabotage)(scene)).fault).toBeDefined();
    },
    PATIENCE,
  );
});
