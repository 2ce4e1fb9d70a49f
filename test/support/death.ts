import { expect } from 'vitest';

/** The end of a process at an operation. */
class Death extends Error {}

/** Does a step, and once more by another process if its process dies, as a queue or a workflow does. */
export type Through = <T>(step: () => Promise<T>) => Promise<T>;

/** A story whose process dies. */
interface Dying<Scene> {
  /** Makes the scene anew; each operation of its stores calls `tick` first. */
  readonly begin: (tick: () => void) => Promise<Scene>;
  /** Does the work, from wherever an earlier call died. */
  readonly run: (scene: Scene, through: Through) => Promise<unknown>;
  /** Looks at a scene whose work died at the operation `fatal`, or got through. */
  readonly check: (scene: Scene, fatal: number, died: boolean) => Promise<void>;
}

/** Kills the work of a story at each of its operations in turn, and checks each end. Returns the number of operations. */
export const dyingAnywhere = async <Scene>({ begin, run, check }: Dying<Scene>): Promise<number> => {
  for (let fatal = 0; ; fatal += 1) {
    let left = Number.POSITIVE_INFINITY;
    const scene = await begin(() => {
      left -= 1;
      if (left < 0) throw new Death();
    });
    left = fatal;
    let repeats = 0;
    const through: Through = (step) =>
      step().catch((error: unknown) => {
        expect(error).toBeInstanceOf(Death);
        left = Number.POSITIVE_INFINITY;
        repeats += 1;
        return step();
      });
    const died = await run(scene, through).then(
      () => false,
      (error: unknown) => {
        expect(error).toBeInstanceOf(Death);
        return true;
      },
    );
    left = Number.POSITIVE_INFINITY;
    await check(scene, fatal, died);
    if (!died && repeats === 0) return fatal;
  }
};
