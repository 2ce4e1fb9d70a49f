import type { MeterEntry, Usage } from '../core/types.ts';
import { addUsage } from '../core/usage.ts';

export const createMeter = () => {
  const lines = new Map<string, MeterEntry>();
  return {
    record: (caller: string, usage: Usage) => {
      const key = `${caller}\n${usage.action}\n${usage.kind}`;
      const line = lines.get(key);
      if (!line) {
        lines.set(key, { caller, ...usage });
        return;
      }
      addUsage(line, usage);
    },
    /** Copies of all lines, in the order of their first call. */
    snapshot: (): readonly MeterEntry[] => [...lines.values()].map((line) => ({ ...line })),
    reset: () => lines.clear(),
  };
};

/** Counts the cost of each caller's calls, per action and item kind. */
export type Meter = ReturnType<typeof createMeter>;
