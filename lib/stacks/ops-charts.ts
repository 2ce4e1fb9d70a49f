/** Charts of the dashboard: clients, jobs, and the resources under them. */
import type { Chart } from '../constructs/dashboard.ts';
import {
  apiMetric,
  functionMetric,
  queueMetric,
  tableMetric,
  workflowMetric,
} from '../constructs/metrics.ts';
import { entriesOf, physicalName, type Service } from '../constructs/service.ts';
import { workQueueName } from '../constructs/queue-names.ts';
import type { ApiStack } from './api-stack.ts';
import type { DataStack } from './data-stack.ts';
import type { ExportStack } from './export-stack.ts';
import type { ImportStack } from './import-stack.ts';

/** The stacks with alarms and charts. */
export interface Watched {
  readonly data: DataStack;
  readonly api: ApiStack;
  readonly imports: ImportStack;
  readonly exports: ExportStack;
}

/**
 * The errors of functions that no client calls itself. The chart of requests has those of routes; a dashboard of more
 * than 50 metrics is outside CloudWatch's free tier.
 */
const functionChart = ({ stage, manifest }: Service): Chart => ({
  title: 'Errors of functions',
  stat: 'Sum',
  metrics: Object.entries(manifest)
    .filter(([, { alarm }]) => alarm !== undefined)
    .map(([name]) => functionMetric(physicalName(stage, name), 'Errors'))
    .toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)),
});

const queueChart = ({ stage, manifest }: Service): Chart => ({
  title: 'Age of the oldest message (seconds)',
  stat: 'Maximum',
  metrics: entriesOf(manifest, 'queue').map(({ trigger }) =>
    queueMetric(workQueueName(stage, trigger.queue), 'ApproximateAgeOfOldestMessage'),
  ),
});

/** The charts in the order in which an operator reads them: clients, then jobs, then resources. */
export const chartsOf = (service: Service, { api, data, imports, exports }: Watched): readonly Chart[] => [
  {
    title: 'Requests',
    stat: 'Sum',
    metrics: [apiMetric(api.apiId, 'Count'), apiMetric(api.apiId, '4xx'), apiMetric(api.apiId, '5xx')],
  },
  { title: 'Latency of requests (p99, ms)', stat: 'p99', metrics: [apiMetric(api.apiId, 'Latency')] },
  {
    title: 'Imports and exports',
    stat: 'Sum',
    metrics: [imports.workflow, exports.workflow].flatMap(({ arn }) => [
      workflowMetric(arn, 'ExecutionsStarted'),
      workflowMetric(arn, 'ExecutionsSucceeded'),
      workflowMetric(arn, 'ExecutionsFailed'),
    ]),
  },
  queueChart(service),
  {
    title: 'Table: request units',
    stat: 'Sum',
    metrics: [
      tableMetric(data.table.value, 'ConsumedReadCapacityUnits'),
      tableMetric(data.table.value, 'ConsumedWriteCapacityUnits'),
    ],
  },
  functionChart(service),
];
