/** How a part of the console gets its data. It loads them, polls while the page is visible, and keeps the problem of a call. */
import { TidemarkConnectionError } from '../../client/src/problem.ts';
import { useCallback, useContext, useEffect, useRef, useState } from 'preact/hooks';
import { AppContext } from './app-context.ts';
import { isEnded } from './session.ts';

/** What was loaded so far. While a poll or a reload is under way, the earlier data stay. */
export interface Loaded<T> {
  readonly data: T | undefined;
  readonly problem: unknown;
  /** Whether nothing has come yet. */
  readonly waiting: boolean;
  /** Asks again. */
  readonly reload: () => void;
}

/** How often to ask again, in milliseconds, for the data that came; `undefined` for never. At least a second. */
export type Every<T> = (data: T) => number | undefined;

/** How often a list asks while something in it is at work, and otherwise. */
export const [BUSY_MS, IDLE_MS] = [2_000, 30_000] as const;

const FASTEST_MS = 1_000;
/** After a failure the page asks more slowly. A service that does not answer is asked again until it does. */
const AFTER_FAILURE_MS = 10_000;

/** Resolves after a time, and only while the page is visible; rejects when the signal aborts. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const done = (): void => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', done);
      resolve();
    };
    const timer = setTimeout(() => {
      document.addEventListener('visibilitychange', done);
      done();
    }, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', done);
      reject(new DOMException('aborted', 'AbortError'));
    });
  });

/**
 * Loads data, anew when `key` or the session changes, and asks again as `every` says. It pauses while the page is hidden, and
 * ends when the part is gone or the session is over. `undefined` as the key loads nothing.
 */
export const useLoad = <T>(
  key: string | undefined,
  fetch: (signal: AbortSignal) => Promise<T>,
  every?: Every<T>,
): Loaded<T> => {
  const [state, setState] = useState<{ key?: string | undefined; data?: T; problem?: unknown }>({});
  const [round, setRound] = useState(0);
  const latest = useRef({ fetch, every });
  latest.current = { fetch, every };
  const api = useContext(AppContext)?.api;
  useEffect(() => {
    if (key === undefined) return undefined;
    const ends = new AbortController();
    const { signal } = ends;
    const follow = async (): Promise<void> => {
      let next: number | undefined = 0;
      while (next !== undefined) {
        try {
          const data = await latest.current.fetch(signal);
          if (signal.aborted) return;
          setState({ key, data });
          next = latest.current.every?.(data);
        } catch (problem) {
          if (signal.aborted || isEnded(problem)) return;
          setState((last) => (last.key === key ? { ...last, problem } : { key, problem }));
          const isAway = problem instanceof TidemarkConnectionError;
          next = isAway || latest.current.every ? AFTER_FAILURE_MS : undefined;
        }
        if (next !== undefined) await pause(Math.max(FASTEST_MS, next), signal);
      }
    };
    follow().catch(() => undefined);
    return () => {
      ends.abort();
    };
  }, [key, round, api]);
  const reload = useCallback(() => {
    setRound((last) => last + 1);
  }, []);
  const own = state.key === key ? state : {};
  const waiting = key !== undefined && own.data === undefined && own.problem === undefined;
  return { data: own.data, problem: own.problem, waiting, reload };
};

/** An action that the reader starts: at most one at a time. */
export interface Action<Input extends readonly unknown[]> {
  readonly run: (...input: Input) => void;
  readonly running: boolean;
  readonly problem: unknown;
  /** Puts the problem away. */
  readonly clear: () => void;
}

/** Wraps work that a button starts. A second press does nothing while the first one works. */
export const useAction = <Input extends readonly unknown[]>(
  work: (...input: Input) => Promise<void>,
): Action<Input> => {
  const [running, setRunning] = useState(false);
  const [problem, setProblem] = useState<unknown>(undefined);
  const busy = useRef(false);
  const run = (...input: Input): void => {
    if (busy.current) return;
    busy.current = true;
    setRunning(true);
    setProblem(undefined);
    work(...input)
      .catch((reason: unknown) => {
        setProblem(reason);
      })
      .finally(() => {
        busy.current = false;
        setRunning(false);
      });
  };
  const clear = (): void => {
    setProblem(undefined);
  };
  return { run, running, problem, clear };
};
