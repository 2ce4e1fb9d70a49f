import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { keyCallEvent } from '../../local/services/events/key-call.ts';
import { compilePattern } from '../../local/services/events/pattern.ts';
import type { FunctionEntry } from '../../functions/entry.ts';
import { grantsOf } from '../../functions/grants.ts';
import { limits } from '../../shared/config/limits.ts';
import { alarmNamed, countedBy, deployment, runbook, sections, watched, watchedBy } from './alarm-facts.ts';
import { functions, named, only, synthesized } from './stacks.ts';

/** All reads share one section of the runbook, and all writes share one. */
const sectionOfRoute = ({ trigger }: FunctionEntry): string | undefined => {
  if (trigger.kind !== 'http') return undefined;
  return ['GET', '$default'].includes(trigger.method) ? 'a-read-fails' : 'a-write-fails';
};

describe('alarms', () => {
  it('every function has an alarm of its own, except routes and commands of operators', () => {
    const without = functions.filter(([, { alarm }]) => alarm === undefined);
    const kinds = new Set(without.map(([, { trigger }]) => trigger.kind));
    expect([...kinds].toSorted()).toEqual(['http', 'invoke']);
    expect(watched.filter(({ trigger }) => ['http', 'invoke'].includes(trigger.kind))).toEqual([]);
  });

  it.each(watched)(
    '$name has an alarm that rings when it goes on failing, described by the effect on users',
    ({ name, alarm }) => {
      expect(watchedBy(name)).toEqual([`Errors tidemark-dev-${name}`]);
      const word = { page: 'Page', ticket: 'Ticket' }[alarm.severity];
      expect(alarmNamed(name)).toMatchObject({
        AlarmDescription: `${word}: ${alarm.impact}. What to do: docs/runbook.md#${name.toLowerCase()}`,
        Threshold: 2,
      });
    },
  );

  it('a schedule that always fails rings its alarm: Lambda calls it three times', () => {
    const attempts = 3;
    expect(limits.alarms.functionErrors).toBeLessThan(attempts);
    // The attempts follow after one minute and after two more.
    expect(limits.alarms.errorSeconds).toBeGreaterThan(3 * 60);
  });

  it.each(watched)('$name: has a section in the runbook, with the same words', ({ name, alarm }) => {
    const { impact } = alarm;
    const advice = `Add to docs/runbook.md: "### ${name}", a blank line, and "**${impact}.**" with the operator's next steps`;
    expect(sections.get(name.toLowerCase()) ?? '', advice).toContain(`**${impact}.**`);
  });

  it('an alarm rings when EventBridge loses an event of any rule', () => {
    for (const stage of ['dev', 'prod']) {
      const { rules, alarms } = synthesized(stage).deployment;
      const lost = named(alarms, `tidemark-${stage}-events-lost`).properties.Metrics.flatMap(
        ({ MetricStat }) =>
          (MetricStat?.Metric.Dimensions ?? []).map(({ Name, Value }) => [
            Name,
            Value,
            MetricStat?.Metric.MetricName,
          ]),
      );
      expect(rules.length).toBeGreaterThan(0);
      expect(lost.toSorted()).toEqual(
        rules
          .flatMap(({ name, properties }) => [
            ['RuleName', name, 'FailedInvocations'],
            ...properties.Targets.filter(({ DeadLetterConfig }) => DeadLetterConfig).map(() => [
              'RuleName',
              name,
              'InvocationsFailedToBeSentToDlq',
            ]),
          ])
          .toSorted(),
      );
    }
  });

  it('a page tells of each key that is disabled, deleted or gets another policy', () => {
    const rule = named(deployment.rules, 'tidemark-dev-keys');
    const matches = compilePattern(rule.properties.EventPattern);
    const event = (name: string, keyArn: string) =>
      keyCallEvent({ name, keyArn, by: 'somebody' }, 'e-1', new Date(0));
    const keys = deployment.keys.map(({ attributes }) => attributes['Arn'] ?? '');
    expect(keys).toHaveLength(2);
    for (const key of keys) {
      for (const name of ['DisableKey', 'ScheduleKeyDeletion', 'PutKeyPolicy'])
        expect(matches(event(name, key)), name).toBe(true);
      expect(matches(event('DescribeKey', key))).toBe(false);
    }
    expect(matches(event('DisableKey', 'arn:aws:kms:us-east-1:000000000000:key/another'))).toBe(false);
    const [target] = rule.properties.Targets;
    const [, section = ''] = /runbook\.md#([\w-]+)/.exec(target?.InputTransformer?.InputTemplate ?? '') ?? [];
    expect(sections.has(section), section).toBe(true);
  });

  it('an alarm rings when EventBridge Scheduler gives up a call of any group', () => {
    const groups = deployment.scheduleGroups.map(({ name }) => name);
    expect(groups).toHaveLength(2);
    for (const { properties } of deployment.schedules) expect(groups).toContain(properties.GroupName);
    expect(watchedBy('schedules-lost').toSorted()).toEqual(
      groups
        .flatMap((group) => [
          `InvocationDroppedCount ${group}`,
          `InvocationsFailedToBeSentToDeadLetterCount ${group}`,
        ])
        .toSorted(),
    );
  });

  it('an alarm rings when the account has no free executions', () => {
    expect(watchedBy('account-throttles')).toEqual(['Throttles the account']);
  });

  it('an alarm rings for error lines of every function together', () => {
    const { groups, patterns } = countedBy('logged-errors');
    expect(patterns).toEqual(['{ $.level = "error" }']);
    expect(groups).toEqual(functions.map(([name]) => `/aws/lambda/tidemark-dev-${name}`).toSorted());
  });

  it('alarms ring before AWS stops mails, in stages that send mails', () => {
    expect(deployment.alarms.filter(({ name }) => name.includes('-mail-'))).toEqual([]);
    const { alarms } = synthesized('local').deployment;
    const mail = alarms.filter(({ name }) => name.includes('-mail-'));
    expect(mail.map(({ properties }) => properties.Threshold)).toEqual([0.05, 0.001]);
  });

  it('the two runbook sections about routes name existing functions, each in the section of its method', () => {
    for (const section of ['a-read-fails', 'a-write-fails']) {
      const own = functions.filter(([, entry]) => sectionOfRoute(entry) === section);
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
    expect(countedBy('refused-logins')).toEqual({
      groups: ['/aws/lambda/tidemark-dev-authorizeSftp', '/aws/lambda/tidemark-dev-issueToken'],
      patterns: ['{ $.code = "login.refused" }'],
    });
    expect(sections.get('refused-logins')).toContain('**Somebody may be guessing passwords.**');
  });

  it.each([
    ['audit-lost', 'audit.lost', 'auditLog'],
    ['rates-unavailable', 'rates.unavailable', 'rates'],
  ] as const)(
    'the alarm %s fires for the log line %s of every function that reaches the table',
    (name, code, resource) => {
      const writing = functions.filter(([, entry]) => grantsOf(entry).some(({ to }) => to === resource));
      expect(writing.length).toBeGreaterThan(3);
      expect(countedBy(name)).toEqual({
        groups: writing.map(([one]) => `/aws/lambda/tidemark-dev-${one}`).toSorted(),
        patterns: [`{ $.code = "${code}" }`],
      });
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

  it('every alarm says how urgent it is, notifies the topic of its severity and names an existing runbook section', () => {
    const topicOf = (name: string) => named(deployment.topics, `tidemark-dev-${name}`).ref;
    const topics = { Page: topicOf('pages'), Ticket: topicOf('tickets') };
    for (const { properties } of deployment.alarms) {
      const [, word, section = ''] =
        /^(Page|Ticket): .*docs\/runbook\.md#(.+)$/.exec(properties.AlarmDescription ?? '') ?? [];
      expect(word, properties.AlarmName).toBeDefined();
      expect(properties.AlarmActions).toEqual([topics[word === 'Page' ? 'Page' : 'Ticket']]);
      expect(properties.OKActions).toEqual(properties.AlarmActions);
      expect(sections.has(section), `Add the section "${section}" to docs/runbook.md`).toBe(true);
    }
  });

  it('few alarms page, so that a page is believed', () => {
    const pages = deployment.alarms.filter(({ properties }) =>
      properties.AlarmDescription?.startsWith('Page: '),
    );
    expect(deployment.alarms.length).toBeLessThanOrEqual(62);
    expect(pages.length).toBeLessThan(deployment.alarms.length / 4);
  });

  it('CloudWatch alarms may publish to the topics, also when a key of the stage is what fails', () => {
    expect(deployment.topicPolicies).toHaveLength(2);
    expect(deployment.topics.map(({ properties }) => properties.KmsMasterKeyId)).toEqual([
      undefined,
      undefined,
    ]);
    for (const { properties } of deployment.topicPolicies) {
      expect(properties.PolicyDocument.Statement).toContainEqual(
        expect.objectContaining({
          Effect: 'Allow',
          Principal: { Service: ['cloudwatch.amazonaws.com'] },
          Action: ['sns:Publish'],
        }),
      );
    }
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
    expect(shown.length).toBeGreaterThan(watched.length);
  });
});
