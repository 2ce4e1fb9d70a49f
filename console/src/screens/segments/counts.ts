/** Counts of definitions that nobody has stored: one preview at a time, so that a page never floods the service. */
import { useEffect, useState } from 'preact/hooks';
import type { Tidemark } from '../../../../client/src/tidemark.ts';
import type { Answer } from '../../../../client/src/types.ts';
import { useApp } from '../../app-context.ts';
import type { Definition } from './definition.ts';

/** A count. `read` is there when it is an estimate, and says how many people it is from. */
export interface Count {
  readonly people: number;
  readonly read: number | undefined;
  readonly asOf: string;
  readonly sample: Answer<'previewSegment'>['sample'];
  readonly findings: NonNullable<Answer<'previewSegment'>['conditions']>;
}

/** A count that the service has told exactly. */
export const exactly = (people: number, asOf: string): Count => ({
  people,
  read: undefined,
  asOf,
  sample: [],
  findings: [],
});

/** The count of a preview. An estimate whose bounds are one number is exact. */
const countOf = (answer: Answer<'previewSegment'>): Count => {
  const { count, estimate, as_of: asOf, sample, conditions: findings = [] } = answer;
  const exact = estimate === undefined || estimate.low === estimate.high;
  return {
    people: count ?? estimate?.count ?? 0,
    read: exact ? undefined : estimate.profiles_read,
    asOf,
    sample,
    findings,
  };
};

/** Counts are asked again after so long. */
const FRESH_MS = 20_000;
const KEPT = 200;

/** What a session has counted lately, by the definition. */
const kept = new WeakMap<Tidemark, Map<string, { readonly count: Count; readonly at: number }>>();

let last: Promise<unknown> = Promise.resolve();

/** Does work when all work before it has ended, unless the signal aborts before. */
const inTurn = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> => {
  const turn = last.then(() => {
    signal.throwIfAborted();
    return work();
  });
  last = turn.catch(() => undefined);
  return turn;
};

/** Counts a definition, in turn. Throws as a call does. */
const counted = async (api: Tidemark, definition: Definition, signal: AbortSignal): Promise<Count> => {
  const known = kept.get(api) ?? new Map<string, { readonly count: Count; readonly at: number }>();
  kept.set(api, known);
  const key = JSON.stringify(definition);
  const before = known.get(key);
  if (before !== undefined && Date.now() - before.at < FRESH_MS) return before.count;
  const count = countOf(await inTurn(() => api.previewSegment({ body: { definition }, signal }), signal));
  if (known.size >= KEPT) known.clear();
  known.set(key, { count, at: Date.now() });
  return count;
};

/** Counts so far: one for each definition, `undefined` while it is not counted. */
export interface Counts {
  readonly counts: readonly (Count | undefined)[];
  readonly problem: unknown;
}

const none: Counts = { counts: [], problem: undefined };

const pauseOf = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Counts definitions one after another, anew when they change; what was asked before is given up. It begins `delayMs` after the
 * last change.
 */
export const useCounts = (definitions: readonly Definition[], delayMs = 0): Counts => {
  const { api } = useApp();
  const key = JSON.stringify(definitions);
  const [state, setState] = useState<Counts & { readonly key: string }>({ ...none, key });
  useEffect(() => {
    const ends = new AbortController();
    const { signal } = ends;
    const isOver = (): boolean => signal.aborted;
    const work = async (): Promise<void> => {
      if (delayMs > 0) await pauseOf(delayMs);
      let counts: readonly (Count | undefined)[] = [];
      for (const definition of definitions) {
        if (isOver()) return;
        try {
          counts = [...counts, await counted(api, definition, signal)];
          if (!isOver()) setState({ key, counts, problem: undefined });
        } catch (problem) {
          if (!isOver()) setState({ key, counts, problem });
          return;
        }
      }
    };
    if (definitions.length > 0) work().catch(() => undefined);
    return () => {
      ends.abort();
    };
  }, [key, api]);
  return state.key === key ? state : none;
};
