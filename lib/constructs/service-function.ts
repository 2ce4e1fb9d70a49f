/**
 * Service function: creates one Lambda function of the manifest, with its bundle, log group and least-privilege role.
 */
import { Duration } from 'aws-cdk-lib/core';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Code,
  Function as LambdaFunction,
  RecursiveLoop,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import {
  loadClassOf,
  resources,
  settings,
  type FunctionEntry,
  type SettingName,
  type Trigger,
} from '../../functions/entry.ts';
import { grantsOf, settingNamesOf } from '../../functions/grants.ts';
import { LOAD_CLASS } from '../../shared/runtime/env.ts';
import {
  acknowledgeDestinationGrants,
  acknowledgeLogReads,
  acknowledgeMailGrants,
  acknowledgeObjectGrants,
  acknowledgeScheduleGrants,
} from '../config/nag-suppressions.ts';
import { ceilingOf, type Stage } from '../config/stages.ts';
import { consumerLogs } from './dead-letters.ts';
import { policyOf } from './grants.ts';
import { serviceLogs } from './log-group.ts';
import { accountArn } from './destination-roles.ts';
import { senderEmailOf } from './mail-sender.ts';
import { physicalName, type Reachables, type Service } from './service.ts';

export interface ServiceFunctionProps {
  readonly service: Service;
  readonly name: string;
  /** The resources that the stacks have created so far, which must include all resources in the entry's access. */
  readonly reachables: Reachables;
  /** Base URL of the service, for functions that write links. */
  readonly baseUrl?: string;
  /** ARN of the queue that receives the messages of export schedules, for functions that create schedules. */
  readonly exportRunsArn?: string;
  /** ARN of the dead letters of this queue. */
  readonly exportRunsDeadLetters?: string;
  /** Role of SFTP sessions, for the function that returns it. */
  readonly sftpRoleArn?: string;
}

const settingsOf = ({
  service,
  baseUrl,
  exportRunsArn,
  exportRunsDeadLetters,
  sftpRoleArn,
  reachables,
}: ServiceFunctionProps): Record<SettingName, string | undefined> => ({
  baseUrl,
  privateTargets: service.stage.privateTargets,
  momentInterval: service.stage.momentIntervalSeconds.toString(),
  accountRate: service.stage.accountRequestsPerSecond.toString(),
  exportRunsArn,
  exportJobsAtOnce: service.stage.exportJobs.toString(),
  exportRunsDeadLetters,
  uploadsBucket: reachables.uploads?.value,
  sftpRole: sftpRoleArn,
  senderEmail: senderEmailOf(service.stage),
  clockMargin: service.stage.clockMarginSeconds.toString(),
  accountArn,
  deflateProfiles: service.stage.deflateProfiles.toString(),
  conditions: service.stage.conditions.toString(),
  console: service.stage.console.toString(),
  demoAccounts: JSON.stringify(service.stage.demoAccounts ?? []),
});

const environmentOf = (entry: FunctionEntry, props: ServiceFunctionProps): Record<string, string> => {
  const values = settingsOf(props);
  const reached = grantsOf(entry).map(({ to }) => [resources[to], props.reachables[to]?.value] as const);
  const read = settingNamesOf(entry).map((name) => [settings[name], values[name]] as const);
  const environment: Record<string, string> = {
    STAGE: props.service.stage.name,
    [LOAD_CLASS]: loadClassOf(entry.trigger),
  };
  for (const [variable, value] of [...reached, ...read]) {
    if (value === undefined)
      throw new Error(`${props.name} needs ${variable}, which its stack does not provide`);
    environment[variable] = value;
  }
  return environment;
};

/**
 * Triggers whose functions run in a closed stage, too: operators work there, and Lambda would drop the lines of a log that
 * come meanwhile, because it does not retry events for a function without concurrency.
 */
const alwaysOpen: ReadonlySet<Trigger['kind']> = new Set(['invoke', 'log']);

/** Concurrency that a stage reserves for a function: none means that the function shares that of the account. */
const reservedOf = (stage: Stage, { trigger, reservedConcurrency }: FunctionEntry): number | undefined => {
  if (stage.closed && !alwaysOpen.has(trigger.kind)) return 0;
  return stage.reserveConcurrency && reservedConcurrency !== undefined
    ? ceilingOf(reservedConcurrency, stage)
    : undefined;
};

/** One function of the manifest: its bundle, its log group, and a role with exactly the access in its entry. */
export class ServiceFunction extends Construct {
  readonly name: string;
  readonly entry: FunctionEntry;
  readonly function: LambdaFunction;

  constructor(scope: Construct, props: ServiceFunctionProps) {
    super(scope, props.name);
    const { service, name } = props;
    const entry = service.manifest[name];
    const code = service.code.get(name);
    if (entry === undefined || code === undefined) throw new Error(`No entry or no bundle of ${name}`);
    this.name = name;
    this.entry = entry;
    const functionName = physicalName(service.stage, name);
    const logGroup = serviceLogs(this, 'Logs', service.stage.logRetention, `/aws/lambda/${functionName}`);
    const grants = grantsOf(entry);
    const role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { declared: policyOf(grants, props.reachables, logGroup.logGroupArn) },
    });
    acknowledgeObjectGrants(role, service.stage, grants);
    acknowledgeScheduleGrants(role, service.stage, grants);
    acknowledgeLogReads(role, grants, consumerLogs(service));
    acknowledgeMailGrants(role, grants);
    acknowledgeDestinationGrants(role, grants);
    const reserved = reservedOf(service.stage, entry);
    this.function = new LambdaFunction(this, 'Function', {
      functionName,
      description: entry.summary,
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      handler: 'index.handler',
      code: Code.fromAsset(code),
      memorySize: entry.memoryMb,
      timeout: Duration.seconds(entry.timeoutSeconds),
      ...(reserved !== undefined && { reservedConcurrentExecutions: reserved }),
      // A busy consumer sends a copy of its message into its own queue. Lambda would take that for an endless loop and end it
      // at about 16 rounds; copies end by their age (`limits.queues.busySeconds`).
      ...(entry.trigger.kind === 'queue' && { recursiveLoop: RecursiveLoop.ALLOW }),
      environment: environmentOf(entry, props),
      logGroup,
      role: role.withoutPolicyUpdates(),
    });
  }
}
