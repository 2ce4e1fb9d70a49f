/** Expiry: deletes the items whose time to live is over. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Engine } from './engine.ts';
import type { Item } from './types.ts';

/** DynamoDB keeps items that expired longer ago: a mistake in the unit of a time deletes no old data. */
const MOST_AGE_SECONDS = 5 * 365 * 86_400;

/**
 * Deletes the items of all tables that have expired at a time (milliseconds since the epoch). Reads do not hide an expired
 * item before, as in DynamoDB. The pass costs no units. It looks at some hundred items between other work, and ends early
 * when the storage closes.
 */
export const expireItems = (engine: Engine, now: number): Promise<void> => {
  const pass = expireTables(engine, now / 1_000);
  engine.background.add(pass);
  return pass;
};

const expireTables = async (engine: Engine, seconds: number): Promise<void> => {
  for (const { table, timeToLive } of engine.controls.all()) {
    if (timeToLive !== undefined)
      await expireTable(engine, table, (item) => isOver(item?.[timeToLive]?.N, seconds));
  }
};

const isOver = (ends: string | undefined, seconds: number): boolean =>
  ends !== undefined && Number(ends) <= seconds && Number(ends) > seconds - MOST_AGE_SECONDS;

const expireTable = async (
  engine: Engine,
  name: string,
  isExpired: (item: Item | undefined) => boolean,
): Promise<void> => {
  const table = engine.table(name);
  for await (const items of engine.items(name)) {
    const keys = items.filter(isExpired).map((item) => engine.keyOf(table, item));
    if (keys.length > 0) {
      await engine.write(table, keys, () =>
        // A writer may have prolonged an item since it was read.
        keys.flatMap((key) => {
          const before = engine.read(table, key);
          return isExpired(before) ? [{ key, before, after: undefined }] : [];
        }),
      );
    }
    // Reading a table in memory leaves the event loop to nobody.
    await nextTurn();
    if (engine.background.isClosing) return;
  }
};
