/** The alarms of the service, as values: what each watches, how urgent it is, and what it means to users. */
import type { Construct } from 'constructs';
import type { ResourceName } from '../../functions/entry.ts';
import { grantsOf } from '../../functions/grants.ts';
import { limits } from '../../shared/config/limits.ts';
import { keyRuleName } from '../constructs/key-events.ts';
import { logMetric } from '../constructs/log-metric.ts';
import {
  accountThrottles,
  functionMetric,
  mailMetric,
  ruleMetric,
  scheduleMetric,
  tableMetric,
  workflowMetric,
} from '../constructs/metrics.ts';
import { physicalName, type Service } from '../constructs/service.ts';
import { SCHEDULE_DEAD_LETTERS } from '../constructs/queue-names.ts';
import type { Watched } from './ops-charts.ts';
import { deadLetterAlarm, waitingAlarms, type Alarm } from './waiting-alarms.ts';

const bounds = limits.alarms;

/**
 * An alarm for each function that no client calls itself. Every such function is called again after a failure, so a few
 * errors need nobody.
 */
const functionAlarms = ({ stage, manifest }: Service): readonly Alarm[] =>
  Object.entries(manifest)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, entry]) =>
      entry.alarm === undefined
        ? []
        : [
            {
              ...entry.alarm,
              name,
              section: name.toLowerCase(),
              metrics: [functionMetric(physicalName(stage, name), 'Errors')],
              threshold: bounds.functionErrors,
              periodSeconds: bounds.errorSeconds,
            },
          ],
    );

/** What EventBridge and its Scheduler could not deliver. Only these metrics tell of it. */
const eventAlarms = ({ stage }: Service, { data, imports, exports }: Watched): readonly Alarm[] => {
  const groups = [data.schedules.groupName, exports.schedules];
  return [
    {
      name: 'events-lost',
      severity: 'page',
      impact: 'Files that arrived start no import, or nobody is told of a disabled key',
      section: 'events-lost',
      metrics: [
        ...imports.rules.flatMap((rule) => [
          ruleMetric(rule, 'FailedInvocations'),
          ruleMetric(rule, 'InvocationsFailedToBeSentToDlq'),
        ]),
        // A page that waits among dead letters would help nobody.
        ruleMetric(keyRuleName(stage), 'FailedInvocations'),
      ],
    },
    {
      name: 'schedules-lost',
      severity: 'ticket',
      impact: 'Scheduled exports or the upkeep of the service do not run',
      section: 'schedules-lost',
      metrics: groups.flatMap((group) => [
        scheduleMetric(group, 'InvocationDroppedCount'),
        scheduleMetric(group, 'InvocationsFailedToBeSentToDeadLetterCount'),
      ]),
    },
    deadLetterAlarm(
      physicalName(stage, SCHEDULE_DEAD_LETTERS),
      SCHEDULE_DEAD_LETTERS,
      'The upkeep of the service was not called',
    ),
  ];
};

const workflowAlarms = ({ imports, exports }: Watched): readonly Alarm[] =>
  [
    {
      name: 'importFile',
      arn: imports.workflow.arn,
      impact: 'A file import ended before its rows were done',
    },
    { name: 'undoJob', arn: imports.undos.arn, impact: 'An undone import kept values' },
    { name: 'runExport', arn: exports.workflow.arn, impact: 'An export failed' },
    {
      name: 'deliverExport',
      arn: exports.deliveries.arn,
      impact: 'An export was neither delivered nor given up in time',
    },
  ].map(({ name, arn, impact }) => {
    const failures = ['ExecutionsFailed', 'ExecutionsTimedOut', 'ExecutionsAborted'] as const;
    const metrics = failures.map((failure) => workflowMetric(arn, failure));
    return { name, severity: 'ticket', impact, section: 'workflows', metrics };
  });

const tableAlarm = (table: string): Omit<Alarm, 'name' | 'severity' | 'impact'> => ({
  section: 'table',
  metrics: [tableMetric(table, 'WriteThrottleEvents'), tableMetric(table, 'ReadThrottleEvents')],
  threshold: bounds.tableThrottles,
});

