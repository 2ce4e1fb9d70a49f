import { RemovalPolicy } from 'aws-cdk-lib/core';
import { CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';
import type { Reachable } from './service.ts';

/** The single table: on demand, recoverable to any second of the last 35 days, expiring items by `ttl`. */
export const serviceTable = (scope: Construct, stage: Stage, key: IKey): Reachable => {
  const table = new CfnTable(scope, 'Table', {
    tableName: `tidemark-${stage.name}`,
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
    ...(stage.warmThroughput !== undefined && {
      warmThroughput: {
        readUnitsPerSecond: stage.warmThroughput.readUnits,
        writeUnitsPerSecond: stage.warmThroughput.writeUnits,
      },
    }),
  });
  table.applyRemovalPolicy(stage.keepData ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY);
  return { value: table.ref, arn: table.attrArn };
};
