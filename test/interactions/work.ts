import { underFate, type Ended, type Fate } from '../support/fated-table.ts';

/** Work that has begun: `go` does its next step, under a fate, and says whether all steps have ended. */
export interface Work {
  readonly what: string;
  readonly go: (fate?: Fate) => Promise<Ended<boolean>>;
}

/** A step of work. One that answers `waits` comes again, after other work. */
type Step = () => Promise<unknown>;

/** Work of these steps. A step whose process died comes again; `end` is called after the last one. */
export const workOf = (what: string, steps: readonly Step[], end: () => void = () => undefined): Work => {
  let next = 0;
  return {
    what,
    go: async (fate) => {
      const at = next;
      const step = steps[at];
      const ended = await underFate(fate, async () => (await step?.()) !== 'waits');
      const passed = (was: Ended<boolean>): Ended<boolean> => {
        if (was.kind === 'frozen') return { kind: 'frozen', thaw: async () => passed(await was.thaw()) };
        if (was.kind === 'dead' || !was.value) return was;
        // A step that stood still, and was repeated meanwhile, counts once.
        if (next === at) {
          next += 1;
          if (next === steps.length) end();
        }
        return { kind: 'done', value: next >= steps.length };
      };
      return passed(ended);
    },
  };
};
