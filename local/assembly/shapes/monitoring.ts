import * as v from 'valibot';
import { ResourcePolicy } from '../../core/policy-documents.ts';
import { ignored } from './common.ts';

const Dimensions = v.array(v.strictObject({ Name: v.string(), Value: v.string() }));

const MetricQuery = v.looseObject({
  Id: v.string(),
  Expression: v.optional(v.string()),
  MetricStat: v.optional(
    v.looseObject({
      Metric: v.looseObject({
        Namespace: v.string(),
        Dimensions: v.optional(Dimensions, []),
        MetricName: v.string(),
      }),
      Period: v.number(),
      Stat: v.picklist(['Sum', 'Maximum']),
    }),
  ),
  ReturnData: v.optional(v.boolean(), true),
});

/** AWS::CloudWatch::Alarm. Alarms on `Metrics` ring locally; the checks verify the metrics that alarms name. */
export const Alarm = v.looseObject({
  AlarmName: v.optional(v.string()),
  AlarmDescription: v.optional(v.string()),
  AlarmActions: v.optional(v.array(v.string()), []),
  OKActions: v.optional(v.array(v.string()), []),
  Threshold: v.optional(v.number(), 0),
  ComparisonOperator: v.optional(v.string()),
  EvaluationPeriods: v.optional(v.number(), 1),
  DatapointsToAlarm: v.optional(v.number()),
  TreatMissingData: v.optional(v.picklist(['notBreaching', 'breaching', 'ignore', 'missing']), 'missing'),
  Dimensions: v.optional(Dimensions, []),
  MetricName: v.optional(v.string()),
  Namespace: v.optional(v.string()),
  Metrics: v.optional(v.array(MetricQuery), []),
});

/** AWS::Logs::MetricFilter. */
export const MetricFilter = v.strictObject({
  LogGroupName: v.string(),
  FilterPattern: v.string(),
  MetricTransformations: v.array(
    v.strictObject({ MetricNamespace: v.string(), MetricName: v.string(), MetricValue: v.string() }),
  ),
});

/** AWS::Logs::SubscriptionFilter with a function as its destination. */
export const SubscriptionFilter = v.strictObject({
  FilterName: v.optional(v.string()),
  LogGroupName: v.string(),
  FilterPattern: v.string(),
  DestinationArn: v.string(),
});

/** AWS::CloudWatch::Dashboard. */
export const Dashboard = v.strictObject({
  DashboardName: v.optional(v.string()),
  DashboardBody: v.string(),
  Tags: ignored,
});

/** AWS::SNS::Topic. */
export const Topic = v.strictObject({
  TopicName: v.optional(v.string()),
  DisplayName: ignored,
  KmsMasterKeyId: v.optional(v.string()),
  Tags: ignored,
});

/** AWS::SNS::TopicPolicy. */
export const TopicPolicy = v.strictObject({ Topics: v.array(v.string()), PolicyDocument: ResourcePolicy });

/** AWS::SNS::Subscription. */
export const Subscription = v.strictObject({
  TopicArn: v.string(),
  Protocol: v.string(),
  Endpoint: v.string(),
});

/** AWS::CDK::Metadata. */
export const Metadata = v.looseObject({});
