/** AWS restore account: the calls of a restore, with the caller's own credentials or to the service on this machine. */
import {
  DescribeContinuousBackupsCommand,
  DescribeTableCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { DeleteScheduleCommand, paginateListSchedules, SchedulerClient } from '@aws-sdk/client-scheduler';
import { named, unless, type Expected } from '../shared/runtime/unless.ts';
import { clientOptionsOf, type Target } from './admin-service.ts';
import type { ClientSchedule, RestoreAccount } from './restore-account.ts';

/** DynamoDB has two names for a missing table. */
const missing = named('ResourceNotFoundException', 'TableNotFoundException');
const exists = named('TableAlreadyExistsException', 'TableInUseException');
const notReady = named('ContinuousBackupsUnavailableException');
/** DynamoDB refuses an expiry of items that is switched on already, under a name that it uses for every wrong call. */
const expiring: Expected = ({ message }) => /already enabled/i.test(message);

type ScheduleCalls = Pick<RestoreAccount, 'schedules' | 'deleteSchedule'>;

const tableCalls = (client: DynamoDBClient): Omit<RestoreAccount, keyof ScheduleCalls> => ({
  window: async (TableName) => {
    const found = await unless(missing, () =>
      client.send(new DescribeContinuousBackupsCommand({ TableName })),
    );
    const recovery = found?.ContinuousBackupsDescription?.PointInTimeRecoveryDescription;
    const { EarliestRestorableDateTime: earliest, LatestRestorableDateTime: latest } = recovery ?? {};
    return earliest && latest ? { earliest, latest } : undefined;
  },
  table: async (TableName) => {
    const found = await unless(missing, () => client.send(new DescribeTableCommand({ TableName })));
    if (!found?.Table) return undefined;
    const { TableStatus, SSEDescription, DeletionProtectionEnabled, WarmThroughput, RestoreSummary } =
      found.Table;
    return {
      status: TableStatus ?? 'unknown',
      keyArn: SSEDescription?.KMSMasterKeyArn,
      refusesDeletion: DeletionProtectionEnabled === true,
      readUnits: WarmThroughput?.ReadUnitsPerSecond ?? 0,
      writeUnits: WarmThroughput?.WriteUnitsPerSecond ?? 0,
      restoredTo: RestoreSummary?.RestoreDateTime,
    };
  },
  restore: async (SourceTableName, TargetTableName, RestoreDateTime) => {
    const command = { SourceTableName, TargetTableName, RestoreDateTime };
    await unless(exists, () => client.send(new RestoreTableToPointInTimeCommand(command)));
  },
  keepBackups: async (TableName) => {
    const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
    const command = new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification });
    return (await unless(notReady, () => client.send(command))) !== undefined;
  },
  expireItems: async (TableName) => {
    const TimeToLiveSpecification = { Enabled: true, AttributeName: 'ttl' };
    const command = new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification });
    await unless(expiring, () => client.send(command));
  },
  refuseDeletion: async (TableName) => {
    await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  },
  warm: async (TableName, { readUnits, writeUnits }) => {
    const WarmThroughput = { ReadUnitsPerSecond: readUnits, WriteUnitsPerSecond: writeUnits };
    await client.send(new UpdateTableCommand({ TableName, WarmThroughput }));
  },
});

const scheduleCalls = (client: SchedulerClient): ScheduleCalls => ({
  schedules: async (GroupName) => {
    const found: ClientSchedule[] = [];
    for await (const { Schedules = [] } of paginateListSchedules({ client }, { GroupName })) {
      for (const { Name: name, CreationDate: created } of Schedules) {
        if (name === undefined || created === undefined)
          throw new Error('scheduler: a schedule came without its name or time');
        found.push({ name, created });
      }
    }
    return found;
  },
  deleteSchedule: async (GroupName, Name) => {
    await unless(missing, () => client.send(new DeleteScheduleCommand({ GroupName, Name })));
  },
});

/** The account of a target. The service on this machine has the same calls. */
export const awsRestoreAccount = (target: Target): RestoreAccount => {
  const options = clientOptionsOf(target);
  return {
    ...tableCalls(new DynamoDBClient(options)),
    ...scheduleCalls(new SchedulerClient(options)),
  };
};
