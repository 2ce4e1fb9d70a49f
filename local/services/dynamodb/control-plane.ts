/** Control plane: descriptions and settings of tables, and their point-in-time recovery. */
import * as v from 'valibot';
import { arn } from '../../core/arn.ts';
import { inputAs } from '../../core/json-protocol.ts';
import { ServiceError } from '../../core/service-error.ts';
import type { Controls } from './controls.ts';
import type { Engine } from './engine.ts';
import { act, check } from './operations.ts';
import type { Answer } from './reads.ts';
import { restoreTable } from './restore.ts';
import { RECOVERY_DAYS, startRecovery } from './tables.ts';

const Named = v.object({ TableName: v.string() });

const Recovery = v.object({
  TableName: v.string(),
  PointInTimeRecoverySpecification: v.object({
    PointInTimeRecoveryEnabled: v.boolean(),
    RecoveryPeriodInDays: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(35))),
  }),
});

const TimeToLive = v.object({
  TableName: v.string(),
  TimeToLiveSpecification: v.object({ Enabled: v.boolean(), AttributeName: v.string() }),
});

const units = v.optional(v.pipe(v.number(), v.integer(), v.minValue(1)));
const Update = v.strictObject({
  TableName: v.string(),
  DeletionProtectionEnabled: v.optional(v.boolean()),
  WarmThroughput: v.optional(v.object({ ReadUnitsPerSecond: units, WriteUnitsPerSecond: units })),
});

/** What a new on-demand table serves at once, in units per second (DynamoDB guide, "warm throughput"). */
const NEW_TABLE = { reads: 12_000, writes: 4_000 };

type Operation = (input: unknown) => Promise<object> | object;

/** Makes the control plane of an engine. */
export const controlPlane = (engine: Engine) => {
  // A change of a table ends in a later turn of the event loop. Until then the table refuses others.
  const updating = new Set<string>();
  const described = (name: string): Promise<object> => describeTable(engine, name, updating.has(name));
  const operations: Readonly<Record<string, Operation>> = {
    DescribeTable: async (input) => ({ Table: await described(inputAs(Named, input).TableName) }),
    DescribeContinuousBackups: (input) => backupsOf(engine, inputAs(Named, input).TableName),
    UpdateContinuousBackups: (input) => updateBackups(engine, inputAs(Recovery, input)),
    DescribeTimeToLive: (input) => {
      const { timeToLive } = usable(engine, inputAs(Named, input).TableName);
      return {
        TimeToLiveDescription:
          timeToLive === undefined
            ? { TimeToLiveStatus: 'DISABLED' }
            : { TimeToLiveStatus: 'ENABLED', AttributeName: timeToLive },
      };
    },
    UpdateTimeToLive: (input) => updateTimeToLive(engine, inputAs(TimeToLive, input)),
    UpdateTable: async (input) => {
      const update = inputAs(Update, input);
      const { TableName: name } = update;
      if (updating.has(name)) throw inUse(name);
      await engine.controls.change(name, changesOf(usable(engine, name), update));
      updating.add(name);
      setImmediate(() => updating.delete(name));
      return { TableDescription: await described(name) };
    },
    RestoreTableToPointInTime: async (input) => {
      const name = await restoreTable(engine, input);
      return { TableDescription: await described(name) };
    },
  };
  return {
    answers: (operation: string): boolean => Object.hasOwn(operations, operation),
    /** Throws ServiceError where the real service refuses. */
    call: async (operation: string, input: unknown): Promise<Answer> => ({
      body: { ...(await operations[operation]?.(input)) },
      usage: [],
    }),
  };
};

/** The control plane of an engine: whether it knows an operation, and its answer. */
export type ControlPlane = ReturnType<typeof controlPlane>;

const inUse = (name: string): ServiceError =>
  new ServiceError(
    'ResourceInUseException',
    `Attempt to change a resource which is still in use: Table: ${name}`,
  );

/** The controls of an active table. */
const usable = (engine: Engine, name: string): Controls => {
  const controls = engine.controls.of(name);
  if (!controls) {
    const message = `Requested resource not found: Table: ${name} not found`;
    throw new ServiceError('ResourceNotFoundException', message);
  }
  if (controls.isCreating) throw inUse(name);
  return controls;
};

