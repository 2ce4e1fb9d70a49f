/** Creates the list of receivers that wait for a message. */
export const createWaiters = (now: () => number) => {
  const waiting = new Set<() => void>();
  return {
    /** Resolves at the next `wake`, at `deadline` (milliseconds since 1970), or when `signal` aborts. */
    wait: (deadline: number, signal?: AbortSignal): Promise<void> =>
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
