import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';
import { dataRemoval } from './retention.ts';
import type { Reachable } from './service.ts';

export interface ServiceTableProps {
  readonly name: string;
  readonly stage: Stage;
  readonly key: IKey;
  /** Request units per second that the table must serve from the first minute. */
  readonly warmThroughput?: Stage['warmThroughput'];
}

/** A table with on-demand capacity, point-in-time recovery for 35 days, and expiry of items by `ttl`. */
export const serviceTable = (
  scope: Construct,
  id: string,
  { name, stage, key, warmThroughput }: ServiceTableProps,
): Reachable => {
  const table = new CfnTable(scope, id, {
    tableName: name,
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
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    sseSpecification: { sseEnabled: true, sseType: 'KMS', kmsMasterKeyId: key.keyArn },
    deletionProtectionEnabled: stage.keepData,
    ...(warmThroughput !== undefined && {
      warmThroughput: {
        readUnitsPerSecond: warmThroughput.readUnits,
        writeUnitsPerSecond: warmThroughput.writeUnits,
      },
    }),
  });
  table.applyRemovalPolicy(dataRemoval(stage));
  return { value: table.ref, arn: table.attrArn };
};
