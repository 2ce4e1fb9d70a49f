/** Alarms: watch CloudWatch metrics, say how urgent they are, and name their section of the runbook. */
import { CfnAlarm } from 'aws-cdk-lib/aws-cloudwatch';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import type { Severity } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import type { Stage } from '../config/stages.ts';
import { physicalName } from './service.ts';

/** One CloudWatch metric. */
export interface Metric {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

/** The topics for each severity. */
type AlarmTopics = Readonly<Record<Severity, Pick<Topic, 'topicArn'>>>;

/** The metrics of an alarm, and the information for the engineer on call. */
export interface AlarmProps {
  readonly stage: Stage;
  readonly name: string;
  readonly severity: Severity;
  /** The effect on users, as a sentence without full stop. */
  readonly impact: string;
  /** Section of docs/runbook.md. */
  readonly section: string;
  /** The alarm fires when the sum over the period exceeds `threshold`. */
  readonly metrics: readonly Metric[];
  /** Compares the largest single value of the period instead of the sum. */
  readonly highest?: boolean;
  /** Keeps the alarm silent while this metric counts anything: work that is done. */
  readonly unless?: Metric;
  readonly threshold?: number;
  readonly periodSeconds?: number;
  /** The number of periods in sequence that must exceed the threshold. */
  readonly periods?: number;
  readonly topics: AlarmTopics;
}

const ids = 'abcdefgh';

const query = (
  metric: Metric,
  id: string,
  stat: 'Maximum' | 'Sum',
  period: number,
): CfnAlarm.MetricDataQueryProperty => ({
  id,
  returnData: false,
  metricStat: {
    metric: {
      namespace: metric.namespace,
      metricName: metric.name,
      dimensions: Object.entries(metric.dimensions).map(([name, value]) => ({ name, value })),
    },
    period,
    stat,
  },
});

const words = { page: 'Page', ticket: 'Ticket' } as const;

/** An alarm on metrics of AWS or of log lines. Missing data does not fire it. */
export const alarm = (scope: Construct, props: AlarmProps): CfnAlarm => {
  const { stage, name, severity, impact, section, unless } = props;
  const period = props.periodSeconds ?? limits.alarms.periodSeconds;
  const stat = props.highest === true ? 'Maximum' : 'Sum';
  const parts = props.metrics.map((metric, index) => query(metric, ids.charAt(index), stat, period));
  // A metric without events has no data. FILL keeps it from making the whole sum empty.
  const sum = parts.map(({ id }) => `FILL(${id}, 0)`).join(' + ');
  const expression = unless === undefined ? sum : `IF(FILL(done, 0) > 0, 0, ${sum})`;
  const done = unless === undefined ? [] : [query(unless, 'done', 'Sum', period)];
  return new CfnAlarm(scope, `Alarm-${name}`, {
    alarmName: physicalName(stage, name),
    alarmDescription: `${words[severity]}: ${impact}. What to do: docs/runbook.md#${section}`,
    metrics: [...parts, ...done, { id: 'total', expression, label: name, returnData: true }],
    comparisonOperator: 'GreaterThanThreshold',
    threshold: props.threshold ?? 0,
    evaluationPeriods: props.periods ?? 1,
    treatMissingData: 'notBreaching',
    alarmActions: [props.topics[severity].topicArn],
    okActions: [props.topics[severity].topicArn],
  });
};
