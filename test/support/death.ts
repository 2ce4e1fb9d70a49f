import { expect } from 'vitest';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import type { Key } from '../../shared/table/keys.ts';
import { casesOf } from './scale.ts';

/** The end of a process at an operation. */
class Death extends Error {}

/** Does a step, and once more by another process if its process dies, as a queue or a workflow does. */
export type Through = <T>(step: () => Promise<T>) => Promise<T>;

/** Is called ahead of an operation of a store, as `MemoryTable` and `MemoryObjects` do. */
export type Tick = (operation?: string, on?: string | readonly Key[]) => void;

/** A story whose process dies. */
interface Dying<Scene> {
  /** Makes the scene anew; each operation of its stores calls `tick` first. */
  readonly begin: (tick: Tick) => Promise<Scene>;
  /** Does the work, from wherever an earlier call died. */
  readonly run: (scene: Scene, through: Through) => Promise<unknown>;
  /** Looks at a scene whose work died at the operation `fatal`, or got through. */
  readonly check: (scene: Scene, fatal: number, died: boolean) => Promise<void>;
  /** Some end follows from a single operation, so that `npm test` too kills at all of them. */
  readonly needsAll?: boolean;
}

/** `npm test` spreads about so many deaths over a long piece of work. */
const DEATHS = casesOf('DEATHS', { full: Number.POSITIVE_INFINITY, sample: 20 });

/** The kind of an operation: its name with the kinds of its items, or its name alone for one on an object. */
const kindOf: (...operation: Parameters<Tick>) => string = (operation = '', on = '') =>
  typeof on === 'string'
    ? `${operation} object`
    : [operation, ...new Set(on.map(({ pk }) => kindOfKey(pk)))].join(' ');

/** Operations at which a process dies: all, or in `npm test` the first of each kind and others at equal distances. */
const sampleOfDeaths = (kinds: readonly string[]): readonly number[] => {
  const step = Math.max(1, Math.round(kinds.length / DEATHS));
  return [...kinds.keys()].filter((at) => at % step === 0 || kinds.indexOf(kinds[at] ?? '') === at);
};

/**
 * Kills the work of a story at each of its operations in turn, and checks each end; a sample of them in `npm test`. First
 * nobody dies, which tells the operations. Returns their number.
 */
export const dyingAnywhere = async <Scene>(story: Dying<Scene>): Promise<number> => {
  const kinds: string[] = [];
  await dyingAt(story, Number.POSITIVE_INFINITY, kinds);
  const all = [...kinds.keys()];
  for (const fatal of story.needsAll ? all : sampleOfDeaths(kinds)) await dyingAt(story, fatal);
  return kinds.length;
};

/** Plays a story whose process dies ahead of the operation `fatal` of its work, and notes the operations of the work. */
const dyingAt = async <Scene>({ begin, run, check }: Dying<Scene>, fatal: number, noted: string[] = []) => {
  let left = Number.POSITIVE_INFINITY;
  let isAtWork = false;
  const scene = await begin((...operation) => {
    if (isAtWork) noted.push(kindOf(...operation));
    left -= 1;
    if (left < 0) throw new Death();
  });
  [left, isAtWork] = [fatal, true];
  const through: Through = (step) =>
    step().catch((error: unknown) => {
      expect(error).toBeInstanceOf(Death);
      left = Number.POSITIVE_INFINITY;
      return step();
    });
  const died = await run(scene, through).then(
    () => false,
    (error: unknown) => {
      expect(error).toBeInstanceOf(Death);
      return true;
    },
  );
  [left, isAtWork] = [Number.POSITIVE_INFINITY, false];
  await check(scene, fatal, died);
};
