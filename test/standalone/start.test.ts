import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { getAs } from '../../local/test/support/get-as.ts';
import { until } from '../support/until.ts';
import { newFolders, ofCheckout } from '../../local/test/support/folders.ts';

const root = resolve(import.meta.dirname, '../..');
const folder = newFolders(ofCheckout)();
const file = join(folder, 'endpoints.json');

/** The contract allows 20 s for a start that finds the functions and the stacks built. */
const READY_MS = 20_000;

/** A start that builds them takes longer where other tests keep the cores busy. */
const BUILT_MS = 110_000;
const STOPPED_MS = 5_000;

const account = {
  property_id: v.number(),
  client_id: v.string(),
  username: v.string(),
  password: v.string(),
};
const address = v.pipe(v.string(), v.url());
const Endpoints = v.object({
  pid: v.number(),
  base_url: address,
  auth_url: address,
  docs_url: address,
  aws_endpoint: address,
  inbox_url: address,
  sftp: v.nullable(v.object({ host: v.string(), port: v.number() })),
  ...account,
  other: v.object(account),
});
type Endpoints = v.InferOutput<typeof Endpoints>;

const running: { stop: () => Promise<number | null> }[] = [];
afterEach(async () => {
  for (const { stop } of running.splice(0)) await stop();
});

const start = (...args: string[]) =>
  follow(spawn(process.execPath, ['cli/standalone/start.ts', '--endpoints', file, ...args], { cwd: root }));

const follow = (child: ChildProcessWithoutNullStreams) => {
  const output: string[] = [];
  child.stdout.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => output.push(chunk.toString()));
  const exited = once(child, 'exit');
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    await exited;
    return child.exitCode;
  };
  running.push({ stop });
  const kill = (signal: NodeJS.Signals): boolean => child.kill(signal);
  return {
    pid: child.pid,
    kill,
    stop,
    exited,
    output: () => output.join(''),
    exitCode: () => child.exitCode,
  };
};

/** What a start says that must fail. Of two options of one name the last is taken. */
const refusalOf = async (...args: string[]): Promise<string> => {
  const service = start('--port', '0', ...args);
  await service.exited;
  expect(service.exitCode()).toBe(1);
  return service.output();
};

const read = (): Endpoints => v.parse(Endpoints, JSON.parse(readFileSync(file, 'utf8')));

/** Waits for the file of the process, or for any file without its id: npm starts the service in a process of its own. */
const ready = (service: ReturnType<typeof start>, withinMs = READY_MS): Promise<Endpoints> =>
  until(
    'the service is ready',
    () => {
      if (service.exitCode() !== null) throw new Error(service.output());
      const written = existsSync(file) ? read() : undefined;
      return service.pid === undefined || written?.pid === service.pid ? written : undefined;
    },
    withinMs,
  );

/** The folder, and all files and folders below it, that another user of the machine may read, write or enter. */
const openToOthers = (folder: string): readonly string[] =>
  [
    folder,
    ...readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  ].filter((path) => existsSync(path) && (statSync(path).mode & 0o077) !== 0);

const Token = v.looseObject({ access_token: v.string() });

