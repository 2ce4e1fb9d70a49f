import { CfnMetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { LinesWhere } from '../../functions/entry.ts';
import type { Stage } from '../config/stages.ts';
import type { Metric } from './alarms.ts';
import { physicalName } from './service.ts';

interface LogMetricProps {
  readonly stage: Stage;
  /** Name of the metric. */
  readonly name: string;
  /** The field of a log line that tells which lines count, and its value. */
  readonly where: { readonly field: 'code' | 'level'; readonly value: string };
  /** The numeric field that is measured. Without it, the metric counts the lines. */
  readonly measured?: string;
  /** The functions whose log lines count together. */
  readonly functions: readonly string[];
}

/**
 * The filter pattern of CloudWatch Logs for the lines with a value in a field of their JSON. A field name has letters,
 * digits, `-` and `_` (https://docs.aws.amazon.com/AmazonCloudWatch/latest/logs/FilterAndPatternSyntax.html).
 */
export const linePattern = ({ field, value }: LinesWhere): string => `{ $.${field} = "${value}" }`;

/** Counts log lines with a code or a level, or measures a field of them, in a metric of the stage. */
export const logMetric = (
  scope: Construct,
  { stage, name, where, measured, functions }: LogMetricProps,
): Metric => {
  const namespace = physicalName(stage, 'logs');
  const metricValue = measured === undefined ? '1' : `$.${measured}`;
  for (const one of functions) {
    new CfnMetricFilter(scope, `${name}-${one}`, {
      logGroupName: `/aws/lambda/${physicalName(stage, one)}`,
      filterPattern: linePattern(where),
      metricTransformations: [{ metricNamespace: namespace, metricName: name, metricValue }],
    });
  }
  return { namespace, name, dimensions: {} };
};
