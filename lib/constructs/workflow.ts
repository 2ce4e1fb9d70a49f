/** Workflow: a Standard workflow with a role that may only invoke the functions of its states. */
import { Stack } from 'aws-cdk-lib/core';
import { PolicyDocument, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnStateMachine } from 'aws-cdk-lib/aws-stepfunctions';
import { Construct } from 'constructs';
import type { WorkflowTrigger } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import { acknowledgeLogDelivery, acknowledgeWithoutTracing } from '../config/nag-suppressions.ts';
import { allow } from './grants.ts';
import { serviceLogs } from './log-group.ts';
import { physicalName, type Reachable, type Service } from './service.ts';
import type { ServiceFunction } from './service-function.ts';
import { type Definition, type State, type TaskProps, task } from './states.ts';

/** Invokes a function of the manifest by name. */
export type Call = (name: string, props: Omit<TaskProps, 'functionArn' | 'timeoutSeconds'>) => State;

interface WorkflowProps {
  readonly service: Service;
  readonly name: WorkflowTrigger['workflow'];
  readonly functions: ReadonlyMap<string, ServiceFunction>;
  readonly definition: (call: Call) => Definition;
}

const logActions = [
  'logs:CreateLogDelivery',
  'logs:GetLogDelivery',
  'logs:UpdateLogDelivery',
  'logs:DeleteLogDelivery',
  'logs:ListLogDeliveries',
  'logs:PutResourcePolicy',
  'logs:DescribeResourcePolicies',
  'logs:DescribeLogGroups',
];

/** A Standard workflow whose role may invoke the functions in its states and nothing more. */
export class Workflow extends Construct {
  readonly reachable: Reachable;

  constructor(scope: Construct, id: string, { service, name, functions, definition }: WorkflowProps) {
    super(scope, id);
    const called = new Map<string, string>();
    const states = definition((functionName, props) => {
      const target = functions.get(functionName);
      if (target === undefined)
        throw new Error(`The workflow ${name} calls ${functionName}, which is not its function`);
      called.set(functionName, target.function.functionArn);
      return task({
        ...props,
        functionArn: target.function.functionArn,
        timeoutSeconds: target.entry.timeoutSeconds,
      });
    });
    const machine = new CfnStateMachine(this, 'Machine', {
      stateMachineName: physicalName(service.stage, name),
      stateMachineType: 'STANDARD',
      roleArn: this.#role([...called.values()]).roleArn,
      definitionString: Stack.of(this).toJsonString({
        ...states,
        TimeoutSeconds: limits.workflows.timeoutSeconds,
      }),
      loggingConfiguration: this.#logging(service, name),
    });
    acknowledgeWithoutTracing(machine);
    this.reachable = { value: machine.attrArn, arn: machine.attrArn };
  }

  #role(functionArns: readonly string[]): Role {
    const statements = [allow(['lambda:InvokeFunction'], functionArns), allow(logActions, ['*'])];
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('states.amazonaws.com'),
      inlinePolicies: { calls: new PolicyDocument({ statements }) },
    });
    acknowledgeLogDelivery(role);
    return role;
  }

  /** Logs every state, without the data of the execution. */
  #logging({ stage }: Service, name: string): CfnStateMachine.LoggingConfigurationProperty {
    const logs = serviceLogs(
      this,
      'Logs',
      stage.logRetention,
      `/aws/vendedlogs/states/${physicalName(stage, name)}`,
    );
    return {
      level: 'ALL',
      includeExecutionData: false,
      destinations: [{ cloudWatchLogsLogGroup: { logGroupArn: logs.logGroupArn } }],
    };
  }
}
