import { Aws, Stack } from 'aws-cdk-lib/core';
import { CfnDashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { limits } from '../../shared/config/limits.ts';
import type { Metric } from './alarms.ts';

/** A chart of metrics over time. */
export interface Chart {
  readonly title: string;
  readonly stat: 'Sum' | 'Maximum' | 'p99';
  readonly metrics: readonly Metric[];
}

const columns = 2;
const size = { width: 12, height: 6 };

const widget = ({ title, stat, metrics }: Chart, index: number): Record<string, unknown> => ({
  type: 'metric',
  ...size,
  x: (index % columns) * size.width,
  y: Math.floor(index / columns) * size.height,
  properties: {
    title,
    stat,
    period: limits.alarms.periodSeconds,
    region: Aws.REGION,
    metrics: metrics.map(({ namespace, name, dimensions }) => [
      namespace,
      name,
      ...Object.entries(dimensions).flat(),
    ]),
  },
});

/** A page of charts, two per row. */
export const dashboard = (scope: Construct, name: string, charts: readonly Chart[]): CfnDashboard =>
  new CfnDashboard(scope, 'Dashboard', {
    dashboardName: name,
    dashboardBody: Stack.of(scope).toJsonString({ widgets: charts.map(widget) }),
  });
