/** Lifecycle: deletes objects and unfinished uploads by the rules of their bucket. */
import type { Store } from './store.ts';

/** A rule for the objects whose keys begin with `prefix` and that have more than `largerThan` bytes. */
export interface LifecycleRule {
  readonly prefix: string;
  readonly largerThan: number;
  /** Days after which an object is deleted. */
  readonly days: number | undefined;
  /** Days after which an upload that nobody completed is ended. */
  readonly uploadDays: number | undefined;
}

const DAY_MS = 86_400_000;

/** Whether the days of a rule have passed. They end at the next midnight in UTC (S3 User Guide, "Object expiration"). */
const isOver = (begun: number, days: number | undefined, now: number): boolean =>
  days !== undefined && Math.ceil(begun / DAY_MS + days) * DAY_MS <= now;

/** Deletes the objects of a bucket that have expired by `now` (milliseconds since the epoch). The earliest rule wins. */
export const expireObjects = (
  store: Store,
  name: string,
  rules: readonly LifecycleRule[],
  now: number,
): void => {
  const { objects, uploads } = store.bucket(name);
  for (const { key, size, modified } of objects.values()) {
    if (
      rules.some(
        ({ prefix, largerThan, days }) =>
          key.startsWith(prefix) && size > largerThan && isOver(modified, days, now),
      )
    )
      store.delete(name, key);
  }
  for (const { id, key, started } of uploads.values()) {
    if (rules.some(({ prefix, uploadDays }) => key.startsWith(prefix) && isOver(started, uploadDays, now)))
      store.endUpload(name, id, []);
  }
};
