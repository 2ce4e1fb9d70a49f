import { Aws, CfnOutput, Stack } from 'aws-cdk-lib/core';
import { CfnPermission } from 'aws-cdk-lib/aws-lambda';
import { CfnServer } from 'aws-cdk-lib/aws-transfer';
import { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';
import { serviceLogs } from './log-group.ts';
import { subscribe } from './log-subscription.ts';
import { dataRemoval } from './retention.ts';
import { isOfKind, physicalName, type Service } from './service.ts';
import type { ServiceFunction } from './service-function.ts';

/** The function that tells the server who a user is, and the functions that get lines of its log. */
interface SftpFunctions {
  readonly identity: ServiceFunction;
  readonly told: readonly ServiceFunction[];
}

interface Server {
  readonly id: string;
  readonly arn: string;
}

/**
 * The SFTP server. A function authenticates the users, and the files go to S3. AWS creates the host key, which lives and
 * ends with the server. So stages that keep data keep the server too, and a later stack uses it again: the names of the
 * function and the log group, which the server knows, stay the same.
 */
export class SftpServer extends Construct {
  readonly serverId: string;

  constructor(scope: Construct, id: string, { stage }: Service, { identity, told }: SftpFunctions) {
    super(scope, id);
    const { functionArn } = identity.function;
    const logs = serviceLogs(
      this,
      'Logs',
      stage.nameLogRetention,
      `/aws/vendedlogs/transfer/${physicalName(stage, 'sftp')}`,
    );
    const server =
      stage.sftpServerId === undefined
        ? this.#newServer(stage, functionArn, logs.logGroupArn)
        : this.#earlierServer(stage.sftpServerId);
    this.serverId = server.id;
    for (const target of told) {
      const { trigger } = target.entry;
      if (isOfKind(trigger, 'log'))
        subscribe({ name: physicalName(stage, target.name), logGroup: logs, where: trigger.where, target });
    }
    new CfnPermission(identity, 'FromTransfer', {
      action: 'lambda:InvokeFunction',
      functionName: functionArn,
      principal: 'transfer.amazonaws.com',
      sourceArn: server.arn,
    });
    new CfnOutput(this, 'Address', {
      value: `${this.serverId}.server.transfer.${Aws.REGION}.${Aws.URL_SUFFIX}`,
      description: 'Address of the SFTP server, port 22',
    });
  }

  #earlierServer(id: string): Server {
    const arn = Stack.of(this).formatArn({ service: 'transfer', resource: 'server', resourceName: id });
    return { id, arn };
  }

  #newServer(stage: Stage, functionArn: string, logGroupArn: string): Server {
    const server = new CfnServer(this, 'Server', {
      domain: 'S3',
      endpointType: 'PUBLIC',
      protocols: ['SFTP'],
      identityProviderType: 'AWS_LAMBDA',
      identityProviderDetails: {
        function: functionArn,
        sftpAuthenticationMethods: 'PUBLIC_KEY_OR_PASSWORD',
      },
      // Clients that set times and modes after an upload would otherwise fail, because S3 has neither.
      protocolDetails: { setStatOption: 'ENABLE_NO_OP' },
      // Allows empty directories. Otherwise every directory would have to exist as an object before a login.
      s3StorageOptions: { directoryListingOptimization: 'ENABLED' },
      securityPolicyName: 'TransferSecurityPolicy-2025-03',
      structuredLogDestinations: [logGroupArn],
    });
    server.applyRemovalPolicy(dataRemoval(stage));
    return { id: server.attrServerId, arn: server.attrArn };
  }
}
