/**
 * A signal within this time after the first is the same request: the terminal, npm and the launcher may each forward it.
 */
const SAME_MS = 1_000;

/** Resolves at the first SIGINT or SIGTERM. A second signal more than a second later ends the process with code 1. */
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
