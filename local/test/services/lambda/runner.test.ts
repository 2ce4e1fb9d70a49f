import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, describe, expect, it } from 'vitest';
import { createLogs, type Logs } from '../../../services/lambda/logs.ts';
import { createRunner, type Invocation, type Runner } from '../../../services/lambda/runner.ts';
import { until } from '../../support/until.ts';
import { newFolders, ofCheckout } from '../../support/folders.ts';

const newFolder = newFolders(ofCheckout);

const opened: { runner: Runner; logs: Logs }[] = [];
afterEach(async () => {
  for (const { runner, logs } of opened.splice(0)) {
    await runner.end();
    await logs.close();
  }
});

/** A runner of one function `f` with the given source. */
const run = (
  source: string,
  options: { timeoutSeconds?: number; coldStartMs?: number; concurrency?: number; kill?: boolean } = {},
) => {
  const folder = newFolder();
  const file = join(folder, 'index.mjs');
  writeFileSync(file, source);
  const logs = createLogs(join(folder, 'logs'));
  const invocations: Invocation[] = [];
  const runner = createRunner({
    logs,
    onInvocation: (invocation) => invocations.push(invocation),
    ...(options.kill === true ? { killer: () => 50 } : {}),
    functions: [
      {
        name: 'f',
        arn: 'arn:f',
        file,
        exportName: 'handler',
        env: { GREETING: 'hi' },
        memoryMb: 64,
        timeoutSeconds: options.timeoutSeconds ?? 5,
        coldStartMs: options.coldStartMs ?? 0,
        logGroup: '/f',
        mostSandboxes: options.concurrency ?? 2,
      },
    ],
  });
  opened.push({ runner, logs });
  const logFile = join(folder, 'logs', 'f.log');
  const logged = () => (existsSync(logFile) ? readFileSync(logFile, 'utf8') : '');
  return {
    runner,
    logged,
    invocations,
    invoke: (event: unknown = {}) => runner.invoke('f', JSON.stringify(event)),
  };
};

