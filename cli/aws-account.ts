/** AWS account: the questions of the deploy guard, asked with the caller's own credentials. */
import { APIGatewayClient, GetAccountCommand } from '@aws-sdk/client-api-gateway';
import {
  CloudFormationClient,
  DescribeStacksCommand,
  GetTemplateCommand,
  UpdateTerminationProtectionCommand,
} from '@aws-sdk/client-cloudformation';
import { DescribeLimitsCommand, DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import * as v from 'valibot';
import { named, unless, type Expected } from '../shared/runtime/unless.ts';
import { clientOptionsOf, type Target } from './admin-service.ts';
import type { Account } from './deploy-guard.ts';
import { templateSchema } from './deployment-losses.ts';

/** How to reach the account. Credentials come from the profile or, without a profile, from the environment. */
export interface AccountAccess {
  readonly region: string;
  readonly profile?: string;
}

/** The output of the stack of the API with the address of the service. */
const ADDRESS = 'BaseUrl';

/** The address of the service of a target. Throws when the stage has none. */
export const serviceAddress = async (target: Target): Promise<string> => {
  if (target.kind === 'local') return target.service.base_url;
  const stacks = new CloudFormationClient(clientOptionsOf(target));
  try {
    const { Stacks = [] } = await stacks.send(
      new DescribeStacksCommand({ StackName: `tidemark-${target.stage}-api` }),
    );
    const outputs = Stacks.flatMap(({ Outputs = [] }) => Outputs);
    const address = outputs.find(({ OutputKey }) => OutputKey === ADDRESS)?.OutputValue;
    if (address === undefined) throw new Error(`The stage ${target.stage} has no address.`);
    return address;
  } finally {
    stacks.destroy();
  }
};

/** Lets stacks be deleted: until the next deployment CloudFormation does not refuse that. */
export const liftProtection = async (access: AccountAccess, stacks: readonly string[]): Promise<void> => {
  const client = new CloudFormationClient({ ...access });
  try {
    for (const StackName of stacks) {
      await client.send(
        new UpdateTerminationProtectionCommand({ StackName, EnableTerminationProtection: false }),
      );
    }
  } finally {
    client.destroy();
  }
};

const Json = v.pipe(v.string(), v.parseJson(), templateSchema);

/** AWS refuses the question of a caller without the right to ask. */
const denied: Expected = ({ name }) => /AccessDenied/.test(name);

/** States of a stack whose first deployment was undone. It has only those resources that could not be deleted. */
const NEVER_MADE: ReadonlySet<string> = new Set(['ROLLBACK_COMPLETE', 'ROLLBACK_FAILED']);

/** CloudFormation has no error name of its own for a stack that is not there. */
const noStack: Expected = ({ message }) => /does not exist/.test(message);

/**
 * The account of the caller in a region. Its questions throw the errors of AWS, except that a caller without the right
 * to ask for a quota gets no answer: it decides nothing.
 */
export const awsAccount = (access: AccountAccess): Account => {
  const stacks = new CloudFormationClient({ ...access });
  const tables = new DynamoDBClient({ ...access });
  const functions = new LambdaClient({ ...access });
  const gateway = new APIGatewayClient({ ...access });
  return {
    template: (StackName) =>
      unless(noStack, async () => {
        const { TemplateBody } = await stacks.send(
          new GetTemplateCommand({ StackName, TemplateStage: 'Original' }),
        );
        return v.parse(Json, TemplateBody);
      }),
    hasFailed: async (StackName) => {
      const described = await unless(noStack, () => stacks.send(new DescribeStacksCommand({ StackName })));
      return (described?.Stacks ?? []).some(({ StackStatus = '' }) => NEVER_MADE.has(StackStatus));
    },
    hasTable: async (TableName) => {
      const describe = new DescribeTableCommand({ TableName });
      return (await unless(named('ResourceNotFoundException'), () => tables.send(describe))) !== undefined;
    },
    concurrency: () =>
      unless(denied, async () => {
        const { AccountLimit } = await functions.send(new GetAccountSettingsCommand({}));
        return AccountLimit?.ConcurrentExecutions;
      }),
    requestsPerSecond: () =>
      unless(denied, async () => {
        const { throttleSettings } = await gateway.send(new GetAccountCommand({}));
        return throttleSettings?.rateLimit;
      }),
    tableUnits: () =>
      unless(denied, async () => {
        const limits = await tables.send(new DescribeLimitsCommand({}));
        const { TableMaxReadCapacityUnits: read, TableMaxWriteCapacityUnits: write } = limits;
        return read === undefined || write === undefined ? undefined : { read, write };
      }),
  };
};
