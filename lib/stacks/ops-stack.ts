/** Operations stack: alarms for effects on users, and the dashboard. */
import { Stack, type App } from 'aws-cdk-lib/core';
import type { ResourceName } from '../../functions/entry.ts';
import { limits } from '../../shared/config/limits.ts';
import { alarm, runbookSection, type AlarmProps } from '../constructs/alarms.ts';
import { alarmTopic } from '../constructs/alarm-topic.ts';
import { dashboard } from '../constructs/dashboard.ts';
import { logMetric } from '../constructs/log-metric.ts';
import {
  apiMetric,
  functionMetric,
  queueMetric,
  tableMetric,
  workflowMetric,
} from '../constructs/metrics.ts';
import { entriesOf, physicalName, type Service } from '../constructs/service.ts';
import { workQueueName } from '../constructs/work-queue.ts';
import { chartsOf, type Watched } from './ops-charts.ts';

type Watch = (props: Omit<AlarmProps, 'stage' | 'topicArn'>) => void;

/** Alarms, each with the effect on users and its section of the runbook, and one page of charts. */
export class OpsStack extends Stack {
  constructor(app: App, service: Service, watched: Watched) {
    super(app, physicalName(service.stage, 'ops'), { description: 'Tidemark: alarms and dashboard' });
    const { stage } = service;
    const { topicArn } = alarmTopic(this, stage, watched.data.key);
    const watch: Watch = (props) => void alarm(this, { ...props, stage, topicArn });
    this.#functions(service, watch);
    this.#deadLetters(service, watch);
    this.#workflows(watched, watch);
    this.#edges(watched, watch);
    this.#logins(service, watch);
    this.#guards(service, watch);
    dashboard(this, physicalName(stage, 'service'), chartsOf(service, watched));
  }

  #functions({ stage, manifest }: Service, watch: Watch): void {
    for (const [name, entry] of Object.entries(manifest).toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      const functionName = physicalName(stage, name);
      const metrics = [functionMetric(functionName, 'Errors'), functionMetric(functionName, 'Throttles')];
      watch({ name, impact: entry.impact, section: runbookSection(name, entry), metrics });
    }
  }

  #deadLetters({ stage, manifest }: Service, watch: Watch): void {
    const queues = [
      ...entriesOf(manifest, 'queue').map(({ entry, trigger }) => ({
        impact: entry.impact,
        queue: workQueueName(stage, trigger.queue, '-dead-letters'),
        name: `${trigger.queue}-dead-letters`,
      })),
      ...entriesOf(manifest, 'schedule').map(({ name, entry }) => ({
        impact: entry.impact,
        queue: physicalName(stage, `${name}-dead-letters`),
        name: `${name}-dead-letters`,
      })),
    ];
    for (const { queue, name, impact } of queues) {
      const metrics = [queueMetric(queue, 'ApproximateNumberOfMessagesVisible')];
      watch({ name, impact, section: 'dead-letters', metrics, highest: true });
    }
  }

  #workflows({ imports, exports }: Watched, watch: Watch): void {
    const workflows = [
      {
        name: 'importFile',
        arn: imports.workflow.arn,
        impact: 'A file import ended before its rows were done',
      },
      { name: 'runExport', arn: exports.workflow.arn, impact: 'An export failed' },
      {
        name: 'deliverExport',
        arn: exports.deliveries.arn,
        impact: 'An export was neither delivered nor given up in time',
      },
    ];
    for (const { name, arn, impact } of workflows) {
      const failures = ['ExecutionsFailed', 'ExecutionsTimedOut', 'ExecutionsAborted'] as const;
      const metrics = failures.map((failure) => workflowMetric(arn, failure));
      watch({ name, impact, section: 'workflows', metrics });
    }
  }

  #edges({ api, data }: Watched, watch: Watch): void {
    watch({
      name: 'api-errors',
      impact: 'Clients get answers of 500 and above',
      section: 'api',
      metrics: [apiMetric(api.apiId, '5xx')],
      threshold: limits.alarms.apiErrors,
    });
    const tables = {
      'table-throttles': [data.table, 'Requests and imports are slow: the table refuses work'],
      'audit-log-throttles': [
        data.auditLog,
        'Reads of people fail and entries are lost: the table of the audit log refuses work',
      ],
      'rates-throttles': [
        data.rates,
        'Requests are slow and pass uncounted: the table of rates refuses work',
      ],
      'credentials-throttles': [
        data.credentials,
        'Requests and sign-ins are slow: the table of credentials refuses work',
      ],
    } as const;
    for (const [name, [{ value: table }, impact]] of Object.entries(tables)) {
      watch({
        name,
        impact,
        section: 'table',
        metrics: [tableMetric(table, 'WriteThrottleEvents'), tableMetric(table, 'ReadThrottleEvents')],
        threshold: limits.alarms.tableThrottles,
      });
    }
  }

  #guards({ stage, manifest }: Service, watch: Watch): void {
    const holding = (resource: ResourceName): readonly string[] =>
      Object.entries(manifest).flatMap(([name, { access }]) =>
        access.some(({ to }) => to === resource) ? [name] : [],
      );
    watch({
      name: 'audit-lost',
      impact: 'The audit log lacks entries of changes and logins',
      section: 'audit-lost',
      metrics: [
        logMetric(this, { stage, name: 'AuditLost', code: 'audit.lost', functions: holding('auditLog') }),
      ],
    });
    watch({
      name: 'rates-unavailable',
      impact: 'Requests pass uncounted, so one account may slow down all others',
      section: 'rates-unavailable',
      metrics: [
        logMetric(this, {
          stage,
          name: 'RatesUnavailable',
          code: 'rates.unavailable',
          functions: holding('rates'),
        }),
      ],
      threshold: limits.alarms.uncountedRequests,
    });
  }

  #logins({ stage }: Service, watch: Watch): void {
    const functions = ['issueToken', 'authorizeSftp'];
    watch({
      name: 'refused-logins',
      impact: 'Somebody may be guessing passwords',
      section: 'refused-logins',
      metrics: [logMetric(this, { stage, name: 'RefusedLogins', code: 'login.refused', functions })],
      threshold: limits.alarms.refusedLogins,
    });
  }
}
