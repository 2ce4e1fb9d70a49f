import type { Stage } from './protocol-conditions.ts';
import { NEW, OLD } from './protocol-facts.ts';
import type { Programs } from './protocol-programs.ts';
import type { Scene } from './protocol-scenes.ts';

const SECOND = 1_000;

/**
 * The three moments of an entry: just opened, closed to further profile writes, and ripe although its writer is silent.
 */
const lifeOfEntry = [0, 60 * SECOND, 181 * SECOND];

/**
 * The moments of a new fact, which is stored at the first of them: the last look without it; the last leaving of a write by
 * that look, and the arrival of the write; and the first moment at which every write knows the fact.
 */
const upToFact = [0, 4 * SECOND, 33 * SECOND, 93 * SECOND, 96 * SECOND];

/** The same, with a moment just behind the last leaving. */
const behindLook = [0, 4 * SECOND, 36 * SECOND, 96 * SECOND];

/** The same, of a request whose transaction is under way for 36 s. */
const lateList = [0, 36 * SECOND, 96 * SECOND, 132 * SECOND];

/**
 * The moments of a deletion: all writes know it; the last write of an indexer that has not known it; its chunks are removed.
 */
const aroundRemoval = [0, 96 * SECOND, 359 * SECOND, 396 * SECOND];

/** Its first and its last moment: forgettings have too many steps for the others. */
const aroundFact = [0, 96 * SECOND];

/** Scenes in which the unchanged protocol must succeed, by their common traits. */
export const familiesOf = (programs: Programs) => {
  const { writer, forgetter, drainer, sweeper, liker, forgetterWhoLooks, preparer } = programs;
  const { spender, conditioner, drainerBefore } = programs;
  const [y, yLater] = [writer('Y', 1, 'now', 'a'), writer('Y', 1, 'later', 'a')];
  // The second writer moves the person on, or back to the first level.
  const [z, zLater] = [writer('Z', 2, 'now', 'b'), writer('Z', 2, 'later', 'b')];
  const [x, xLater] = [writer('X', 2, 'now', 'b'), writer('X', 2, 'later', 'b')];
  const [yApart, xApart] = [writer('Y', 1, 'now', 'a', true), writer('X', 2, 'now', 'b', true)];
  const scene = (programs: Scene['programs'], more: Partial<Scene> = {}): Scene => ({
    ...{ programs, crashes: 1 },
    ...more,
  });
  const meets = (likes: readonly string[], times: readonly number[]) => ({ likes, times, crashes: 0 });
  const lists = (condition: Stage, times: readonly number[]) => ({ condition, times, crashes: 0 });
  const small = {
    'one writer': [
      scene([y], { isAlwaysShown: true, times: lifeOfEntry }),
      scene([yLater], { times: lifeOfEntry }),
      scene([y], { unlisted: true }),
      scene([y], { unborn: true }),
    ],
    'two writers': [
      scene([y, z]),
      scene([y, x], { isAlwaysShown: true }),
      scene([yLater, zLater]),
      scene([y, z], { unlisted: true, crashes: 0 }),
      scene([y, z], { unborn: true, crashes: 0 }),
    ],
    'two writers, who heed no lease': [
      scene([yApart, xApart], { isAlwaysShown: true }),
      scene([yApart, z]),
      scene([y, xApart]),
    ],
    'a writer and a drainer': [
      scene([y, drainer()], { isAlwaysShown: true, times: lifeOfEntry }),
      scene([yLater, drainer()], { isAlwaysShown: true, times: lifeOfEntry }),
      scene([y, drainer()], { unlisted: true, times: lifeOfEntry }),
      scene([yLater, drainer()], { unborn: true, times: lifeOfEntry }),
    ],
    // Clocks differ by up to the margin. A writer meets the end of its entry only if it has to look again.
    'two writers, a drainer ahead of them': [
      scene([yLater, zLater, drainer()], { times: [0, 59 * SECOND, 61 * SECOND], crashes: 0 }),
    ],
    'a writer and two drainers': [scene([yLater, drainer(), drainer()], { isAlwaysShown: true })],
    'a writer and a sweeper': [scene([y, sweeper()], { isAlwaysShown: true, times: lifeOfEntry })],
    'two writers and a drainer': [
      scene([yLater, zLater, drainer()]),
      scene([yLater, xLater, drainer()]),
      scene([y, xLater, drainer()]),
      scene([yLater, zLater, drainer()], { unborn: true, crashes: 0 }),
      scene([yLater, zLater, drainer()], { crashes: 0, times: lifeOfEntry }),
    ],
    'a writer, a forgetter and a drainer': [
      scene([yLater, forgetter('f'), drainer()]),
      scene([y, forgetter('f')]),
    ],
    'a new fact that decides segments': [
      // The liker changes no segment but the one that follows from the fact.
      scene([liker('X', 'a'), preparer('p'), drainer('brands')], meets([OLD], upToFact)),
      scene([liker('Y', 'a'), preparer('p'), drainer('brands')], meets([OLD], behindLook)),
      scene([liker('X', 'a'), preparer('p'), drainer('brands')], meets([OLD], behindLook)),
      scene([forgetterWhoLooks('f'), preparer('p'), drainer('brands')], meets([NEW], aroundFact)),
      scene([liker('Y', 'a'), preparer('p'), drainer('brands')], { ...meets([OLD], upToFact), crashes: 1 }),
    ],
    'writers of a condition in the making': [
      scene([spender('X', 'a', true), conditioner(1, { drains: true })], lists('listed', upToFact)),
      scene(
        [spender('X', 'a', false), conditioner(2, { announces: true, drains: true })],
        lists('unlisted', lateList),
      ),
      scene([conditioner(1, { drains: true }), drainerBefore(false)], lists('announced', aroundFact)),
      scene([conditioner(1, { polls: 1 }), drainer('conditions')], lists('met', aroundFact)),
    ],
    'drainers of a removed condition': [
      scene([conditioner(3), drainerBefore(true), drainer('conditions')], lists('dropped', aroundRemoval)),
      scene(
        [conditioner(3), drainerBefore(true), drainer('conditions')],
        lists('indexed and dropped', aroundRemoval),
      ),
    ],
  } satisfies Record<string, readonly Scene[]>;
  const large = {
    'two writers and a drainer while time goes on': [
      scene([yLater, zLater, drainer()], { times: lifeOfEntry }),
      scene([y, zLater, drainer()], { times: lifeOfEntry, crashes: 0 }),
      scene([y, x, drainer()], { times: lifeOfEntry, crashes: 0 }),
    ],
    'two writers and a drainer, one of which dies': [scene([y, zLater, drainer()])],
    'two writers, a drainer and a sweeper': [scene([yLater, xLater, drainer(), sweeper()], { crashes: 0 })],
    'a forgetter and a sweeper': [scene([forgetter('f'), sweeper()], { times: lifeOfEntry })],
  } satisfies Record<string, readonly Scene[]>;
  return { small, large };
};
export type FamilyName = keyof ReturnType<typeof familiesOf>['small'];
