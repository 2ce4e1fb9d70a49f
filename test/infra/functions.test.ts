import { ceilingOf, resolveStage } from '../../lib/config/stages.ts';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { resources, settings } from '../../functions/entry.ts';
import { grantsOf, settingNamesOf } from '../../functions/grants.ts';
import { attribute, functionOf, functions, only, synthesized } from './stacks.ts';

const stacks = synthesized('dev');
const { deployment } = stacks;

/** Lambda's concurrency for an account and region, after AWS has lifted the limit of a new account. */
const ACCOUNT_CONCURRENCY = 1_000;

describe('deployed functions', () => {
  it.each(functions)('%s has the time, memory, runtime and description of its entry', (name, entry) => {
    const { properties } = functionOf(stacks, name);
    expect(properties).toMatchObject({
      FunctionName: `tidemark-dev-${name}`,
      Description: entry.summary,
      Timeout: entry.timeoutSeconds,
      MemorySize: entry.memoryMb,
      Runtime: 'nodejs24.x',
      Handler: 'index.handler',
      Architectures: ['arm64'],
    });
    expect(properties.ReservedConcurrentExecutions).toBeUndefined();
  });

  it('consumers of queues alone may send into their own queue, because copies of messages end by their age', () => {
    const looping = functions.filter(
      ([name]) => functionOf(stacks, name).properties.RecursiveLoop === 'Allow',
    );
    const consumers = functions.filter(([, { trigger }]) => trigger.kind === 'queue');
    expect(looping.map(([name]) => name)).toEqual(consumers.map(([name]) => name));
    expect(consumers.length).toBeGreaterThan(0);
  });

  it('functions reserve the concurrency of their entries in prod, and an account of the usual size keeps its unreserved share', () => {
    const prod = synthesized('prod');
    let reserved = 0;
    for (const [name, entry] of functions) {
      const { properties } = functionOf(prod, name);
      const own = entry.reservedConcurrency;
      expect(properties.ReservedConcurrentExecutions).toBe(own && ceilingOf(own, resolveStage('prod', {})));
      reserved += properties.ReservedConcurrentExecutions ?? 0;
    }
    expect(reserved).toBeGreaterThan(0);
    expect(reserved).toBeLessThanOrEqual(ACCOUNT_CONCURRENCY / 2);
  });

  it('a closed stage gives no execution to a function, except to those of operators and of the log of logins', () => {
    for (const stage of ['dev', 'prod']) {
      const closed = synthesized(stage, { settings: { closed: true } });
      const open = functions.filter(
        ([name]) => functionOf(closed, name).properties.ReservedConcurrentExecutions !== 0,
      );
      expect(open.map(([name]) => name).toSorted()).toEqual([
        ...['auditIndex', 'deleteProperty', 'operator', 'recordSftpLogin', 'replayForgettings'],
      ]);
      for (const [name] of open)
        expect(functionOf(closed, name).properties.ReservedConcurrentExecutions).toBeUndefined();
    }
  });

  it('schedules run unless the stage is closed, and the template says which', () => {
    const statesOf = (settings: object) =>
      new Set(
        synthesized('dev', { settings: { ...settings } })
          .ofType('AWS::Scheduler::Schedule')
          .map(({ properties }) => properties['State']),
      );
    expect(statesOf({})).toEqual(new Set(['ENABLED']));
    expect(statesOf({ closed: true })).toEqual(new Set(['DISABLED']));
  });

  it.each(functions)('%s has a value for each variable of its access and settings', (name, entry) => {
    const { Variables } = functionOf(stacks, name).properties.Environment;
    const declared = [
      ...grantsOf(entry).map(({ to }) => resources[to]),
      ...settingNamesOf(entry).map((setting) => settings[setting]),
      'STAGE',
      'LOAD_CLASS',
    ];
    expect(Object.keys(Variables).toSorted()).toEqual([...new Set(declared)].toSorted());
    expect(Object.values(Variables).every((value) => value.length > 0)).toBe(true);
  });

  it('only functions that answer a waiting client put interactive load on the tables', () => {
    const interactive = functions.filter(
      ([name]) => functionOf(stacks, name).properties.Environment.Variables['LOAD_CLASS'] === 'interactive',
    );
    const kinds = new Set(interactive.map(([, { trigger }]) => trigger.kind));
    expect([...kinds].toSorted()).toEqual(['http', 'identity']);
    expect(interactive).toHaveLength(functions.filter(([, { trigger }]) => kinds.has(trigger.kind)).length);
  });

  it.each(functions)('%s has its own log group, whose lines expire after a month', (name) => {
    const { properties } = functionOf(stacks, name);
    const group = deployment.logGroups.find((one) => one.name === properties.LoggingConfig?.LogGroup);
    expect(group?.name).toBe(`/aws/lambda/tidemark-dev-${name}`);
    expect(group?.properties.RetentionInDays).toBe(30);
  });

  it('the stacks deploy exactly the functions of the manifest, without helper functions of the CDK', () => {
    const deployed = deployment.functions.map((one) => one.name).toSorted();
    expect(deployed).toEqual(functions.map(([name]) => `tidemark-dev-${name}`).toSorted());
  });

  it('only sign-in and reads of one person reserve concurrency: slow reads would use it up for all tenants', () => {
    const reserving = functions.filter(([, entry]) => entry.reservedConcurrency !== undefined);
    expect(reserving.map(([name]) => name).toSorted()).toEqual([
      'getProfile',
      'issueToken',
      'listProfileSegments',
    ]);
  });

  it('sign-in functions have as much concurrency as the gateway lets through', () => {
    const { requestsPerSecond, burst } = limits.gateway.signIn;
    expect(limits.reservedConcurrency.signIn).toBeGreaterThanOrEqual(burst + requestsPerSecond);
  });

  it('only the local stage has functions that make accounts with known passwords', () => {
    const stagesWith = ['local', 'dev', 'prod'].filter((stage) =>
      synthesized(stage).deployment.functions.some(({ name }) => name === `tidemark-${stage}-seed`),
    );
    expect(stagesWith).toEqual(['local']);
  });

  it.each(functions.filter(([, { trigger }]) => trigger.kind === 'schedule'))(
    '%s: is called by the clock, and a lost call is kept',
    (name, { trigger }) => {
      const arn = attribute(functionOf(stacks, name), 'Arn');
      const schedule = only(
        deployment.schedules,
        'its schedules',
        ({ properties }) => properties.Target.Arn === arn,
      );
      const expression = trigger.kind === 'schedule' ? trigger.expression : '';
      expect(schedule.properties.ScheduleExpression).toBe(expression);
      const dead = schedule.properties.Target.DeadLetterConfig?.Arn;
      expect(deployment.queues.map((queue) => attribute(queue, 'Arn'))).toContain(dead);
    },
  );
});
