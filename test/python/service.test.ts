import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isDownloaded } from '../../client/python/generator.ts';
import { startService, type TestService } from '../support/service.ts';

const root = join(import.meta.dirname, '../..');
const client = join(root, '.build/python');

/** Debian's Python, which has the packages that the client uses. */
const python = '/usr/bin/python3';

const execute = promisify(execFile);

/** Runs a program of Python with the client and returns its output. Rejects with its output when it fails. */
const run = async (...args: readonly string[]): Promise<string> => {
  const env = { ...process.env, PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: '1' };
  return (await execute(python, args, { cwd: root, env })).stdout;
};

const starts = (command: string, args: readonly string[]): boolean => spawnSync(command, args).status === 0;

/** Fails without the packages that the client uses. It does not work with pydantic 2. */
const packages = 'import pydantic, dateutil, urllib3; assert pydantic.VERSION.startswith("1.")';

/** What the machine lacks, in words. */
const lack = [
  !starts('java', ['-version']) && 'Java',
  !starts(python, ['-c', packages]) && 'python3-pydantic (version 1), python3-dateutil, python3-urllib3',
  !isDownloaded() && 'the generator, which `npm run build:python-client` downloads',
].filter((each) => each !== false);

/** On CI a skipped test would hide something, so there the tests run and fail. */
const isPossible = lack.length === 0 || Boolean(process.env['CI']);
// The report of the run names no skipped test.
if (!isPossible) process.stderr.write(`LEFT OUT: the Python client. Missing: ${lack.join('; ')}.\n`);

describe.runIf(isPossible)('the generated Python client', () => {
  beforeAll(async () => {
    await execute(process.execPath, ['client/python/build.ts'], { cwd: root });
  }, 300_000);

  test('reads and writes every example of the API document without loss', async () => {
    const output = v.parse(reportSchema, JSON.parse(await run('test/python/examples.py', 'openapi.json')));
    expect(output.faults).toEqual([]);
    expect(output.examples).toBeGreaterThan(80);
  });

  describe('beside a running service', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService();
    });
    afterAll(() => service[Symbol.asyncDispose]());

    test('signs in, stores and reads a profile, pages through a list, and gets problems', async () => {
      const { base_url, client_id, username, password } = v.parse(accessSchema, service.cloud.endpoints);
      const access = [base_url, client_id, username, password, String(service.property)];
      const output = await run('test/python/calls.py', ...access);
      const { ids, ...facts } = v.parse(factsSchema, JSON.parse(output));
      expect(facts).toEqual({
        stranger: [401, 'unauthorized'],
        properties: [service.property],
        expires: 0,
        repeated: true,
        profile: ['ada@example.org', 'Ada', null],
        tags: ['Jazz'],
        extra_data: { seat: 'A7', visits: 3, member: true, years: [2024, 2025] },
        source: 'api',
        segment: ['custom', 1],
        definition: { all: [ids['everyone'], { any: [{ not: ids['everyone'] }, ids['Jazz']] }] },
        pages: [['One', 'Two'], ['Three']],
        missing: [404, 'not_found', 'Not Found'],
        faulty: [422, 'invalid', [['/segment/0', 'unknown_reference']]],
      });
    });

    test('the programs of the README run', async () => {
      const { base_url } = v.parse(accessSchema, service.cloud.endpoints);
      const readme = readFileSync(join(root, 'client/README.md'), 'utf8');
      const programs = [...readme.matchAll(/^```py\n(.*?)^```$/gms)].map(([, program = '']) => program);
      const outputs: string[] = [];
      for (const program of programs)
        outputs.push(await run('-c', program.replace('http://127.0.0.1:8080', base_url)));
      expect(outputs).toEqual([
        expect.stringContaining("'first_name': 'Ada'"),
        'Ada Lovelace\n404 not_found Nobody in property 1001 has this email.\n',
      ]);
    });
  });
});

const reportSchema = v.object({ examples: v.number(), faults: v.array(v.string()) });
const factsSchema = v.looseObject({ ids: v.record(v.string(), v.number()) });
const accessSchema = v.object({
  base_url: v.string(),
  client_id: v.string(),
  username: v.string(),
  password: v.string(),
});
