/** Receivers that wait for a message. */
export interface Waiters {
  /** Resolves at the next `wake`, at `deadline` (milliseconds since 1970), or when `signal` aborts. */
  wait(deadline: number, signal?: AbortSignal): Promise<void>;
  wake(): void;
}

export const createWaiters = (now: () => number): Waiters => {
  const waiting = new Set<() => void>();
  return {
    wait: (deadline, signal) =>
      new Promise((resolve) => {
        const done = () => {
          waiting.delete(done);
          clearTimeout(timer);
          signal?.removeEventListener('abort', done);
          resolve();
        };
        const timer = setTimeout(done, Math.max(deadline - now(), 0));
        waiting.add(done);
        if (signal?.aborted) done();
        else signal?.addEventListener('abort', done);
      }),
    wake: () => {
      for (const done of [...waiting]) done();
    },
  };
};
