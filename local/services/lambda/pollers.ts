/** Pollers of a mapping: as many as the mapping may process batches at a time, growing and shrinking with the work. */

/** Concurrent batches of a mapping: at first, and at most. */
export interface Width {
  readonly first: number;
  readonly most: number;
}

/**
 * Lambda "starts processing five batches at a time" and adds "up to 300 more instances per minute", up to 1,000 batches
 * (Lambda Developer Guide, "Configuring scaling behavior for SQS event source mappings").
 */
const FIRST = 5;
const MOST = 1_000;
const GROWTH_PER_SECOND = 5;

/** The width of a mapping in AWS, by its `MaximumConcurrency`. */
export const realWidth = (maximumConcurrency = MOST): Width => ({
  first: Math.min(FIRST, maximumConcurrency),
  most: maximumConcurrency,
});

/**
 * Starts the pollers of a mapping. Each calls `poll` again and again until `signal` aborts; `poll` runs its batch in `working`. While
 * all pollers work, each adjustment starts more. Pollers that find no work end, except the first ones.
 */
export const createPollers = (
  { first, most }: Width,
  signal: AbortSignal,
  poll: (working: (work: () => Promise<void>) => Promise<void>) => Promise<void>,
) => {
  const pollers = new Set<Promise<void>>();
  let width = first;
  let alive = 0;
  let busy = 0;
  let hasNoRoom = false;
  const working = async (work: () => Promise<void>): Promise<void> => {
    busy += 1;
    try {
      await work();
    } finally {
      busy -= 1;
    }
  };
  const run = async (): Promise<void> => {
    while (!signal.aborted && alive <= width) await poll(working);
    alive -= 1;
  };
  const fill = (): void => {
    while (!signal.aborted && alive < width) {
      alive += 1;
      const poller = run();
      pollers.add(poller);
      void poller.finally(() => pollers.delete(poller));
    }
  };
  fill();
  return {
    /** Pollers that work on a batch. */
    busy: (): number => busy,
    /** Says that the function has no room for the batches. The next adjustment halves the number of pollers. */
    backOff: () => {
      hasNoRoom = true;
    },
    /** Adjusts the number of pollers. The mapping calls this once a second. */
    adjust: () => {
      if (hasNoRoom) width = Math.max(1, Math.floor(width / 2));
      else if (busy >= width) width = Math.min(most, width + GROWTH_PER_SECOND);
      else width = Math.min(width, Math.max(first, busy));
      hasNoRoom = false;
      fill();
    },
    /** Resolves when all pollers have ended. */
    ended: async () => {
      await Promise.allSettled(pollers);
    },
  };
};
