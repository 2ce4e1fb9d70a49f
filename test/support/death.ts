import { expect } from 'vitest';

/** The end of a process at an operation. */
class Death extends Error {}

/** A story whose process dies. */
interface Dying<Scene> {
  /** Makes the scene anew; each operation of its stores calls `tick` first. */
  readonly begin: (tick: () => void) => Promise<Scene>;
  /** Does the work, from wherever an earlier call died. */
  readonly run: (scene: Scene) => Promise<unknown>;
  /** Looks at a scene whose work died at the operation `fatal` and then ended. */
  readonly check: (scene: Scene, fatal: number) => Promise<void>;
}

/** Kills the work of a story at each of its operations in turn, runs it again, and checks its end. */
export const dyingAnywhere = async <Scene>({ begin, run, check }: Dying<Scene>): Promise<void> => {
  for (let fatal = 0, dies = true; dies; fatal += 1) {
    let left = Number.POSITIVE_INFINITY;
    const scene = await begin(() => {
      left -= 1;
      if (left < 0) throw new Death();
    });
    left = fatal;
    dies = await run(scene).then(
      () => false,
      (error: unknown) => {
        expect(error).toBeInstanceOf(Death);
        return true;
      },
    );
    left = Number.POSITIVE_INFINITY;
    await check(scene, fatal);
  }
};
