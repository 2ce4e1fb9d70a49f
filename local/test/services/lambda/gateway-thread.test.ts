import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { gatewayThread } from '../../../services/lambda/gateway-thread.ts';
import { createLogs, type Logs } from '../../../services/lambda/logs.ts';
import type { Outcome } from '../../../services/lambda/outcome.ts';
import { createRunner, type Runner } from '../../../services/lambda/runner.ts';
import { newFolders, ofCheckout } from '../../support/folders.ts';
import { until } from '../../support/until.ts';

const newFolder = newFolders(ofCheckout);

const opened: { runner: Runner; logs: Logs }[] = [];
afterEach(async () => {
  for (const { runner, logs } of opened.splice(0)) {
    await runner.end();
    await logs.close();
  }
});

/** What the functions do on request; each says its name and how often its module was called. */
const source = `
import { setTimeout as delay } from 'node:timers/promises';
let calls = 0;
export const handler = async ({ wait = 0, throws, rejects, exits, loops, hangs }) => {
  calls += 1;
  if (exits) process.exit(3);
  if (throws) setTimeout(() => { throw new Error('broken later'); });
  if (rejects) void Promise.reject(new Error('rejected alone'));
  if (loops) setTimeout(function loopsHere() { for (;;); });
  if (hangs) await new Promise(() => undefined);
  await delay(wait);
  console.log('output of ' + process.env.NAME);
  process.stderr.write('more of ' + process.env.NAME + '\\n');
  return { name: process.env.NAME, calls, file: import.meta.filename.endsWith('index.mjs') };
};`;

/** A runner of the functions `f` and `g`, which have the same bundle. */
const start = (code = source, files: Readonly<Record<string, string>> = {}) => {
  const base = newFolder();
  const folder = join(base, 'real');
  mkdirSync(folder);
  // A checkout may be reached by a symbolic link.
  symlinkSync(folder, join(base, 'linked'));
  const file = join(base, 'linked', 'index.mjs');
  for (const [name, content] of Object.entries({ 'index.mjs': code, ...files })) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const logs = createLogs(join(folder, 'logs'));
  const of = (name: string) => ({
    ...{ name, arn: `arn:${name}`, file, exportName: 'handler', env: { NAME: name }, memoryMb: 64 },
    ...{ timeoutSeconds: 1, logGroup: `/${name}`, mostSandboxes: 2, startThread: gatewayThread },
  });
  const runner = createRunner({ logs, functions: [of('f'), of('g')] });
  opened.push({ runner, logs });
  return {
    runner,
    invoke: (name: 'f' | 'g', event: object = {}): Promise<Outcome> =>
      runner.invoke(name, JSON.stringify(event)),
    logged: (name: string) => logs.read(name),
  };
};

const answer = (name: string, calls: number) => ({
  ok: true,
  payload: JSON.stringify({ name, calls, file: true }),
});

/** Runs the functions in a process of their own. Each turn has the event of each function that it invokes. */
const inProcess = async (turns: readonly object[], mostSeconds?: number) => {
  const script = join(import.meta.dirname, 'runner-process.ts');
  const given = [newFolder(), source, JSON.stringify(turns)];
  const child = spawn(process.execPath, [
    script,
    ...given,
    ...(mostSeconds === undefined ? [] : [String(mostSeconds)]),
  ]);
  const [output, errors, ended] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  const lines = output.split('\n').filter((line) => line !== '');
  return { turns: lines.map((line): unknown => JSON.parse(line)), errors, ended };
};

describe('functions in the thread of the gateway', () => {
  it('have environments and outputs of their own while they run side by side', async () => {
    const { invoke, logged } = start();
    const before = process.env['NAME'];
    const outcomes = await Promise.all([invoke('f', { wait: 50 }), invoke('g', { wait: 20 })]);
    expect(outcomes).toEqual([answer('f', 1), answer('g', 1)]);
    expect(process.env['NAME']).toBe(before);
    for (const name of ['f', 'g']) {
      const both = `output of ${name}\nmore of ${name}\n`;
      await until('the log', async () => (await logged(name)) === both || undefined);
    }
  });

  it('have a module for each sandbox, which a recycling ends', async () => {
    const { invoke, runner } = start();
    expect(await Promise.all([invoke('f', { wait: 20 }), invoke('f', { wait: 20 })])).toEqual([
      answer('f', 1),
      answer('f', 1),
    ]);
    expect(await invoke('f')).toEqual(answer('f', 2));
    runner.recycle('f');
    expect(await invoke('f')).toEqual(answer('f', 1));
  });

  it('have their own files beside the bundle, and modules of Node that know their process', async () => {
    const { invoke } = start(
      `export const handler = async () => {
         const { next, name } = await import('beside');
         return { next: next(), name, same: process.getBuiltinModule('process').env === process.env };
       };`,
      {
        'node_modules/beside/package.json': '{ "type": "module", "exports": "./index.mjs" }',
        'node_modules/beside/index.mjs':
          "import own from 'node:process'; let n = 0; export const next = () => ++n; export const name = own.env.NAME;",
      },
    );
    for (const name of ['f', 'g'] as const) {
      const outcome = await invoke(name);
      expect(outcome).toEqual({ ok: true, payload: JSON.stringify({ next: 1, name, same: true }) });
    }
  });

  it('end alone at their timeout', async () => {
    const { invoke } = start();
    const [late, other] = await Promise.all([invoke('f', { hangs: true }), invoke('g')]);
    expect(late).toMatchObject({ failure: { errorType: 'Sandbox.Timedout' } });
    expect(other).toEqual(answer('g', 1));
    expect(await invoke('f')).toEqual(answer('f', 1));
  });

  it('that do not load fail with the reason', async () => {
    const { invoke } = start("import 'nothing-of-that-name'; export const handler = 1;");
    expect(JSON.stringify(await invoke('f'))).toContain('nothing-of-that-name');
  });
});

describe('a function in the thread of the gateway', () => {
  it.each([
    ['throws after its call', { throws: true, wait: 100 }, 'broken later'],
    ['leaves a rejection unhandled', { rejects: true, wait: 100 }, 'rejected alone'],
    ['leaves the process', { exits: true }, 'exit status 3'],
  ])('that %s ends alone', async (_, event, reason) => {
    const { turns, errors, ended } = await inProcess([{ f: event, g: { wait: 200 } }, { f: {} }]);
    expect(errors).toBe('');
    expect(turns).toMatchObject([
      [{ ok: false, failure: { errorType: 'Runtime.ExitError' } }, answer('g', 1)],
      [answer('f', 1)],
    ]);
    expect(JSON.stringify(turns)).toContain(reason);
    expect(ended[0]).toBe(0);
  });

  it('that loops ends the process, which says where', async () => {
    const { turns, errors, ended } = await inProcess([{ g: {} }, { f: { loops: true, wait: 5 } }], 2);
    expect(turns).toEqual([[answer('g', 1)]]);
    expect(errors).toContain('a function in its thread has looped for 2 s');
    expect(errors).toMatch(/at loopsHere \(.*index\.mjs:/);
    expect(ended).toEqual([null, 'SIGKILL']);
  });
});
