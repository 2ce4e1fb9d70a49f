/** A restore of the service on the embedded cloud: a deployment stops the service and starts it with other settings. */
import { setTimeout as sleep } from 'node:timers/promises';
import { askOperator, findTarget } from '../../cli/admin-service.ts';
import { awsRestoreAccount } from '../../cli/aws-restore-account.ts';
import type { RestoreAccount } from '../../cli/restore-account.ts';
import type { RestorePorts } from '../../cli/restore-ports.ts';
import type { Tidemark } from '../../cli/standalone/tidemark.ts';
import { startChecked } from '../support/service.ts';
import { itemsIn } from '../support/items.ts';

type Settings = Readonly<Record<string, unknown>>;

/** Settings as CDK context. */
const contextOf = (settings: Settings): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)]));

/**
 * Ends the life of the journal entries that writers had open at the time of the restore. In AWS a restore lasts longer than
 * these two minutes.
 */
const ageJournal = async (cloud: Tidemark, TableName: string): Promise<void> => {
  for await (const item of itemsIn(cloud, TableName))
    if (item.pk.S.startsWith('J#'))
      await cloud.parts.storage.table.call('PutItem', { TableName, Item: { ...item, until: { N: '1' } } });
};

/** Starts a service that each deployment replaces. Its data stay in a folder. */
export const deployed = async (dataDir: string, say: (line: string) => void) => {
  const endpointsFile = `${dataDir}/endpoints.json`;
  // Two engines compared in tests know no restores.
  const one = { backups: true, tableEngine: undefined };
  const start = (settings: Settings) =>
    startChecked({ dataDir, endpointsFile, ...one, context: contextOf(settings) });
  let settings: Settings = {};
  let running = await start(settings);
  const target = () => findTarget({}, endpointsFile);
  const account = async (): Promise<RestoreAccount> => awsRestoreAccount(await target());
  const ports: RestorePorts = {
    // Each start has other addresses.
    account: {
      window: async (table) => (await account()).window(table),
      table: async (name) => (await account()).table(name),
      restore: async (source, to, time) => (await account()).restore(source, to, time),
      keepBackups: async (table) => (await account()).keepBackups(table),
      expireItems: async (table) => (await account()).expireItems(table),
      refuseDeletion: async (table) => (await account()).refuseDeletion(table),
      warm: async (table, units) => (await account()).warm(table, units),
      schedules: async (group) => (await account()).schedules(group),
      deleteSchedule: async (group, name) => (await account()).deleteSchedule(group, name),
    },
    settings: {
      read: () => settings,
      write: (changed) => {
        settings = changed;
      },
    },
    ask: async (command, asked) => askOperator(command, await target(), asked),
    deploy: async (leaving) => {
      if (leaving !== undefined) await ageJournal(running.cloud, String(settings['tableName']));
      await running.cloud.stop();
      running = await start(settings);
      return true;
    },
    isHealthy: async () => (await fetch(`${running.cloud.baseUrl}/healthz`)).ok,
    agree: () => Promise.resolve(undefined),
    keepData: true,
    warmUnits: { readUnits: 20_000, writeUnits: 20_000 },
    // The end of a service ends all of its functions.
    quietSeconds: 0,
    say,
    wait: (milliseconds) => sleep(Math.min(milliseconds, 50)),
    now: Date.now,
  };
  return {
    cloud: () => running.cloud,
    settings: () => settings,
    target,
    /** Ports of a restore of this service. */
    ports,
    [Symbol.asyncDispose]: () => running.cloud.stop(),
  };
};
export type Deployed = Awaited<ReturnType<typeof deployed>>;
