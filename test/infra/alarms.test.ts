import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { runbookSection } from '../../lib/constructs/alarms.ts';
import { functions, only, synthesized } from './stacks.ts';

const { deployment } = synthesized('dev');
const runbook = readFileSync(new URL('../../docs/runbook.md', import.meta.url), 'utf8');

/** The text of each runbook section by its anchor. */
const sections = new Map(
  runbook
    .split(/^#+ /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...text] = section.split('\n');
      return [heading.toLowerCase().replaceAll(' ', '-'), text.join('\n')];
    }),
);

const alarmNamed = (name: string) =>
  only(
    deployment.alarms.filter((one) => one.name === `tidemark-dev-${name}`),
    name,
  ).properties;

const watchedBy = (name: string): readonly unknown[] =>
  alarmNamed(name).Metrics.flatMap(({ MetricStat }) =>
    (MetricStat?.Metric.Dimensions ?? []).map(
      ({ Value }) => `${MetricStat?.Metric.MetricName ?? ''} ${Value}`,
    ),
  );

describe('alarms', () => {
  it.each(functions)(
    '%s has alarms for errors and throttles, described by the effect on users',
    (name, entry) => {
      expect(watchedBy(name)).toEqual([`Errors tidemark-dev-${name}`, `Throttles tidemark-dev-${name}`]);
      const { AlarmDescription } = alarmNamed(name);
      const section = runbookSection(name, entry);
      expect(AlarmDescription).toBe(`${entry.impact}. What to do: docs/runbook.md#${section}`);
    },
  );

  it.each(functions.filter(([, { trigger }]) => trigger.kind !== 'http'))(
    '%s: has a section in the runbook, with the same words',
    (name, { impact }) => {
      const advice = `Add to docs/runbook.md: "### ${name}", a blank line, and "**${impact}.**" with the operator's next steps`;
      expect(sections.get(name.toLowerCase()) ?? '', advice).toContain(`**${impact}.**`);
    },
  );

  it('the two runbook sections about routes name existing functions, each in the section of its alarm', () => {
    for (const section of ['a-read-fails', 'a-write-fails']) {
      const own = functions.filter(([name, entry]) => runbookSection(name, entry) === section);
      const names = own.map(([name]) => name);
      const listed = [...(sections.get(section) ?? '').matchAll(/^- ([^:]+):/gm)].flatMap(([, list = '']) =>
        [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
      );
      expect(listed.length).toBeGreaterThan(5);
      expect(listed.filter((name) => !names.includes(name))).toEqual([]);
    }
  });

  it('an alarm fires for every dead-letter queue that holds a message', () => {
    const dead = deployment.queues.filter(({ name }) => name.includes('dead-letters'));
    expect(dead.length).toBeGreaterThan(3);
    for (const { name } of dead) {
      const alarm = name.replace('tidemark-dev-', '').replace('.fifo', '');
      expect(watchedBy(alarm)).toEqual([`ApproximateNumberOfMessagesVisible ${name}`]);
    }
  });

  it('an alarm fires when many logins are refused by the token route and over SFTP together', () => {
    const [query] = alarmNamed('refused-logins').Metrics;
    const counted = deployment.metricFilters.filter(({ properties }) =>
      properties.MetricTransformations.some(
        ({ MetricName }) => MetricName === query?.MetricStat?.Metric.MetricName,
      ),
    );
    expect(counted.map(({ properties }) => properties.LogGroupName).toSorted()).toEqual([
      '/aws/lambda/tidemark-dev-authorizeSftp',
      '/aws/lambda/tidemark-dev-issueToken',
    ]);
    for (const { properties } of counted)
      expect(properties.FilterPattern).toBe('{ $.code = "login.refused" }');
    expect(sections.get('refused-logins')).toContain('**Somebody may be guessing passwords.**');
  });

  it.each([
    ['audit-lost', 'audit.lost', 'auditLog'],
    ['rates-unavailable', 'rates.unavailable', 'rates'],
  ] as const)(
    'the alarm %s fires for the log line %s of every function that reaches the table',
    (name, code, resource) => {
      const [query] = alarmNamed(name).Metrics;
      const counted = deployment.metricFilters.filter(({ properties }) =>
        properties.MetricTransformations.some(
          ({ MetricName }) => MetricName === query?.MetricStat?.Metric.MetricName,
        ),
      );
      const writing = functions.filter(([, { access }]) => access.some(({ to }) => to === resource));
      expect(writing.length).toBeGreaterThan(3);
      expect(counted.map(({ properties }) => properties.LogGroupName).toSorted()).toEqual(
        writing.map(([one]) => `/aws/lambda/tidemark-dev-${one}`).toSorted(),
      );
      for (const { properties } of counted) expect(properties.FilterPattern).toBe(`{ $.code = "${code}" }`);
    },
  );

  it('an alarm fires when a table throttles or fails requests', () => {
    for (const { name } of deployment.tables) {
      const alarm = name === 'tidemark-dev' ? 'table' : name.replace('tidemark-dev-', '');
      expect(watchedBy(`${alarm}-throttles`)).toEqual([
        `WriteThrottleEvents ${name}`,
        `ReadThrottleEvents ${name}`,
      ]);
    }
  });

  it('an alarm fires for every workflow that fails, times out or is stopped', () => {
    for (const { name, ref } of deployment.machines) {
      expect(watchedBy(name.replace('tidemark-dev-', ''))).toEqual(
        ['ExecutionsFailed', 'ExecutionsTimedOut', 'ExecutionsAborted'].map((metric) => `${metric} ${ref}`),
      );
    }
  });

  it('every alarm notifies the topic and names an existing runbook section', () => {
    const topic = only(deployment.topics, 'the topics');
    for (const { properties } of deployment.alarms) {
      expect(properties.AlarmActions).toEqual([topic.ref]);
      const [, section = ''] = (properties.AlarmDescription ?? '').split('docs/runbook.md#');
      expect(sections.has(section), `Add the section "${section}" to docs/runbook.md`).toBe(true);
    }
  });

  it('CloudWatch alarms may publish to the encrypted topic', () => {
    const policy = only(deployment.topicPolicies, 'the policies of topics').properties.PolicyDocument;
    expect(policy.Statement).toContainEqual(
      expect.objectContaining({
        Effect: 'Allow',
        Principal: { Service: ['cloudwatch.amazonaws.com'] },
        Action: ['sns:Publish'],
      }),
    );
  });
});

describe('the runbook', () => {
  it('the runbook links only to its own sections', () => {
    const links = [...runbook.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor = '']) => anchor);
    expect(links.filter((anchor) => !sections.has(anchor))).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('the dashboard shows metrics of existing resources', () => {
    const Body = v.object({
      widgets: v.array(v.object({ properties: v.object({ metrics: v.array(v.array(v.string())) }) })),
    });
    const { DashboardBody } = only(deployment.dashboards, 'the dashboards').properties;
    const shown = v
      .parse(Body, JSON.parse(DashboardBody))
      .widgets.flatMap(({ properties }) => properties.metrics.map(([, , , value]) => value));
    const names = [
      ...[deployment.functions, deployment.queues, deployment.tables].flat().map(({ name }) => name),
      ...[deployment.machines, deployment.apis].flat().map(({ ref }) => ref),
    ];
    expect(shown.filter((value) => !names.includes(value ?? ''))).toEqual([]);
    expect(shown.length).toBeGreaterThan(functions.length);
  });
});
