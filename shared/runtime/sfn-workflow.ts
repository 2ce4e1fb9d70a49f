import { clientOptions } from './aws-client.ts';
import { sha256 } from './hash.ts';
import { lateClient } from './late-client.ts';
import type { Workflow } from './ports.ts';
import { named, unless } from './unless.ts';

const sfn = lateClient(
  () => import('@aws-sdk/client-sfn'),
  ({ SFNClient }) => new SFNClient(clientOptions('SFN')),
);

/**
 * The name of an execution in Step Functions, which refuses a used name for 90 days. After a restore the service uses
 * another table, and starts again what the earlier table had started since: the names of each table are names of its own.
 */
const executionName = (name: string, tableName: string): string => `${name}-${sha256(tableName).slice(0, 8)}`;

/**
 * The state machine with this ARN, for the work that a table has. The name of an execution is made from its request key,
 * so an existing name means that the execution has been started: a success.
 */
export const workflow = (stateMachineArn: string, tableName: string): Workflow => ({
  start: async (name, input) => {
    const { sdk, client } = await sfn();
    const own = { stateMachineArn, name: executionName(name, tableName) };
    const command = new sdk.StartExecutionCommand({ ...own, input: JSON.stringify(input) });
    await unless(named('ExecutionAlreadyExists'), () => client.send(command));
  },
});
