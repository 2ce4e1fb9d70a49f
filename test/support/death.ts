import { expect } from 'vitest';

/** The end of a process at an operation. */
class Death extends Error {}

/** A story whose process dies. */
interface Dying<Scene> {
  /** Makes the scene anew; each operation of its stores calls `tick` first. */
  readonly begin: (tick: () => void) => Promise<Scene>;
  /** Does the work, from wherever an earlier call died. */
  readonly run: (scene: Scene) => Promise<unknown>;
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
    const died = await run(scene).then(
      () => false,
      (error: unknown) => {
        expect(error).toBeInstanceOf(Death);
        return true;
      },
    );
    left = Number.POSITIVE_INFINITY;
    await check(scene, fatal, died);
    if (!died) return fatal;
  }
};
