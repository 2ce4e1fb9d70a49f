import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import type { FunctionEntry } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import type { Stage } from '../config/stages.ts';
import { physicalName } from './service.ts';

/** One number of CloudWatch. */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** What is watched, and what whoever is woken by it should know. */
export interface AlarmProps {
  readonly stage: Stage;
  readonly name: string;
  /** What users notice, as a sentence without full stop. */
  readonly impact: string;
  /** Section of docs/runbook.md. */
  readonly section: string;
  /** Alarms when their sum over the period is above `threshold`; when one value, if a highest is asked for. */
  readonly metrics: readonly Metric[];
  readonly highest?: boolean;
  readonly threshold?: number;
  readonly topicArn: string;
}

/** Section of docs/runbook.md for the alarm of a function. All reads share one section, and all writes share one. */
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

/** An alarm on the sum of some numbers, silent while there is no data. */
export const alarm = (scope: Construct, props: AlarmProps): CfnAlarm => {
  const parts = props.metrics.map((metric, index) =>
    statistic(metric, ids.charAt(index), props.highest === true),
  );
  // A metric of an idle function has no data; FILL keeps the sum of the others.
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
