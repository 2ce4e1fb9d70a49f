import type { Programs } from './protocol-programs.ts';
import type { Scene } from './protocol-scenes.ts';

const SECOND = 1_000;

/**
 * The three moments of an entry: just opened, closed to further profile writes, and ripe although its writer is silent.
 */
const lifeOfEntry = [0, 60 * SECOND, 181 * SECOND];

/** Scenes in which the unchanged protocol must succeed, by their common traits. */
export const familiesOf = ({ writer, forgetter, drainer, sweeper }: Programs) => {
  const both = ['a', 'b'];
  const [y, yLater] = [writer('Y', 1, 'now', 'a'), writer('Y', 1, 'later', 'a')];
  // The second writer moves the person on, or back to the first level.
  const [z, zLater] = [writer('Z', 2, 'now', 'b'), writer('Z', 2, 'later', 'b')];
  const [x, xLater] = [writer('X', 2, 'now', 'b'), writer('X', 2, 'later', 'b')];
  const scene = (
    programs: Scene['programs'],
    causes: readonly string[],
    more: Partial<Scene> = {},
  ): Scene => ({
    ...{ programs, causes, crashes: 1 },
    ...more,
  });
  const small = {
    'one writer': [
      scene([y], ['a'], { isAlwaysShown: true, times: lifeOfEntry }),
      scene([yLater], ['a'], { times: lifeOfEntry }),
      scene([y], ['a'], { unlisted: true }),
      scene([y], ['a'], { unborn: true }),
    ],
    'two writers': [
      scene([y, x], both, { isAlwaysShown: true }),
      scene([y, z], both),
      scene([yLater, zLater], both),
      scene([y, z], both, { unlisted: true, crashes: 0 }),
      scene([y, z], both, { unborn: true, crashes: 0 }),
    ],
    'a writer and a drainer': [
      scene([y, drainer()], ['a'], { isAlwaysShown: true, times: lifeOfEntry }),
      scene([yLater, drainer()], ['a'], { isAlwaysShown: true, times: lifeOfEntry }),
      scene([y, drainer()], ['a'], { unlisted: true, times: lifeOfEntry }),
      scene([yLater, drainer()], ['a'], { unborn: true, times: lifeOfEntry }),
    ],
    // Clocks differ by up to the margin.
    'a writer and a drainer ahead of it': [
      scene([yLater, drainer()], ['a'], { times: [0, 59 * SECOND, 61 * SECOND] }),
    ],
    'a writer and two drainers': [scene([yLater, drainer(), drainer()], ['a'], { isAlwaysShown: true })],
    'a writer and a sweeper': [scene([y, sweeper()], ['a'], { isAlwaysShown: true, times: lifeOfEntry })],
    'two writers and a drainer': [
      scene([yLater, zLater, drainer()], both),
      scene([yLater, xLater, drainer()], both),
      scene([y, xLater, drainer()], both),
      scene([yLater, zLater, drainer()], both, { unborn: true, crashes: 0 }),
      scene([yLater, zLater, drainer()], both, { crashes: 0, times: lifeOfEntry }),
    ],
    'a writer, a forgetter and a drainer': [
      scene([yLater, forgetter('f'), drainer()], ['a', 'f']),
      scene([y, forgetter('f')], ['a', 'f']),
    ],
  } satisfies Record<string, readonly Scene[]>;
  const large = {
    'two writers and a drainer while time goes on': [
      scene([yLater, zLater, drainer()], both, { times: lifeOfEntry }),
      scene([y, zLater, drainer()], both, { times: lifeOfEntry, crashes: 0 }),
      scene([y, x, drainer()], both, { times: lifeOfEntry, crashes: 0 }),
    ],
    'two writers and a drainer, one of which dies': [scene([y, zLater, drainer()], both)],
    'two writers, a drainer and a sweeper': [
      scene([yLater, xLater, drainer(), sweeper()], both, { crashes: 0 }),
    ],
    'a forgetter and a sweeper': [scene([forgetter('f'), sweeper()], ['f'], { times: lifeOfEntry })],
  } satisfies Record<string, readonly Scene[]>;
  return { small, large };
};
export type FamilyName = keyof ReturnType<typeof familiesOf>['small'];
