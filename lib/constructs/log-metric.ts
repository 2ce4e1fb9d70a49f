import { CfnMetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Stage } from '../config/stages.ts';
import type { Metric } from './alarms.ts';
import { physicalName } from './service.ts';

interface LogMetricProps {
  readonly stage: Stage;
  /** Name of the metric. */
  readonly name: string;
  /** Code of the counted log lines. */
  readonly code: string;
  /** The functions whose log lines count together. */
  readonly functions: readonly string[];
}

/** Counts log lines with a code, in a metric of the stage. */
export const logMetric = (scope: Construct, { stage, name, code, functions }: LogMetricProps): Metric => {
  const namespace = physicalName(stage, 'logs');
  for (const one of functions) {
    new CfnMetricFilter(scope, `${name}-${one}`, {
      logGroupName: `/aws/lambda/${physicalName(stage, one)}`,
      filterPattern: `{ $.code = "${code}" }`,
      metricTransformations: [{ metricNamespace: namespace, metricName: name, metricValue: '1' }],
    });
  }
  return { namespace, name, dimensions: {} };
};