const edgeAlarms = ({ data }: Watched): readonly Alarm[] => [
  {
    name: 'account-throttles',
    severity: 'ticket',
    impact: 'Requests get 503 and work waits: Lambda has no free executions in this account',
    section: 'account-throttles',
    metrics: [accountThrottles],
    threshold: bounds.throttledCalls,
  },
  {
    ...tableAlarm(data.table.value),
    name: 'table-throttles',
    severity: 'ticket',
    impact: 'Requests and imports are slow: the table refuses work',
    periods: bounds.tableThrottlePeriods,
  },
  {
    ...tableAlarm(data.auditLog.value),
    name: 'audit-log-throttles',
    severity: 'page',
    impact: 'Reads of people fail and entries are lost: the table of the audit log refuses work',
  },
  {
    ...tableAlarm(data.rates.value),
    name: 'rates-throttles',
    severity: 'ticket',
    impact: 'Requests are slow and pass uncounted: the table of rates refuses work',
  },
  {
    ...tableAlarm(data.credentials.value),
    name: 'credentials-throttles',
    severity: 'page',
    impact: 'Requests and sign-ins are slow: the table of credentials refuses work',
  },
];

/** Alarms on lines of the logs. Their metric filters are resources of `scope`. */
const logAlarms = (scope: Construct, { stage, manifest }: Service): readonly Alarm[] => {
  const holding = (resource: ResourceName): readonly string[] =>
    Object.entries(manifest).flatMap(([name, entry]) =>
      grantsOf(entry).some(({ to }) => to === resource) ? [name] : [],
    );
  const lines = (name: string, code: string, functions: readonly string[]) => [
    logMetric(scope, { stage, name, where: { field: 'code', value: code }, functions }),
  ];
  return [
    {
      name: 'logged-errors',
      severity: 'ticket',
      impact: 'Some requests or messages fail by errors of the service',
      section: 'logged-errors',
      metrics: [
        logMetric(scope, {
          stage,
          name: 'LoggedErrors',
          where: { field: 'level', value: 'error' },
          functions: Object.keys(manifest),
        }),
      ],
      threshold: bounds.loggedErrors,
      periodSeconds: bounds.errorSeconds,
    },
    {
      name: 'audit-lost',
      severity: 'page',
      impact: 'The audit log lacks entries of changes and logins',
      section: 'audit-lost',
      metrics: lines('AuditLost', 'audit.lost', holding('auditLog')),
    },
    {
      name: 'rates-unavailable',
      severity: 'ticket',
      impact: 'Requests pass uncounted, so one account may slow down all others',
      section: 'rates-unavailable',
      metrics: lines('RatesUnavailable', 'rates.unavailable', holding('rates')),
      threshold: bounds.uncountedRequests,
    },
    {
      name: 'refused-logins',
      severity: 'ticket',
      impact: 'Somebody may be guessing passwords',
      section: 'refused-logins',
      metrics: lines('RefusedLogins', 'login.refused', ['issueToken', 'authorizeSftp']),
      threshold: bounds.refusedLogins,
    },
  ];
};

/** SES publishes these rates for the whole account, and stops an account whose rates stay high. */
const mailAlarms = ({ stage }: Service): readonly Alarm[] => {
  if (stage.senderEmail === undefined) return [];
  const common = {
    severity: 'ticket',
    section: 'mail-reputation',
    highest: true,
    periodSeconds: 3_600,
  } as const;
  return [
    {
      ...common,
      name: 'mail-bounces',
      impact: 'AWS may stop the mails of this account: too many addresses do not exist',
      metrics: [mailMetric('Reputation.BounceRate')],
      threshold: bounds.mailBounces,
    },
    {
      ...common,
      name: 'mail-complaints',
      impact: 'AWS may stop the mails of this account: too many receivers call them spam',
      metrics: [mailMetric('Reputation.ComplaintRate')],
      threshold: bounds.mailComplaints,
    },
  ];
};

/** All alarms of a stage. Metric filters for alarms on log lines become resources of `scope`. */
export const alarmsOf = (scope: Construct, service: Service, watched: Watched): readonly Alarm[] => [
  ...functionAlarms(service),
  ...waitingAlarms(scope, service),
  ...eventAlarms(service, watched),
  ...workflowAlarms(watched),
  ...edgeAlarms(watched),
  ...logAlarms(scope, service),
  ...mailAlarms(service),
];
