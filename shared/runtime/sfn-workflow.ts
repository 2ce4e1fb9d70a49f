import { ExecutionAlreadyExists, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
import { clientOptions } from './aws-client.ts';
import type { Workflow } from './ports.ts';

let client: SFNClient | undefined;

/**
 * The state machine with this ARN. The name of an execution is made from its request key, so an existing name
 * means that the execution has been started: a success.
 */
export const workflow = (stateMachineArn: string): Workflow => {
  client ??= new SFNClient(clientOptions('SFN'));
  const sfn = client;
  return {
    start: async (name, input) => {
      try {
        await sfn.send(new StartExecutionCommand({ stateMachineArn, name, input: JSON.stringify(input) }));
      } catch (error) {
        if (!(error instanceof ExecutionAlreadyExists)) throw error;
      }
    },
  };
};