const describeTable = async (
  { store, controls }: Engine,
  name: string,
  isUpdating: boolean,
): Promise<object> => {
  const known = controls.of(name);
  const input = check(store, 'DescribeTable', { TableName: name });
  const { Table } = v.parse(
    v.object({ Table: v.record(v.string(), v.unknown()) }),
    await act(store, 'DescribeTable', input),
  );
  const warm = known?.warmThroughput ?? NEW_TABLE;
  const settled = isUpdating ? 'UPDATING' : 'ACTIVE';
  const status = known?.isCreating === true ? 'CREATING' : settled;
  return {
    ...Table,
    TableArn: arn('dynamodb', `table/${name}`),
    TableStatus: status,
    DeletionProtectionEnabled: known?.deletionProtection ?? false,
    WarmThroughput: {
      ReadUnitsPerSecond: warm.reads,
      WriteUnitsPerSecond: warm.writes,
      Status: status,
    },
    ...(known?.keyArn === undefined
      ? {}
      : { SSEDescription: { Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: known.keyArn } }),
    ...(known?.restored
      ? {
          RestoreSummary: {
            SourceTableArn: arn('dynamodb', `table/${known.restored.from}`),
            RestoreDateTime: known.restored.at / 1000,
            RestoreInProgress: known.isCreating,
          },
        }
      : {}),
  };
};

/** Backups have an error of their own for a table that is not there, or not there yet. */
const backedUp = (engine: Engine, name: string): Controls => {
  const controls = engine.controls.of(name);
  if (!controls || controls.isCreating)
    throw new ServiceError('TableNotFoundException', `Table not found: ${name}`);
  return controls;
};

const backupsOf = (engine: Engine, name: string): object => {
  const { recovery } = backedUp(engine, name);
  const earliest = engine.histories.of(name)?.earliest;
  return {
    ContinuousBackupsDescription: {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription:
        recovery && earliest !== undefined
          ? {
              PointInTimeRecoveryStatus: 'ENABLED',
              RecoveryPeriodInDays: recovery.days,
              EarliestRestorableDateTime: earliest / 1000,
              LatestRestorableDateTime: engine.now() / 1000,
            }
          : { PointInTimeRecoveryStatus: 'DISABLED' },
    },
  };
};

const updateBackups = async (
  engine: Engine,
  { TableName: name, PointInTimeRecoverySpecification: wanted }: v.InferOutput<typeof Recovery>,
): Promise<object> => {
  const { recovery } = backedUp(engine, name);
  if (!wanted.PointInTimeRecoveryEnabled) {
    await engine.controls.change(name, { recovery: undefined });
    await engine.histories.drop(name);
  } else if (!recovery) {
    await startRecovery(engine, name, wanted.RecoveryPeriodInDays ?? RECOVERY_DAYS);
  }
  return backupsOf(engine, name);
};

const updateTimeToLive = async (
  engine: Engine,
  { TableName: name, TimeToLiveSpecification: wanted }: v.InferOutput<typeof TimeToLive>,
): Promise<object> => {
  const { timeToLive } = usable(engine, name);
  if (wanted.Enabled === (timeToLive !== undefined)) {
    const state = wanted.Enabled ? 'enabled' : 'disabled';
    throw new ServiceError('ValidationException', `TimeToLive is already ${state}`);
  }
  await engine.controls.change(name, { timeToLive: wanted.Enabled ? wanted.AttributeName : undefined });
  return { TimeToLiveSpecification: wanted };
};

const changesOf = (
  { warmThroughput: warm = NEW_TABLE }: Controls,
  update: v.InferOutput<typeof Update>,
): Partial<Controls> => {
  const { DeletionProtectionEnabled: deletionProtection, WarmThroughput: wanted } = update;
  if (deletionProtection === undefined && wanted === undefined)
    throw new ServiceError('ValidationException', 'At least one setting of the table is required');
  const reads = wanted?.ReadUnitsPerSecond ?? warm.reads;
  const writes = wanted?.WriteUnitsPerSecond ?? warm.writes;
  if (reads < warm.reads || writes < warm.writes) {
    const message = 'Requested WarmThroughput for the table is lower than the current WarmThroughput';
    throw new ServiceError('ValidationException', message);
  }
  return {
    ...(deletionProtection === undefined ? {} : { deletionProtection }),
    ...(wanted ? { warmThroughput: { reads, writes } } : {}),
  };
};
