import { describe, expect, it } from 'vitest';
import { createConcurrency } from '../../../services/lambda/concurrency.ts';
import type { Outcome } from '../../../services/lambda/outcome.ts';
import type { Engine } from '../../../services/states/engine.ts';
import type { Execution } from '../../../services/states/ledger.ts';
import { ServiceError } from '../../../core/service-error.ts';
import { until } from '../../support/until.ts';
import { finished, MACHINE, workflowEngines } from './workflow.ts';
import { newFolders } from '../../support/folders.ts';

const LAMBDA = 'arn:aws:states:::lambda:invoke';
const newFolder = newFolders();
const engineOf = workflowEngines();

/** An engine of one workflow; its tasks call `invoke`. */
const open = (states: object, startAt: string, options?: Parameters<typeof engineOf>[1]): Engine =>
  engineOf({ StartAt: startAt, States: states }, options);

const run = async (engine: Engine, input: unknown = {}): Promise<Execution> => {
  engine.start(MACHINE, 'x', JSON.stringify(input));
  return finished(engine, 'x');
};

const call = (more: object = { End: true }): object => ({
  Type: 'Task',
  Resource: LAMBDA,
  Parameters: { FunctionName: 'f', 'Payload.$': '$' },
  ...more,
});

const failing = (errorType: string) => (): Promise<Outcome> =>
  Promise.resolve({ ok: false, failure: { errorType, errorMessage: 'went wrong' } });

describe('a task', () => {
  it('the engine warms the function of a task when the execution starts, unless only a failure leads to the task', async () => {
    const warmed: string[] = [];
    const states = {
      A: { Type: 'Pass', Next: 'B' },
      B: call({ Catch: [{ ErrorEquals: ['States.ALL'], Next: 'C' }] }),
      C: call({ Parameters: { FunctionName: 'g', 'Payload.$': '$' } }),
    };
    await run(open(states, 'A', { warm: (name) => warmed.push(name) }));
    expect(warmed).toEqual(['f']);
  });

  it('a task calls its function, and the answer is the Payload', async () => {
    const seen: string[] = [];
    const engine = open({ A: call({ End: true, OutputPath: '$.Payload' }) }, 'A', {
      invoke: (name, payload) => {
        seen.push(name, payload);
        return Promise.resolve({ ok: true, payload: '{"b":2}' });
      },
    });
    expect(await run(engine, { a: 1 })).toMatchObject({ status: 'SUCCEEDED', output: '{"b":2}' });
    expect(seen).toEqual(['f', '{"a":1}']);
  });

  it('a task that fails for good ends the execution with its error and cause', async () => {
    const ended = await run(open({ A: call() }, 'A', { invoke: failing('MyError') }));
    expect(ended).toMatchObject({ status: 'FAILED', error: 'MyError' });
    expect(JSON.parse(ended.cause ?? '')).toEqual({ errorType: 'MyError', errorMessage: 'went wrong' });
  });

  it('an error of a task may be retried and caught by its name', async () => {
    let calls = 0;
    const A = call({
      Next: 'B',
      Retry: [{ ErrorEquals: ['Twice'], IntervalSeconds: 0.01, MaxAttempts: 3 }],
      Catch: [{ ErrorEquals: ['Other'], ResultPath: '$.failure', Next: 'B' }],
    });
    const engine = open({ A, B: { Type: 'Pass', End: true } }, 'A', {
      invoke: () => failing((calls += 1) > 2 ? 'Other' : 'Twice')(),
    });
    const ended = await run(engine, { kept: 1 });
    expect(JSON.parse(ended.output ?? '')).toMatchObject({ kept: 1, failure: { Error: 'Other' } });
    expect(calls).toBe(3);
  });

  it('a task that the role may not call fails as Lambda.AccessDeniedException', async () => {
    const requireRole = () => {
      throw new ServiceError('AccessDenied', 'not you', 403);
    };
    expect(await run(open({ A: call() }, 'A', { requireRole }))).toMatchObject({
      status: 'FAILED',
      error: 'Lambda.AccessDeniedException',
    });
  });

  it('a throttled task fails as Lambda.TooManyRequestsException', async () => {
    const none = createConcurrency({ account: 0, reserved: new Map() });
    const invoke = (name: string): Promise<Outcome> => {
      none.enter(name);
      return Promise.resolve({ ok: true, payload: '{}' });
    };
    const ended = await run(open({ A: call() }, 'A', { invoke }));
    expect(ended).toMatchObject({ status: 'FAILED', error: 'Lambda.TooManyRequestsException' });
  });

  it('a task longer than its TimeoutSeconds fails as States.Timeout', async () => {
    const A = call({ End: true, TimeoutSeconds: 1 });
    const engine = open({ A }, 'A', { invoke: () => new Promise(() => undefined) });
    expect(await run(engine)).toMatchObject({ status: 'FAILED', error: 'States.Timeout' });
  });

  it('a task sends messages to a queue', async () => {
    const A = {
      Type: 'Task',
      Resource: 'arn:aws:states:::sqs:sendMessage',
      Parameters: { QueueUrl: 'q', 'MessageBody.$': '$', MessageGroupId: 'g' },
      ResultPath: null,
      End: true,
    };
    const sent: unknown[] = [];
    const engine = open({ A }, 'A', { send: (...message) => void sent.push(message) });
    expect(await run(engine, { a: 1 })).toMatchObject({ status: 'SUCCEEDED', output: '{"a":1}' });
    expect(sent.at(-1)).toEqual(['q', '{"a":1}', { groupId: 'g' }]);
  });

  it('a task whose answer is over 256 KB fails as States.DataLimitExceeded', async () => {
    const invoke = (): Promise<Outcome> =>
      Promise.resolve({ ok: true, payload: JSON.stringify('x'.repeat(270_000)) });
    expect(await run(open({ A: call() }, 'A', { invoke }))).toMatchObject({
      error: 'States.DataLimitExceeded',
    });
  });
});

