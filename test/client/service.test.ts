import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { installPackage, npm, run } from '../support/package-user.ts';
import { startService, type TestService } from '../support/service.ts';
import { calls, program } from './consumer.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const root = join(import.meta.dirname, '../..');
const modules = join(root, 'node_modules');

const newFolder = newFolders();

/** Where the package is built, and the folder of a user who has installed it. */
const [built, folder] = [newFolder(), newFolder()];

/** Compiles a program of the user, with the types of Node or those of a browser. */
const compile = async (name: string, source: string, lib: 'node' | 'dom'): Promise<void> => {
  writeFileSync(join(folder, `${name}.ts`), source);
  const types =
    lib === 'node'
      ? { lib: ['es2024'], typeRoots: [join(modules, '@types')], types: ['node'] }
      : { lib: ['es2024', 'dom', 'dom.iterable'], types: [] };
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const target = { target: 'es2024', module: 'nodenext', skipLibCheck: false };
  const config = { compilerOptions: { ...target, ...strict, ...types }, files: [`${name}.ts`] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  await run(join(modules, '.bin/tsc'), [], folder);
};

beforeAll(async () => {
  await installPackage(built, folder);
}, 120_000);

describe('the package tidemark, installed in an empty folder', () => {
  test('brings no other package and no source', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      'tidemark',
    ]);
    const installed = join(folder, 'node_modules/tidemark');
    expect(readdirSync(installed).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json']);
    const files = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' });
    expect(files.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))).toEqual([]);
    expect(readFileSync(join(installed, 'dist/index.js'), 'utf8')).not.toMatch(/valibot|openapi-typescript/);
  });

  test('is one that a registry takes: npm publishes it without a correction, and asks only for an account', async () => {
    const said = await npm(['publish', '--dry-run'], join(built, 'tidemark'), built);
    expect(said.match(/^npm warn .*$/gm)).toEqual([expect.stringContaining('requires you to be logged in')]);
    expect(said).toMatch(/^\+ tidemark@\d+\.\d+\.\d+$/m);
  });

  test('names only files that it has, and says once for which Node it is', () => {
    const installed = join(folder, 'node_modules/tidemark');
    const text = readFileSync(join(installed, 'package.json'), 'utf8');
    const named = [...text.matchAll(/"((?:\.\/)?(?:dist|src)\/[^"]+)"/g)].map(([, file = '']) => file);
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((file) => !existsSync(join(installed, file)))).toEqual([]);
    const [, version = ''] = /"node": ">=(\d+)"/.exec(text) ?? [];
    const said = readFileSync(join(installed, 'README.md'), 'utf8').match(/Node \d+/g);
    expect(said).toEqual([`Node ${version}`]);
  });

  test('has the command line, and the licences of what is bundled into it', async () => {
    const help = await run(join(folder, 'node_modules/.bin/tidemark'), ['--help'], folder);
    expect(help).toMatch(/tidemark[^]*import/);
    const licences = readFileSync(join(folder, 'node_modules/tidemark/dist/cli-licences.txt'), 'utf8');
    for (const name of ['commander', 'yaml', 'valibot']) expect(licences).toContain(`${name}\n\n`);
  });

  test('refuses wrong calls when they are compiled, and takes right calls', async () => {
    await compile('calls', calls, 'dom');
  });

  describe('beside a running service', () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService();
    });
    afterAll(() => service[Symbol.asyncDispose]());

    test('imports a file, exports a segment and verifies the webhook', async () => {
      await compile('program', program, 'node');
      const { base_url, client_id, username, password } = v.parse(accessSchema, service.cloud.endpoints);
      const access = [base_url, client_id, username, password, String(service.property)];
      const output = await run(process.execPath, ['program.js', ...access], folder);
      expect(JSON.parse(output)).toEqual({
        status: 'complete-with-errors',
        stored: 40,
        refused: ['not_an_email'],
        members: 40,
        rows: 40,
        event: 40,
        missing: 'not_found',
      });
    });
  });
});

const accessSchema = v.object({
  base_url: v.string(),
  client_id: v.string(),
  username: v.string(),
  password: v.string(),
});