describe('an invocation', () => {
  it('gets its event, context and environment, and answers with JSON', async () => {
    const { invoke } = run(`export const handler = async (event, context) => ({
      event, greeting: process.env.GREETING, home: process.env.HOME, id: context.awsRequestId.length,
      remaining: context.getRemainingTimeInMillis() > 4000, name: context.functionName });`);
    const outcome = await invoke({ a: 'é' });
    expect(outcome.ok && JSON.parse(outcome.payload)).toEqual({
      event: { a: 'é' },
      greeting: 'hi',
      id: 36,
      remaining: true,
      name: 'f',
    });
  });

  it('the answer of a function that returns nothing is null', async () => {
    expect(await run('export const handler = () => undefined;').invoke()).toEqual({
      ok: true,
      payload: 'null',
    });
  });

  it.each([
    ['throws', 'throw new RangeError("out")', 'RangeError', 'out'],
    ['throws no error', 'throw "text"', 'string', 'text'],
    ['leaves the process', 'process.exit(3)', 'Runtime.ExitError', 'exit status 3'],
    [
      'breaks later',
      'setTimeout(() => { throw new Error("later") }); return new Promise(() => {})',
      'Runtime.ExitError',
      'later',
    ],
    ['answers too much', 'return "x".repeat(7000000)', 'Function.ResponseSizeTooLarge', 'exceeded maximum'],
    [
      'eats all memory',
      'const kept = []; for (;;) kept.push(JSON.stringify(kept.length).repeat(999))',
      'Runtime.OutOfMemory',
      'signal: killed',
    ],
    [
      'keeps too many buffers while it waits',
      'const kept = Buffer.alloc(200e6, 1); return new Promise(() => kept)',
      'Runtime.OutOfMemory',
      'signal: killed',
    ],
    [
      'keeps too many buffers in a loop',
      'const kept = Buffer.alloc(200e6, 1); for (;;) kept[0]++',
      'Runtime.OutOfMemory',
      'signal: killed',
    ],
    [
      'answers with too many buffers',
      'globalThis.kept = Buffer.alloc(200e6)',
      'Runtime.OutOfMemory',
      'signal: killed',
    ],
    ['answers no JSON', 'return { a: 1n }', 'TypeError', 'BigInt'],
  ])('that %s is an error with its type', async (_, body, errorType, message) => {
    const outcome = await run(`export const handler = async () => { ${body} };`).invoke();
    expect(outcome).toMatchObject({ ok: false, failure: { errorType } });
    expect(JSON.stringify(outcome)).toContain(message);
  });

  it('an invocation ends at its timeout, and the next invocation works', async () => {
    const { invoke } = run(`export const handler = ({ hang }) => hang ? new Promise(() => {}) : 'ok';`, {
      timeoutSeconds: 1,
    });
    const outcome = await invoke({ hang: true });
    expect(outcome).toMatchObject({ ok: false, failure: { errorType: 'Sandbox.Timedout' } });
    expect(JSON.stringify(outcome)).toContain('timed out after 1.00 seconds');
    expect(await invoke({})).toEqual({ ok: true, payload: '"ok"' });
  });

  it('the timeout also ends an invocation that loops forever', async () => {
    const { invoke } = run('export const handler = () => { for (;;); };', { timeoutSeconds: 1 });
    expect(await invoke()).toMatchObject({ ok: false, failure: { errorType: 'Sandbox.Timedout' } });
  });

  it('a bundle that does not load causes an error with the reason', async () => {
    const outcome = await run('import "nothing-of-that-name"; export const handler = 1;').invoke();
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome)).toContain('nothing-of-that-name');
  });

  it('an invocation with a payload over 6 MB or of an unknown function is refused', async () => {
    const { runner, invoke } = run('export const handler = () => 1;');
    await expect(invoke('x'.repeat(6_300_000))).rejects.toMatchObject({
      code: 'RequestTooLargeException',
      status: 413,
    });
    await expect(runner.invoke('g', '{}')).rejects.toMatchObject({ code: 'ResourceNotFoundException' });
    await expect(runner.enqueue('f', 'x'.repeat(1_100_000))).rejects.toMatchObject({ status: 413 });
  });

  it('an event invocation is tried three times', async () => {
    const { runner, invocations } = run('export const handler = () => { throw new Error("never") };');
    await runner.enqueue('f', '{}');
    expect(invocations).toHaveLength(3);
  });

  it('an invocation killed in the middle fails with an exit error', async () => {
    const { invoke } = run('export const handler = () => new Promise(() => {});', { kill: true });
    expect(await invoke()).toMatchObject({ failure: { errorType: 'Runtime.ExitError' } });
  });
});

const Loaded = v.object({ loaded: v.number(), calls: v.number() });
const Uses = v.object({ most: v.number(), uses: v.number() });

/** Waits until this much time has passed. */
const pass = (ms: number): Promise<unknown> => {
  const end = Date.now() + ms;
  return until('the time has passed', () => Date.now() > end || undefined);
};

// "Running code after returning a response from an AWS Lambda function", AWS Compute Blog.
describe('a sandbox is frozen', () => {
  it('from its start to its first invocation, and from each answer to the next invocation', async () => {
    const { runner, invoke } = run(
      'let ticks = 0; setInterval(() => { ticks++; }, 1); export const handler = () => ticks;',
    );
    await runner.warm('f');
    const ticks: number[] = [];
    for (let call = 0; call < 3; call += 1) {
      await pass(60);
      const outcome = await invoke();
      ticks.push(Number(outcome.ok && outcome.payload));
    }
    // An event loop that thaws runs a due timer once, however often it missed the timer.
    expect(Math.max(...ticks)).toBeLessThan(20);
  });

  it('when the runner ends it, and its pending work never runs', async () => {
    const { runner, invoke, logged } = run(
      'export const handler = () => { setTimeout(() => console.log("late"), 50); console.log("answered"); };',
    );
    await invoke();
    await until('the output of the call', () => logged().includes('answered') || undefined);
    await pass(60);
    await runner.end();
    expect(logged()).not.toContain('late');
  });
});

