/** Signals this soon after the first are the same wish: a terminal, npm and the launcher may each pass it on. */
const SAME_MS = 1_000;

/** Resolves at the first SIGINT or SIGTERM. One that comes more than a second later ends the process at once, with code 1. */
export const stopSignal = (): Promise<undefined> =>
  new Promise((resolve) => {
    let first: number | undefined;
    const onSignal = (): void => {
      first ??= performance.now();
      if (performance.now() - first > SAME_MS) process.exit(1);
      resolve(undefined);
    };
    process.on('SIGINT', onSignal);
    process.on('SIGTERM', onSignal);
  });
