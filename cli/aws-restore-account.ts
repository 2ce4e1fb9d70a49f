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
import * as v from 'valibot';
import { jsonAnswer } from '../shared/runtime/json-service.ts';
import { signedService, type ServiceRequest } from '../shared/runtime/signed-service.ts';
import { clientOptionsOf, type Target } from './admin-service.ts';
import type { ClientSchedule, RestoreAccount } from './restore-account.ts';
import { named, unless, type Expected } from './unless.ts';

const schedulePage = v.pipe(
  v.string(),
  v.parseJson(),
  v.looseObject({
    NextToken: v.nullish(v.string()),
    Schedules: v.array(v.looseObject({ Name: v.string(), CreationDate: v.number() })),
  }),
);

/** DynamoDB has two names for a missing table. */
const missing = named('ResourceNotFoundException', 'TableNotFoundException');
const exists = named('TableAlreadyExistsException', 'TableInUseException');
const notReady = named('ContinuousBackupsUnavailableException');
/** DynamoDB refuses an expiry of items that is switched on already, under a name that it uses for every wrong call. */
const expiring: Expected = ({ message }) => /already enabled/i.test(message);

type Calls = Omit<RestoreAccount, 'schedules' | 'deleteSchedule'>;

const tableCalls = (client: DynamoDBClient): Calls => ({
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

/** The account of a target. The service on this machine has the same calls. */
export const awsRestoreAccount = (target: Target): RestoreAccount => {
  const options = clientOptionsOf(target);
  const client = new DynamoDBClient(options);
  // The Scheduler of the SDK is not a dependency; two calls do not need it. Each call takes fresh credentials, because a
  // restore can last longer than they do.
  const schedule = async (request: Omit<ServiceRequest, 'headers'>): Promise<unknown> => {
    const credentials = await client.config.credentials();
    const service = signedService({ variable: 'SCHEDULER', name: 'scheduler' }, { ...options, credentials });
    try {
      return await service.send({ ...request, headers: {} }, jsonAnswer);
    } finally {
      service.destroy();
    }
  };
  return {
    ...tableCalls(client),
    schedules: async (group) => {
      const found: ClientSchedule[] = [];
      for (let after: string | undefined = ''; after !== undefined;) {
        const query: Record<string, string> =
          after === '' ? { ScheduleGroup: group } : { ScheduleGroup: group, NextToken: after };
        const answer: unknown = await schedule({ method: 'GET', path: '/schedules', query });
        const page: v.InferOutput<typeof schedulePage> = v.parse(schedulePage, answer);
        for (const { Name, CreationDate } of page.Schedules)
          found.push({ name: Name, created: new Date(CreationDate * 1_000) });
        after = page.NextToken ?? undefined;
      }
      return found;
    },
    deleteSchedule: async (group, name) => {
      const path = `/schedules/${encodeURIComponent(name)}`;
      await unless(missing, () => schedule({ method: 'DELETE', path, query: { groupName: group } }));
    },
  };
};
