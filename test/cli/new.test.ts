/** `npm run new` in a copy of the repository: what it writes compiles, and its tests fail for the reason that they state. */
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { textLike } from '../support/answers.ts';
import { faultsIn, programOf } from '../support/type-check.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const root = join(import.meta.dirname, '../..');
const copy = newFolders()();

const run = (...command: readonly string[]): { readonly status: number | null; readonly output: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    ...{ cwd: copy, encoding: 'utf8' },
    env: { ...process.env, NO_COLOR: '1', FORCE_COLOR: '' },
  });
  return { status, output: stdout + stderr };
};

beforeAll(() => {
  // The tables in memory tell their items of a kind as a local service does.
  const tools = ['cli/new.ts', 'cli/standalone/item-kinds.ts'];
  for (const part of [...tools, 'functions', 'shared', 'test/support', 'package.json', 'tsconfig.json'])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  cpSync(join(root, '.prettierrc.json'), join(copy, '.prettierrc.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
});

/** The files that a call wrote. */
const written = (...route: readonly string[]): readonly string[] => {
  const { status, output } = run('cli/new.ts', ...route);
  expect(status, output).toBe(0);
  return output.split('\n\n')[0]?.split('\n') ?? [];
};

describe('npm run new', () => {
  const files: string[] = [];

  it('writes a route of a new area, and routes beside others', () => {
    const thing = written('GET', 'things/{thing_id}');
    expect(thing).toEqual([
      'shared/things/schemas.ts',
      'shared/things/get-thing.ts',
      'functions/things/entries.ts',
      'functions/things/get-thing.ts',
      'test/things/get-thing.test.ts',
      'functions/manifest.ts',
    ]);
    const members = written('GET', 'collections/{collection_id}/segments');
    expect(members).toContain('functions/collections/list-collection-segments.ts');
    const closed = written('POST', 'things/{thing_id}/close', 'closeThing');
    expect(closed).toHaveLength(5);
    const list = written('GET', 'things');
    expect(list).toContain('functions/things/list-things.ts');
    const replaced = written('PUT', 'things/{thing_id}');
    expect(replaced).toContain('functions/things/replace-thing.ts');
    const manifest = readFileSync(join(copy, 'functions/manifest.ts'), 'utf8');
    expect(manifest).toMatch(/^import \* as things from '.\/things\/entries.ts';$/m);
    expect(manifest).toMatch(/^ {2}\.\.\.things,\n\};$/m);
    files.push(...thing, ...members, ...closed, ...list, ...replaced);
  });

  it('writes what compiles', () => {
    // The types of the manifest are those of all entries, which take long.
    const own = files.filter((file) => file !== 'functions/manifest.ts');
    const texts = new Map(own.map((file) => [file, readFileSync(join(copy, file), 'utf8')]));
    expect(faultsIn(programOf(texts), texts.keys())).toEqual([]);
  });

  it('writes tests that fail, and say what to fill in', () => {
    const { status, output } = run('node_modules/vitest/vitest.mjs', 'run', 'test/things/get-thing.test.ts');
    expect(status).toBe(1);
    expect(output).toContain('Write getThing in shared/things/get-thing.ts');
    expect(output).toContain('Write getThingAnswer in shared/things/schemas.ts');
    expect(output).toContain('Write the summary in functions/things/entries.ts');
    expect(output).toMatch(/Tests\s+3 failed \| 1 passed \(4\)/);
  });

  it('refuses a route that is there, and a path that is none', () => {
    const again = run('cli/new.ts', 'GET', 'things/{thing_id}');
    expect(again).toMatchObject({ status: 1, output: textLike(/has getThing already/) });
    expect(run('cli/new.ts', 'FETCH', 'things')).toMatchObject({ status: 1 });
    expect(run('cli/new.ts', 'GET', '/v1/things')).toMatchObject({ status: 1 });
  });
});
