/** Compute resources: schemas of functions, roles, log groups and workflows in the template. */
import * as v from 'valibot';
import { count, ignored } from './common.ts';
import { IdentityPolicy, TrustPolicy } from '../../core/policy-documents.ts';

/** AWS::Lambda::Function: zip assets on a Node runtime. `MemorySize` in MB, `Timeout` in seconds. */
export const LambdaFunction = v.strictObject({
  FunctionName: v.optional(v.string()),
  Description: v.optional(v.string()),
  Code: v.strictObject({ S3Bucket: v.string(), S3Key: v.string() }),
  Handler: v.string(),
  Runtime: v.pipe(v.string(), v.regex(/^nodejs\d+\.x$/)),
  Role: v.string(),
  Environment: v.optional(v.strictObject({ Variables: v.optional(v.record(v.string(), v.string()), {}) }), {
    Variables: {},
  }),
  MemorySize: v.optional(count, 128),
  Timeout: v.optional(count, 3),
  ReservedConcurrentExecutions: v.optional(count),
  EphemeralStorage: v.optional(v.strictObject({ Size: count })),
  LoggingConfig: v.optional(v.looseObject({ LogGroup: v.optional(v.string()) })),
  Architectures: ignored,
  TracingConfig: ignored,
  RecursiveLoop: ignored,
  Tags: ignored,
});

/** AWS::Lambda::Permission. */
export const Permission = v.strictObject({
  Action: v.literal('lambda:InvokeFunction'),
  FunctionName: v.string(),
  Principal: v.string(),
  SourceArn: v.optional(v.string()),
  SourceAccount: v.optional(v.string()),
});

/** AWS::Lambda::EventSourceMapping of a queue. */
export const EventSourceMapping = v.strictObject({
  EventSourceArn: v.string(),
  FunctionName: v.string(),
  BatchSize: v.optional(count, 10),
  MaximumBatchingWindowInSeconds: v.optional(count, 0),
  FunctionResponseTypes: v.optional(v.array(v.literal('ReportBatchItemFailures')), []),
  ScalingConfig: v.optional(v.strictObject({ MaximumConcurrency: v.optional(count) })),
  Enabled: v.optional(v.boolean(), true),
  Tags: ignored,
});

const InlinePolicy = v.strictObject({ PolicyName: v.string(), PolicyDocument: IdentityPolicy });

/** AWS::IAM::Role. Managed policies are refused, because they grant more than a function needs. */
export const Role = v.strictObject({
  RoleName: v.optional(v.string()),
  Description: ignored,
  AssumeRolePolicyDocument: TrustPolicy,
  Policies: v.optional(v.array(InlinePolicy), []),
  MaxSessionDuration: ignored,
  Tags: ignored,
});

/** AWS::IAM::Policy. */
export const Policy = v.strictObject({
  PolicyName: v.string(),
  PolicyDocument: IdentityPolicy,
  Roles: v.array(v.string()),
});

/** AWS::Logs::LogGroup. */
export const LogGroup = v.strictObject({
  LogGroupName: v.optional(v.string()),
  RetentionInDays: v.optional(count),
  KmsKeyId: ignored,
  LogGroupClass: ignored,
  Tags: ignored,
});

/** AWS::StepFunctions::StateMachine with an inline definition. */
export const StateMachine = v.strictObject({
  StateMachineName: v.optional(v.string()),
  StateMachineType: v.optional(v.literal('STANDARD')),
  DefinitionString: v.string(),
  RoleArn: v.string(),
  LoggingConfiguration: v.optional(v.unknown()),
  TracingConfiguration: ignored,
  Tags: ignored,
});