describe('states', () => {
  it('states that together exceed 256 KB end the execution', async () => {
    const half = JSON.stringify('x'.repeat(140_000));
    const invoke = (): Promise<Outcome> => Promise.resolve({ ok: true, payload: half });
    const A = call({ ResultPath: '$.a', Next: 'B' });
    const B = call({ ResultPath: '$.b', End: true });
    expect(await run(open({ A, B }, 'A', { invoke }))).toMatchObject({ error: 'States.DataLimitExceeded' });
  });

  it('a state sees the name of its execution, in a map too', async () => {
    const Each = {
      Type: 'Map',
      ItemsPath: '$.items',
      ItemSelector: { 'item.$': '$$.Map.Item.Value', 'of.$': '$.of' },
      ItemProcessor: {
        ProcessorConfig: { Mode: 'INLINE' },
        StartAt: 'P',
        States: {
          P: {
            Type: 'Pass',
            Parameters: { 'n.$': '$.item.n', 'of.$': '$.of', 'name.$': '$$.Execution.Name' },
            End: true,
          },
        },
      },
      ResultPath: '$',
      End: true,
    };
    const ended = await run(open({ Each }, 'Each'), { of: 'x', items: [{ n: 0 }, { n: 1 }] });
    expect(JSON.parse(ended.output ?? '')).toEqual([0, 1].map((n) => ({ n, of: 'x', name: 'x' })));
  });

  it.each([
    [
      'a distributed map',
      {
        A: {
          Type: 'Map',
          ItemProcessor: { ProcessorConfig: { Mode: 'DISTRIBUTED' }, StartAt: 'B', States: {} },
          End: true,
        },
      },
    ],
    [
      'a task of another service',
      { A: { Type: 'Task', Resource: 'arn:aws:states:::sns:publish', End: true } },
    ],
    [
      'a callback',
      { A: { Type: 'Task', Resource: 'arn:aws:states:::lambda:invoke.waitForTaskToken', End: true } },
    ],
  ])('a state machine cannot hold %s', (_, states) => {
    expect(() => open(states, 'A')).toThrow(/^M: /);
  });
});

describe('executions', () => {
  const wait = { W: { Type: 'Wait', Seconds: 600, End: true } };

  it('a start with the name and input of a running execution returns it, and names are never free again', async () => {
    const engine = open(wait, 'W');
    const first = engine.start(MACHINE, 'x', '{}');
    expect(engine.start(MACHINE, 'x', '{}')).toBe(first);
    expect(() => engine.start(MACHINE, 'x', '{"a":1}')).toThrow(/Already Exists/);
    engine.abort(first.arn, 'Stopped', 'by hand');
    expect(await finished(engine, 'x')).toMatchObject({
      status: 'ABORTED',
      error: 'Stopped',
      cause: 'by hand',
    });
    expect(() => engine.start(MACHINE, 'x', '{}')).toThrow(/Already Exists/);
    await until('its run is gone', () => engine.running() === 0 || undefined);
  });

  it('the engine refuses an invalid name, invalid JSON, a too large input and an unknown workflow', () => {
    const engine = open(wait, 'W');
    expect(() => engine.start(MACHINE, 'a b', '{}')).toThrow(/Invalid Name/);
    expect(() => engine.start(MACHINE, 'a', '{')).toThrow(/Invalid State Machine Execution Input/);
    expect(() => engine.start(MACHINE, 'a', JSON.stringify('x'.repeat(262_144)))).toThrow(/262144 bytes/);
    expect(() => engine.start(`${MACHINE}2`, 'a', '{}')).toThrow(/Does Not Exist/);
  });

  it('executions that a restart interrupted start again with their input, and closed executions stay closed', async () => {
    const dataDir = newFolder();
    const before = open({ A: call() }, 'A', { dataDir, invoke: () => new Promise(() => undefined) });
    before.start(MACHINE, 'open', '{"a":1}');
    before.abort(before.start(MACHINE, 'closed', '{}').arn, undefined, undefined);
    await before.stop();
    const seen: string[] = [];
    const invoke = (_: string, payload: string): Promise<Outcome> => {
      seen.push(payload);
      return Promise.resolve({ ok: true, payload: '{}' });
    };
    const after = open({ A: call() }, 'A', { dataDir, invoke });
    after.resume();
    expect((await finished(after, 'open')).status).toBe('SUCCEEDED');
    expect(seen).toEqual(['{"a":1}']);
    expect((await finished(after, 'closed')).status).toBe('ABORTED');
  });
});