const signIn = async ({ auth_url, client_id, username, password }: Endpoints): Promise<string> => {
  const answer = await fetch(`${auth_url}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_type: 'password', client_id, username, password }),
  });
  return v.parse(Token, await answer.json()).access_token;
};

const request = (url: string, token: string, body?: object): Promise<Response> =>
  fetch(url, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

// The stacks with a data folder differ: no page of theirs names the demo accounts.
beforeAll(async () => {
  for (const data of [[], ['--data', join(folder, 'built')]]) {
    const service = start('--port', '0', ...data);
    await ready(service, BUILT_MS);
    await service.stop();
  }
}, 240_000);

describe('npm start', () => {
  it('npm start is ready in time, prints every address, keeps --data over a restart, and stops in time', async () => {
    const data = join(folder, 'data');
    const first = start('--port', '0', '--data', data, '--context', 'momentIntervalSeconds=5');
    // The stacks of these settings are not built yet.
    const before = await ready(first, BUILT_MS);
    expect((await fetch(`${before.base_url}/healthz`)).status).toBe(200);
    expect(await (await fetch(before.inbox_url)).json()).toEqual([]);
    expect(before.other.property_id).not.toBe(before.property_id);
    // Another user of this machine reaches the ports, but neither the people nor the password.
    expect(before.password).toMatch(/^[0-9a-f]{32}$/);
    expect(first.output()).toContain(before.password);
    expect(openToOthers(data)).toEqual([]);
    expect(await (await fetch(`${before.base_url}/docs/try`)).text()).not.toContain('demo-accounts" content');
    for (const address of [before.base_url, before.aws_endpoint, before.inbox_url]) {
      const { port } = new URL(address);
      expect((await getAs(address, `localhost:${port}`)).status).not.toBe(421);
      for (const host of [`rebound.example:${port}`, '127.0.0.1', `127.0.0.1.rebound.example:${port}`])
        expect((await getAs(address, host)).status).toBe(421);
    }
    const token = await signIn(before);
    const profiles = `/v1/${before.property_id}/profiles`;
    expect((await request(before.base_url + profiles, token, { email: 'ann@example.com' })).status).toBe(201);

    const stopping = performance.now();
    expect(await first.stop()).toBe(0);
    expect(performance.now() - stopping).toBeLessThan(STOPPED_MS);
    expect(existsSync(file)).toBe(false);

    const after = await ready(start('--port', '0', '--data', data));
    expect([after.property_id, after.client_id]).toEqual([before.property_id, before.client_id]);
    expect([after.password, after.other.password]).toEqual([before.password, before.other.password]);
    await signIn(after);
    const lookup = `/v1/${after.property_id}/profile?email=ann@example.com`;
    const found = await request(after.base_url + lookup, token);
    expect([found.status, await found.json()]).toMatchObject([
      200,
      { profile: { email: 'ann@example.com' } },
    ]);
  }, 180_000);

  it('npm start stops at SIGINT as well', async () => {
    const service = start('--port', '0');
    await ready(service);
    const stopping = performance.now();
    expect(await service.stop('SIGINT')).toBe(0);
    expect(performance.now() - stopping).toBeLessThan(STOPPED_MS);
  });

  it.each([
    ['SIGTERM', 'npm alone'],
    ['SIGINT', 'npm alone'],
    ['SIGTERM', 'the whole group'],
    ['SIGINT', 'the whole group'],
  ] as const)('the npm script stops at %s to %s', async (signal, target) => {
    const args = ['start', '--silent', '--', '--endpoints', file, '--port', '0'];
    const child = spawn('npm', args, { cwd: root, detached: true });
    const service = follow(child);
    const { base_url } = await ready({ ...service, pid: undefined });
    const stopping = performance.now();
    if (target === 'npm alone') child.kill(signal);
    else if (child.pid !== undefined) process.kill(-child.pid, signal);
    await service.exited;
    expect(service.exitCode()).toBe(0);
    expect(performance.now() - stopping).toBeLessThan(STOPPED_MS);
    await expect(fetch(`${base_url}/healthz`)).rejects.toThrow();
  });

  it('npm start stops while it is still starting', async () => {
    const service = start('--port', '0');
    const runs = join(root, '.local', 'runs');
    const begun = (): boolean =>
      existsSync(runs) && readdirSync(runs).some((name) => name.startsWith(`run-${service.pid ?? 0}-`));
    await until('it has begun to start', () => begun() || undefined);
    const stopping = performance.now();
    expect(await service.stop()).toBe(0);
    expect(performance.now() - stopping).toBeLessThan(STOPPED_MS);
    expect(existsSync(file)).toBe(false);
  });

  describe('beside a running service', () => {
    const data = join(folder, 'shared-data');
    let first: ReturnType<typeof start>;
    let baseUrl: string;
    beforeAll(async () => {
      first = start('--port', '0', '--data', data);
      baseUrl = (await ready(first)).base_url;
      // It outlives each of the tests.
      running.splice(0);
    });
    afterAll(() => first.stop());

    it('npm start reports a taken port in one sentence', async () => {
      const elsewhere = ['--endpoints', join(folder, 'second.json')];
      const told = await refusalOf('--port', new URL(baseUrl).port, ...elsewhere);
      expect(told).toMatch(/^The port \d+ is taken; .*\n$/);
      expect(existsSync(file)).toBe(true);
    });

    it('npm start reports the file of addresses of another running service in one sentence, and leaves it', async () => {
      expect(await refusalOf()).toBe(
        `A service runs at ${baseUrl}, and its addresses are in ${file}; give this one another file with --endpoints.\n`,
      );
      expect(read().base_url).toBe(baseUrl);
    });

    it('npm start reports a data folder in use in one sentence', async () => {
      expect(await refusalOf('--data', data, '--endpoints', join(folder, 'second.json'))).toBe(
        `The folder ${data} is used by another service (process ${first.pid}); stop it, or choose another folder with --data.\n`,
      );
    });

    it('a start that fails leaves the file of addresses of a service that does not answer at the moment', async () => {
      first.kill('SIGSTOP');
      const told = await refusalOf().finally(() => first.kill('SIGCONT'));
      expect(told).toContain(`A service runs at ${baseUrl}`);
      expect(read().base_url).toBe(baseUrl);
    });
  });

  it.each([
    ['--data', '/proc/x', 'The folder /proc/x cannot be written (ENOENT); choose another with --data.'],
    ['--data', join(root, 'README.md'), 'README.md is a file, not a folder; choose another with --data.'],
    ['--data', join(root, 'README.md/x'), 'README.md/x cannot be written (ENOTDIR)'],
    ['--endpoints', '/proc/x/y.json', '/proc/x cannot be written (ENOENT).'],
    ['--port', 'http', '--port takes a number'],
    ['--port', '70000', '--port takes a number'],
    ['--context', 'novalue', '--context takes key=value'],
    ['--context', 'colour=red', 'Unknown setting colour'],
    ['--faults', '1', '--faults takes <seed>:<rate>'],
    ['--verbose', '', "Unknown option '--verbose'"],
  ])('npm start refuses %s %s in one sentence, at once', async (name, value, sentence) => {
    const told = await refusalOf(name, ...(value === '' ? [] : [value]));
    expect(told).toContain(sentence);
    expect(told.trim().split('\n')).toHaveLength(1);
  });

  it('npm start replaces the file of a service that ended without removing it', async () => {
    const killed = start('--port', '0');
    const { base_url } = await ready(killed);
    await killed.stop('SIGKILL');
    expect(existsSync(file)).toBe(true);
    const second = start('--port', '0', '--faults', '7:0');
    await until('the new service is ready', () => second.output().includes('Tidemark runs') || undefined);
    expect(read().base_url).not.toBe(base_url);
    expect(second.output()).toContain('Faults of seed 7 disturb 0 % of AWS calls');
  });
});
