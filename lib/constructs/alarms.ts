/** Alarms: watch sums of CloudWatch metrics and name their section of the runbook. */
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { FunctionEntry } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import type { Stage } from '../config/stages.ts';
import { physicalName } from './service.ts';

/** One CloudWatch metric. */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** The metrics of an alarm, and the information for the engineer on call. */
export interface AlarmProps {
  readonly stage: Stage;
  readonly name: string;
  /** The effect on users, as a sentence without full stop. */
  readonly impact: string;
  /** Section of docs/runbook.md. */
  readonly section: string;
  /**
   * The alarm fires when the sum over the period exceeds `threshold`, or when a single value exceeds it if `highest` is
   * set.
   */
  readonly metrics: readonly Metric[];
  readonly highest?: boolean;
  readonly threshold?: number;
  readonly topicArn: string;
}

/**
 * The section of docs/runbook.md for the alarm of a function. All reads share one section, and all writes share one.
 */
export const runbookSection = (name: string, { trigger }: FunctionEntry): string => {
  if (trigger.kind !== 'http') return name.toLowerCase();
  return ['GET', '$default'].includes(trigger.method) ? 'a-read-fails' : 'a-write-fails';
};

const ids = 'abcdefgh';

const statistic = (metric: Metric, id: string, highest: boolean): CfnAlarm.MetricDataQueryProperty => ({
  id,
  returnData: false,
  metricStat: {
    metric: {
      namespace: metric.namespace,
      metricName: metric.name,
      dimensions: Object.entries(metric.dimensions).map(([name, value]) => ({ name, value })),
    },
    period: limits.alarms.periodSeconds,
    stat: highest ? 'Maximum' : 'Sum',
  },
});

/** An alarm on the sum of metrics. Missing data does not fire it. */
export const alarm = (scope: Construct, props: AlarmProps): CfnAlarm => {
  const parts = props.metrics.map((metric, index) =>
    statistic(metric, ids.charAt(index), props.highest === true),
  );
  // An idle function has no data. FILL keeps its metric from making the whole sum empty.
  const expression = parts.map(({ id }) => `FILL(${id}, 0)`).join(' + ');
  return new CfnAlarm(scope, `Alarm-${props.name}`, {
    alarmName: physicalName(props.stage, props.name),
    alarmDescription: `${props.impact}. What to do: docs/runbook.md#${props.section}`,
    metrics: [...parts, { id: 'total', expression, label: props.name, returnData: true }],
    comparisonOperator: 'GreaterThanThreshold',
    threshold: props.threshold ?? 0,
    evaluationPeriods: 1,
    treatMissingData: 'notBreaching',
    alarmActions: [props.topicArn],
    okActions: [props.topicArn],
  });
};
