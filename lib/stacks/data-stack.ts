/** Data stack: the resources with data that must not be lost. */
import { Stack, type App } from 'aws-cdk-lib/core';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { limits } from '../../shared/config/limits.ts';
import { foldersOf } from '../../shared/properties/folders.ts';
import { settingsMetadata } from '../config/settings.ts';
import { dataKey, propertyKey } from '../constructs/encryption-key.ts';
import { keepEarlierLogs } from '../constructs/earlier-logs.ts';
import { functionSet } from '../constructs/function-set.ts';
import { addFunctionSchedules, FunctionSchedules } from '../constructs/function-schedule.ts';
import { physicalName, type Reachable, type Reachables, type Service } from '../constructs/service.ts';
import { stackProps } from '../constructs/stack-props.ts';
import { accessLogBucket, storageBucket } from '../constructs/storage-bucket.ts';
import { serviceTable } from '../constructs/table.ts';
import { WorkQueue } from '../constructs/work-queue.ts';

/**
 * Resources with data that must not be lost: keys, tables and buckets; the membership index with its drainer; and the
 * enrichment of the profiles that the other stacks store.
 */
export class DataStack extends Stack {
  readonly key: IKey;
  readonly propertyKey: Reachable;
  readonly reachables: Reachables;
  readonly table: Reachable;
  readonly credentials: Reachable;
  readonly rates: Reachable;
  readonly auditLog: Reachable;
  readonly uploads: Reachable;
  readonly schedules: FunctionSchedules;

  constructor(app: App, service: Service) {
    super(
      app,
      physicalName(service.stage, 'data'),
      stackProps(service.stage, 'tables, buckets, keys, index and enrichment'),
    );
    const { given, environment } = service.stage;
    // `npm run deploy` compares the settings of a deployment with those of the deployment before.
    this.templateOptions.metadata = { [settingsMetadata]: { given, environment } };
    this.key = dataKey(this, service.stage);
    const drains = new WorkQueue(this, 'Drains', { service, name: 'drains', key: this.key });
    this.schedules = new FunctionSchedules(this, 'FunctionSchedules', service, this.key);
    const enrichments = new WorkQueue(this, 'Enrichments', { service, name: 'enrichments', key: this.key });
    this.propertyKey = propertyKey(this, service.stage);
    const buckets = this.#buckets(service);
    this.uploads = buckets.uploads;
    const { stage } = service;
    const { key } = this;
    this.table = serviceTable(this, 'Table', {
      name: `tidemark-${stage.name}`,
      given: stage.tableName,
      stage,
      key,
      warm: { readUnits: stage.warmReadUnits, writeUnits: stage.warmWriteUnits },
      recovers: true,
    });
    this.credentials = serviceTable(this, 'Credentials', {
      name: physicalName(stage, 'credentials'),
      given: stage.credentialsTableName,
      stage,
      key,
      recovers: true,
    });
    // Counters of seconds and days.
    const rates = { name: physicalName(stage, 'rates'), given: undefined, recovers: false };
    this.rates = serviceTable(this, 'Rates', { ...rates, stage, key });
    this.auditLog = serviceTable(this, 'AuditLog', {
      name: physicalName(stage, 'audit-log'),
      given: stage.auditLogTableName,
      stage,
      key,
      // A request that reads people or changes something has an entry of one unit.
      warm: { writeUnits: stage.gatewayRequestsPerSecond },
      // ADR 18: entries are only added, and storage is most of what they cost.
      recovers: false,
      mostlyStorage: true,
    });
    this.reachables = {
      table: this.table,
      credentials: this.credentials,
      rates: this.rates,
      auditLog: this.auditLog,
      ...buckets,
      drains: drains.reachable,
      enrichments: enrichments.reachable,
      propertyKey: this.propertyKey,
    };
    const functions = functionSet(this, { service, stack: 'data', reachables: this.reachables });
    drains.feed(functions);
    enrichments.feed(functions);
    keepEarlierLogs(this, service, 'data');
    addFunctionSchedules(this, functions, { service, schedules: this.schedules });
  }

  #buckets({ stage }: Service): Record<'uploads' | 'work' | 'exports', Reachable> {
    const common = { stage, key: this.key, accessLogs: accessLogBucket(this, stage) };
    const { imports, exports, profiles } = limits;
    return {
      uploads: storageBucket(this, 'Uploads', {
        ...common,
        name: 'uploads',
        retentionDays: imports.retentionDays,
        fromPages: true,
        notify: true,
        keepEmpty: true,
      }),
      work: storageBucket(this, 'Work', {
        ...common,
        name: 'work',
        retentionDays: imports.retentionDays,
        sooner: { folder: foldersOf('access-requests'), days: profiles.accessFileDays },
      }),
      exports: storageBucket(this, 'Exports', {
        ...common,
        name: 'exports',
        retentionDays: exports.retentionDays,
        retained: { files: 'p', kept: { folder: 'bases/', days: exports.baseDays } },
      }),
    };
  }
}
