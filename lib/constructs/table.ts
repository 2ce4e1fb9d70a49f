import { createHash } from 'node:crypto';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import { Stack } from 'aws-cdk-lib/core';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { limits } from '../../shared/config/limits.ts';
import type { Stage } from '../config/stages.ts';
import { acknowledgeNoRecovery } from '../config/nag-suppressions.ts';
import { dataRemoval, kept } from './retention.ts';
import type { Reachable } from './service.ts';

export interface ServiceTableProps {
  /** Name of the table in a stage whose operator has given no other name. */
  readonly name: string;
  /** Name of the table that the operator has set. */
  readonly given: string | undefined;
  readonly stage: Stage;
  readonly key: IKey;
  /** Request units per second that the table serves from the first minute, where they are more than those of a new table. */
  readonly warm?: { readonly readUnits?: number | undefined; readonly writeUnits?: number | undefined };
  /** Whether the table can be restored to any second of 35 days. */
  readonly recovers: boolean;
  /** Whether storage is most of the cost of the table: its class then stores at 40 % of the price, and calls cost a quarter more. */
  readonly mostlyStorage?: true;
}

const warmThroughputOf = ({ readUnits = 0, writeUnits = 0 }: NonNullable<ServiceTableProps['warm']>) => {
  const { newTableReadUnits, newTableWriteUnits } = limits.table;
  if (readUnits <= newTableReadUnits && writeUnits <= newTableWriteUnits) return {};
  return {
    warmThroughput: {
      readUnitsPerSecond: Math.max(readUnits, newTableReadUnits),
      writeUnitsPerSecond: Math.max(writeUnits, newTableWriteUnits),
    },
  };
};

/** Part of the logical id of a table: CloudFormation must tell tables of different names apart. */
const digest = (name: string): string => createHash('sha256').update(name).digest('hex').slice(0, 8);

/**
 * A table with on-demand capacity, and expiry of items by `ttl`. A table that the
 * operator has named, such as a restored table, is a resource of its own: CloudFormation takes it up, leaves the table
 * before it alone, and never deletes it. Everything else names the table in plain text, because CloudFormation does not
 * let a stack take back a reference that another stack uses.
 */
export const serviceTable = (
  scope: Construct,
  id: string,
  { name, given, stage, key, warm = {}, recovers, mostlyStorage }: ServiceTableProps,
): Reachable => {
  const tableName = given ?? name;
  const table = new CfnTable(scope, tableName === name ? id : `${id}-${digest(tableName)}`, {
    tableName,
    billingMode: 'PAY_PER_REQUEST',
    attributeDefinitions: [
      { attributeName: 'pk', attributeType: 'S' },
      { attributeName: 'sk', attributeType: 'S' },
    ],
    keySchema: [
      { attributeName: 'pk', keyType: 'HASH' },
      { attributeName: 'sk', keyType: 'RANGE' },
    ],
    timeToLiveSpecification: { attributeName: 'ttl', enabled: true },
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: recovers },
    tableClass: mostlyStorage ? 'STANDARD_INFREQUENT_ACCESS' : 'STANDARD',
    sseSpecification: { sseEnabled: true, sseType: 'KMS', kmsMasterKeyId: key.keyArn },
    deletionProtectionEnabled: stage.keepData,
    ...warmThroughputOf(warm),
  });
  if (!recovers) acknowledgeNoRecovery(table);
  table.applyRemovalPolicy(given === undefined ? dataRemoval(stage) : kept);
  const arn = Stack.of(scope).formatArn({ service: 'dynamodb', resource: 'table', resourceName: tableName });
  return { value: tableName, arn };
};
