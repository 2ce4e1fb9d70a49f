import type { MeterEntry, Usage } from '../core/types.ts';
import { addUsage } from '../core/usage.ts';

/** Counts the cost of each caller's calls, per action and item kind. */
export interface Meter {
  record(caller: string, usage: Usage): void;
  /** Copies of all lines, in the order of their first call. */
  snapshot(): readonly MeterEntry[];
  reset(): void;
}

export const createMeter = (): Meter => {
  const lines = new Map<string, MeterEntry>();
  return {
    record: (caller, usage) => {
      const key = `${caller}\n${usage.action}\n${usage.kind}`;
      const line = lines.get(key);
      if (!line) {
        lines.set(key, { caller, ...usage });
        return;
      }
      addUsage(line, usage);
    },
    snapshot: () => [...lines.values()].map((line) => ({ ...line })),
    reset: () => lines.clear(),
  };
};
