/** Restore table: checks that a table can be restored, makes the restored table, and gives it what a restore leaves out. */
import { err, ok } from '../shared/runtime/result.ts';
import type { TableFacts } from './restore-account.ts';
import type { RestoreState } from './restore-state.ts';
import type { RestorePorts, StepResult } from './restore-ports.ts';

const HOUR = 3_600_000;

/** Checks that nothing stands in the way of the restore, and asks the operator. It changes nothing. */
export const checkTables = async (ports: RestorePorts, state: RestoreState): Promise<StepResult> => {
  const { source, target, to } = state;
  const { account, settings, now } = ports;
  const [window, taken, given] = [await account.window(source), await account.table(target), settings.read()];
  if (window === undefined) return err(`There is no table ${source} with point-in-time recovery.`);
  const [time, earliest, latest] = [new Date(to), window.earliest, window.latest];
  if (time < earliest || time > latest) {
    return err(
      `${source} can be restored to ${earliest.toISOString()} at the earliest, ${latest.toISOString()} at the latest.`,
    );
  }
  if (taken !== undefined) return err(`There is a table ${target} already: give another name with --table.`);
  const hours = ((now() - time.getTime()) / HOUR).toFixed(1);
  const refused = await ports.agree(
    `Close the stage, and set its data back by ${hours} hours to ${to}, without what clients have written since,`,
  );
  return refused === undefined ? ok({ was_closed: given['closed'] === true }) : err(refused);
};

/** Between two looks at a table. */
const LOOK_EVERY_MS = 20_000;
/** Between two lines about a wait, which may last hours. */
const TELL_EVERY_MS = 300_000;

/** States of a table from which it does not come back by itself. */
const ended = ['ARCHIVED', 'ARCHIVING', 'DELETING', 'INACCESSIBLE_ENCRYPTION_CREDENTIALS'];

/** Asks again and again until there is an answer, and tells now and then that it still waits. */
const until = async <T>(
  ports: RestorePorts,
  what: string,
  look: () => Promise<T | undefined>,
): Promise<T> => {
  const began = ports.now();
  for (let told = began; ;) {
    const found = await look();
    if (found !== undefined) return found;
    if (ports.now() - told >= TELL_EVERY_MS) {
      told = ports.now();
      ports.say(`  waiting for ${what} for ${Math.round((told - began) / 60_000)} minutes`);
    }
    await ports.wait(LOOK_EVERY_MS);
  }
};

/** The facts of a table once it is active, or the state in which it ended. A new table may be unknown for a while. */
const active = (ports: RestorePorts, name: string): Promise<TableFacts> =>
  until(ports, name, async () => {
    const found = await ports.account.table(name);
    return found?.status === 'ACTIVE' || ended.includes(found?.status ?? '') ? found : undefined;
  });

/**
 * Makes the target with the items of the source at the time of the restore. Gives it what a restore leaves out: backups,
 * expiry, protection and warm throughput. One call at a time, because DynamoDB refuses a second change of a table.
 */
export const makeTable = async (ports: RestorePorts, state: RestoreState): Promise<StepResult> => {
  const { source, target, to } = state;
  const { account, keepData, warmUnits } = ports;
  if ((await account.table(target)) === undefined) await account.restore(source, target, new Date(to));
  const made = await active(ports, target);
  if (made.status !== 'ACTIVE') return err(`The table ${target} is in the state ${made.status}.`);
  if (made.restoredTo !== undefined && made.restoredTo.getTime() !== Date.parse(to))
    return err(`The table ${target} was restored to ${made.restoredTo.toISOString()}.`);
  const origin = await account.table(source);
  if (origin !== undefined && origin.keyArn !== made.keyArn)
    return err(`The table ${target} is encrypted with another key than ${source}.`);
  await until(ports, `backups of ${target}`, async () => (await account.keepBackups(target)) || undefined);
  await account.expireItems(target);
  if (keepData && !made.refusesDeletion) await account.refuseDeletion(target);
  await active(ports, target);
  const units = {
    readUnits: Math.max(made.readUnits, warmUnits.readUnits),
    writeUnits: Math.max(made.writeUnits, warmUnits.writeUnits),
  };
  if (units.readUnits > made.readUnits || units.writeUnits > made.writeUnits) {
    await account.warm(target, units);
    await active(ports, target);
  }
  return ok({});
};
