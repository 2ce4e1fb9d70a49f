import { isNamed } from './aws-errors.ts';
import { jsonService, type JsonService } from './json-service.ts';
import type { Workflow } from './ports.ts';

let service: JsonService | undefined;

const protocol = { variable: 'SFN', name: 'states', target: 'AWSStepFunctions', version: '1.0' } as const;

/**
 * The state machine with this ARN. The name of an execution is made from its request key, so an existing name
 * means that the execution has been started: a success.
 */
export const workflow = (stateMachineArn: string): Workflow => {
  service ??= jsonService(protocol);
  const { call } = service;
  return {
    start: async (name, input) => {
      try {
        await call('StartExecution', { stateMachineArn, name, input: JSON.stringify(input) });
      } catch (error) {
        if (!isNamed(error, 'ExecutionAlreadyExists')) throw error;
      }
    },
  };
};
