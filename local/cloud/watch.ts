/** Watch: brings the metrics of the embedded services to CloudWatch, under the names that AWS gives them. */
import * as v from 'valibot';
import type { Deployment, DeployedOf } from '../assembly/deployment.ts';
import type { AlarmDefinition, MetricQuery } from '../services/cloudwatch/alarms.ts';
import { createCloudWatch, type CloudWatch } from '../services/cloudwatch/cloudwatch.ts';
import type { MetricName } from '../services/cloudwatch/metrics.ts';
import type { Loss } from '../services/events/targets.ts';
import type { Invocation } from '../services/lambda/runner.ts';
import { compileLinePattern } from '../services/logs/line-pattern.ts';
import type { Topics } from '../services/sns/topics.ts';
import type { PartsInput } from './options.ts';
import { createSampler, type Sampled } from './sampler.ts';

/** CloudWatch looks at its alarms each minute. */
const MINUTE_MS = 60_000;

/** The parts that the watch needs before the services start. */
export interface WatchOptions extends Pick<PartsInput, 'deployment' | 'logs' | 'now'> {
  readonly topics: Topics;
}

/** Starts the watch. Throws for an alarm or a metric filter that it cannot evaluate. */
export const openWatch = ({ deployment, logs, topics, now }: WatchOptions) => {
  const sampler = createSampler(deployment);
  const late: { services?: Sampled; minutes?: NodeJS.Timeout } = {};
  const cloudwatch = createCloudWatch({
    alarms: deployment.alarms.flatMap(definitionOf),
    now,
    sample: (put, time) => {
      if (late.services) sampler(late.services, put, time);
    },
    publish: (topic, message) => topics.publish(topic, message),
  });
  const filters = filtersOf(deployment);
  logs.observe((functionName, text) => {
    const own = filters.get(functionName) ?? [];
    if (own.length > 0) for (const line of text.split('\n')) for (const count of own) count(line, cloudwatch);
  });
  const apiId = deployment.apis[0]?.ref ?? '';
  return {
    cloudwatch,
    invoked: ({ functionName, outcome }: Invocation) => {
      if (!outcome.ok) cloudwatch.put(lambda('Errors', { FunctionName: functionName }), 1);
    },
    /** Lambda refused an invocation. */
    throttled: () => cloudwatch.put(lambda('Throttles', {}), 1),
    /** The HTTP API answered with a status. */
    answered: (status: number) => {
      if (status >= 500)
        cloudwatch.put({ namespace: 'AWS/ApiGateway', name: '5xx', dimensions: { ApiId: apiId } }, 1);
    },
    lost: (loss: Loss) => {
      for (const metric of lossMetrics(deployment, loss)) cloudwatch.put(metric, 1);
    },
    /** Looks at the services and the alarms from now on, each minute. */
    start: (services: Sampled) => {
      late.services = services;
      cloudwatch.tick();
      late.minutes = setInterval(() => cloudwatch.tick(), MINUTE_MS).unref();
    },
    stop: () => clearInterval(late.minutes),
  };
};

/** What happens in the cloud, for CloudWatch. */
export type Watch = ReturnType<typeof openWatch>;

const lambda = (name: string, dimensions: MetricName['dimensions']): MetricName => ({
  namespace: 'AWS/Lambda',
  name,
  dimensions,
});

/**
 * The metrics of a lost event. EventBridge does not count an event that the dead letters have as failed; its Scheduler counts
 * each call that it gave up (EventBridge User Guide, "Monitoring Amazon EventBridge"; Scheduler User Guide, "Monitoring").
 */
const lossMetrics = (
  { rules }: Deployment,
  { sender, hasDeadLetters, isKept }: Loss,
): readonly MetricName[] => {
  const isLost = hasDeadLetters && !isKept;
  const rule = rules.find(({ attributes }) => attributes['Arn'] === sender.sourceArn);
  if (rule) {
    const events = { namespace: 'AWS/Events', dimensions: { RuleName: rule.name } };
    return [
      ...(isKept ? [] : [{ ...events, name: 'FailedInvocations' }]),
      ...(isLost ? [{ ...events, name: 'InvocationsFailedToBeSentToDlq' }] : []),
    ];
  }
  const [, group] = /:schedule\/([^/]+)\//.exec(sender.sourceArn) ?? [];
  if (group === undefined) return [];
  const scheduler = { namespace: 'AWS/Scheduler', dimensions: { ScheduleGroup: group } };
  return [
    { ...scheduler, name: 'InvocationDroppedCount' },
    ...(isLost ? [{ ...scheduler, name: 'InvocationsFailedToBeSentToDeadLetterCount' }] : []),
  ];
};

const fields = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

type Count = (line: string, cloudwatch: CloudWatch) => void;

/** What the metric filters make of a line, by the name of the function that wrote it. */
const filtersOf = ({ metricFilters }: Deployment): ReadonlyMap<string, readonly Count[]> => {
  const filters = new Map<string, Count[]>();
  for (const { properties } of metricFilters) {
    const { LogGroupName, FilterPattern, MetricTransformations } = properties;
    const matches = compileLinePattern(FilterPattern);
    if (!matches) throw new Error(`the filter pattern ${FilterPattern} is not known`);
    const counts = MetricTransformations.map((one): Count => {
      const metric = { namespace: one.MetricNamespace, name: one.MetricName, dimensions: {} };
      return (line, cloudwatch) => {
        const value = matches(line) ? valueOf(one.MetricValue, line) : undefined;
        if (value !== undefined) cloudwatch.put(metric, value);
      };
    });
    const name = LogGroupName.split('/').at(-1) ?? '';
    filters.set(name, [...(filters.get(name) ?? []), ...counts]);
  }
  return filters;
};

/** A number, or the number in a field of the line: `$.seconds`. */
const valueOf = (wanted: string, line: string): number | undefined => {
  if (!wanted.startsWith('$.')) return Number(wanted);
  const value = v.parse(fields, line)[wanted.slice(2)];
  return typeof value === 'number' ? value : undefined;
};

type Query = DeployedOf<'alarms'>['properties']['Metrics'][number];

const queryOf = ({ Id, Expression, MetricStat, ReturnData }: Query): MetricQuery => ({
  id: Id,
  returned: ReturnData,
  ...(Expression === undefined ? {} : { expression: Expression }),
  ...(MetricStat === undefined
    ? {}
    : {
        metric: {
          namespace: MetricStat.Metric.Namespace,
          name: MetricStat.Metric.MetricName,
          dimensions: Object.fromEntries(
            MetricStat.Metric.Dimensions.map(({ Name, Value }) => [Name, Value] as const),
          ),
          statistic: MetricStat.Stat,
          periodSeconds: MetricStat.Period,
        },
      }),
});

/** The alarm of the template; none for an alarm on a single metric without metric math. */
const definitionOf = ({ name, properties }: DeployedOf<'alarms'>): readonly AlarmDefinition[] => {
  if (properties.Metrics.length === 0) return [];
  if (properties.ComparisonOperator !== 'GreaterThanThreshold')
    throw new Error(`${name}: its comparison is not known`);
  return [
    {
      name,
      description: properties.AlarmDescription ?? '',
      queries: properties.Metrics.map(queryOf),
      comparison: properties.ComparisonOperator,
      threshold: properties.Threshold,
      evaluationPeriods: properties.EvaluationPeriods,
      datapointsToAlarm: properties.DatapointsToAlarm ?? properties.EvaluationPeriods,
      missing: properties.TreatMissingData,
      actions: { ALARM: properties.AlarmActions, OK: properties.OKActions, INSUFFICIENT_DATA: [] },
    },
  ];
};
