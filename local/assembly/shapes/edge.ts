/** Edge resources: schemas of the HTTP API, event rules and schedules in the template. */
import * as v from 'valibot';
import { count, ignored } from './common.ts';

/** AWS::ApiGatewayV2::Api: HTTP only. */
export const Api = v.strictObject({
  Name: v.string(),
  ProtocolType: v.literal('HTTP'),
  Description: ignored,
  DisableExecuteApiEndpoint: ignored,
  IpAddressType: ignored,
  Tags: ignored,
});

/** AWS::ApiGatewayV2::Stage; only `$default`, which needs no path prefix. */
export const ApiStage = v.strictObject({
  ApiId: v.string(),
  StageName: v.literal('$default'),
  AutoDeploy: v.literal(true),
  AccessLogSettings: v.optional(v.strictObject({ DestinationArn: v.string(), Format: v.string() })),
  DefaultRouteSettings: ignored,
  RouteSettings: ignored,
  Description: ignored,
  Tags: ignored,
});

/** AWS::ApiGatewayV2::Integration of a function, payload format 2.0. */
export const ApiIntegration = v.strictObject({
  ApiId: v.string(),
  IntegrationType: v.literal('AWS_PROXY'),
  IntegrationUri: v.string(),
  PayloadFormatVersion: v.literal('2.0'),
  IntegrationMethod: ignored,
  TimeoutInMillis: v.optional(count, 30_000),
  Description: ignored,
});

/** AWS::ApiGatewayV2::Route without an authorizer, because the functions authenticate their callers. */
export const ApiRoute = v.strictObject({
  ApiId: v.string(),
  RouteKey: v.string(),
  Target: v.string(),
  AuthorizationType: v.optional(v.literal('NONE')),
  OperationName: ignored,
});

const Target = v.strictObject({
  Arn: v.string(),
  Id: v.string(),
  RoleArn: v.optional(v.string()),
  Input: v.optional(v.string()),
  InputTransformer: v.optional(
    v.strictObject({ InputPathsMap: v.record(v.string(), v.string()), InputTemplate: v.string() }),
  ),
  SqsParameters: v.optional(v.strictObject({ MessageGroupId: v.string() })),
  DeadLetterConfig: v.optional(v.strictObject({ Arn: v.string() })),
  RetryPolicy: ignored,
});

/** AWS::Events::Rule on the default bus. */
export const EventsRule = v.strictObject({
  Name: v.optional(v.string()),
  Description: ignored,
  EventBusName: v.optional(v.literal('default')),
  EventPattern: v.optional(v.record(v.string(), v.unknown())),
  ScheduleExpression: v.optional(v.string()),
  State: v.optional(v.picklist(['ENABLED', 'DISABLED']), 'ENABLED'),
  Targets: v.optional(v.array(Target), []),
  Tags: ignored,
});

/** AWS::Scheduler::Schedule of a function or workflow. */
export const Schedule = v.strictObject({
  Name: v.optional(v.string()),
  Description: ignored,
  GroupName: v.optional(v.string(), 'default'),
  FlexibleTimeWindow: ignored,
  ScheduleExpression: v.string(),
  ScheduleExpressionTimezone: v.optional(v.string(), 'UTC'),
  State: v.optional(v.picklist(['ENABLED', 'DISABLED']), 'ENABLED'),
  Target: v.strictObject({
    Arn: v.string(),
    RoleArn: v.string(),
    Input: v.optional(v.string()),
    RetryPolicy: ignored,
    DeadLetterConfig: v.optional(v.strictObject({ Arn: v.string() })),
    SqsParameters: v.optional(v.strictObject({ MessageGroupId: v.string() })),
  }),
  StartDate: ignored,
  EndDate: ignored,
});

/** AWS::Scheduler::ScheduleGroup. */
export const ScheduleGroup = v.strictObject({ Name: v.optional(v.string()), Tags: ignored });
