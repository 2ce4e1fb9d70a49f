/** What the tests of alarms look up in the template of `dev` and in the runbook. */
import { readFileSync } from 'node:fs';
import { functions, named, synthesized } from './stacks.ts';

export const { deployment } = synthesized('dev');
export const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');

/** The text of each runbook section by its anchor. */
export const sections = new Map(
  runbook
    .split(/^#+ /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...text] = section.split('\n');
      return [heading.toLowerCase().replaceAll(' ', '-'), text.join('\n')];
    }),
);

export const alarmNamed = (name: string) => named(deployment.alarms, `tidemark-dev-${name}`).properties;

export const watchedBy = (name: string): readonly unknown[] =>
  alarmNamed(name).Metrics.flatMap(({ MetricStat }) => {
    if (MetricStat === undefined) return [];
    const [{ Value } = { Value: 'the account' }] = MetricStat.Metric.Dimensions;
    return [`${MetricStat.Metric.MetricName} ${Value}`];
  });

/** The log groups whose lines an alarm counts, and the pattern of these lines. */
export const countedBy = (name: string) => {
  const [query] = alarmNamed(name).Metrics;
  const filters = filtersOf(query?.MetricStat?.Metric.MetricName);
  return {
    groups: filters.map(({ LogGroupName }) => LogGroupName).toSorted(),
    patterns: [...new Set(filters.map(({ FilterPattern }) => FilterPattern))],
  };
};

/** The metric filters of a metric. */
export const filtersOf = (metric: string | undefined) =>
  deployment.metricFilters
    .filter(({ properties }) =>
      properties.MetricTransformations.some(({ MetricName }) => MetricName === metric),
    )
    .map(({ properties }) => properties);

export const watched = functions.flatMap(([name, { alarm, trigger }]) =>
  alarm === undefined ? [] : [{ name, alarm, trigger }],
);

export const consumers = watched.flatMap(({ name, alarm, trigger }) =>
  trigger.kind === 'queue' ? [{ name, alarm, trigger }] : [],
);