describe('sandboxes', () => {
  it('a function that may have none is throttled as by a reserved concurrency of 0, and does not wait', async () => {
    const { invoke, invocations } = run('export const handler = () => 1;', { concurrency: 0 });
    await expect(invoke()).rejects.toMatchObject({
      code: 'TooManyRequestsException',
      extra: { Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' },
    });
    expect(invocations).toEqual([]);
  });

  it('run one invocation at a time, at most as many at once as allowed, and are used again', async () => {
    const { invoke } = run(
      `let running = 0, most = 0, uses = 0;
       export const handler = async () => { running++; uses++; most = Math.max(most, running);
         await new Promise((done) => setTimeout(done, 20)); running--; return { most, uses }; };`,
    );
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => invoke()));
    const answers = outcomes.map((outcome) => v.parse(Uses, JSON.parse(outcome.ok ? outcome.payload : '{}')));
    expect(answers.every(({ most }) => most === 1)).toBe(true);
    expect(Math.max(...answers.map(({ uses }) => uses))).toBeGreaterThanOrEqual(4);
  });

  it('warmed sandboxes load before the first call, once however many callers warm them', async () => {
    const { runner, invoke } = run(
      `const loaded = Date.now(); let calls = 0;
       export const handler = () => ({ loaded, calls: ++calls });`,
    );
    const warming = [runner.warm('f'), runner.warm('f')];
    const early = await invoke();
    await Promise.all(warming);
    await runner.warm('f');
    const before = Date.now();
    const late = await invoke();
    const [first, second] = [early, late].map((outcome) =>
      v.parse(Loaded, JSON.parse(outcome.ok ? outcome.payload : '{}')),
    );
    expect([first?.calls, second?.calls]).toEqual([1, 2]);
    expect(second?.loaded).toBeLessThanOrEqual(before);
  });

  it('take no invocation after a recycling, even when they were busy then', async () => {
    const { runner, invoke, logged } = run(
      `let calls = 0; export const handler = async ({ slow }) => { calls++; if (slow) { console.log('begun');
         await new Promise((done) => setTimeout(done, 300)); } return { loaded: 0, calls }; };`,
      { concurrency: 1 },
    );
    const slow = invoke({ slow: true });
    await until('the beginning of the first call', () => logged().includes('begun') || undefined);
    runner.recycle('f');
    for (const outcome of [await slow, await invoke()])
      expect(v.parse(Loaded, JSON.parse(outcome.ok ? outcome.payload : '{}')).calls).toBe(1);
    expect(await invoke()).toEqual({ ok: true, payload: '{"loaded":0,"calls":2}' });
  });

  it('a cold start takes its time once, and does not count against the timeout', async () => {
    const { invoke, invocations } = run("export const handler = () => 'done';", {
      coldStartMs: 1_200,
      timeoutSeconds: 1,
    });
    expect(await invoke()).toEqual({ ok: true, payload: '"done"' });
    expect(await invoke()).toEqual({ ok: true, payload: '"done"' });
    const [cold, warm] = invocations.map(({ milliseconds }) => milliseconds);
    // A timer may end a part of a millisecond early.
    expect(cold).toBeGreaterThan(1_195);
    expect(warm).toBeLessThan(1_000);
  });

  it('a sandbox that cannot be loaded is dropped, and the call gives the reason', async () => {
    const { runner, invoke } = run('throw new Error("broken");');
    await runner.warm('f');
    expect(await invoke()).toMatchObject({ ok: false, failure: { errorMessage: 'broken' } });
  });

  it('a sandbox keeps the output of its function', async () => {
    // This handler exists to print.
    const { invoke, logged } = run(
      `export const handler = () => { console.log('one'); console.log('two'); console.error('three'); };`,
    );
    await invoke();
    await until(
      'the log is written',
      () => (/one/.test(logged()) && /two/.test(logged()) && /three/.test(logged())) || undefined,
    );
  });

  it('sandboxes end with the runner, whatever they do', async () => {
    const { runner, invoke } = run('export const handler = () => { for (;;); };', { concurrency: 1 });
    const outcomes = Promise.all([invoke(), invoke()]);
    await until('it runs', () => runner.running() === 2 || undefined);
    await runner.end();
    expect((await outcomes).every(({ ok }) => !ok)).toBe(true);
  });
});
