import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { namingOptions } from '../../client/cli/faults.ts';
import { TidemarkProblem } from '../../client/src/index.ts';
import { inFolder, inMemory } from './run-cli.ts';

describe('help', () => {
  it('explains a command of a group', async () => {
    const { code, stdout } = await inMemory(['help', 'segment', 'create']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage: tidemark segment create /)]);
    expect((await inMemory(['help'])).stdout).toMatch(/^Usage: tidemark \[options\]/);
    expect((await inMemory(['help', 'me'])).stdout).toMatch(/^Usage: tidemark status/);
  });

  it('knows no other words, and an error of each command begins alike', async () => {
    expect((await inMemory(['import'])).stderr).toBe("tidemark: missing required argument 'file'\n");
    expect(await inMemory(['help', 'segment', 'make'])).toEqual({
      code: 2,
      stdout: '',
      stderr: "tidemark: unknown command 'make'\n",
    });
  });
});

describe('a message', () => {
  it.each([
    [['no\x1b[31mpe'], "tidemark: unknown command 'no�[31mpe'\n"],
    [['import', 'no\x1b[31mpe.csv', '--yes'], /^tidemark: There is no file .*no�\[31mpe\.csv\.\n$/],
    [['segment', 'create', 'x', 'Jazz and \x1b]0;x\x07('], /^tidemark: [^\x1b]*$/],
  ])('about %j has nothing that a terminal obeys', async (args, message) => {
    const { stderr } = await inMemory(args);
    expect(stderr).toMatch(message);
    expect(stderr).not.toContain('\x1b');
  });
});

describe('a fault that the service found', () => {
  const problem = new TidemarkProblem(
    { method: 'POST', path: '/exports' },
    {
      status: 422,
      code: 'invalid',
      detail: 'The export is invalid.',
      errors: [
        { pointer: '/a/1', code: 'x', detail: 'It is unknown.' },
        { pointer: '/b', code: 'x', detail: 'It is long.' },
      ],
      requestId: undefined,
      retryAfter: undefined,
    },
  );

  it('has the option of its place', async () => {
    const optionAt = (pointer: string) => (pointer === '/a/1' ? '--a "x"' : undefined);
    await expect(namingOptions(optionAt, Promise.reject(problem))).rejects.toMatchObject({
      message: 'The export is invalid.',
      details: ['--a "x": It is unknown.', '/b: It is long.'],
      exitCode: 1,
    });
    await expect(namingOptions(() => undefined, Promise.reject(problem))).rejects.toBe(problem);
  });
});

describe('a command', () => {
  it.each([
    ['', 'It is empty.'],
    ['a\tb', 'It has control characters.'],
  ])('refuses the identity %j, and names the argument', async (identity, message) => {
    for (const command of ['person', 'forget']) {
      const { code, stderr } = await inMemory([command, identity]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`for argument 'identity'. ${message}`)]);
    }
  });

  it('refuses a folder, an empty file and bad characters where it reads a file, before it calls the service', async () => {
    await inFolder(async (folder) => {
      await mkdir(join(folder, 'list.csv'));
      await writeFile(join(folder, 'empty'), '');
      await writeFile(join(folder, 'visitors.csv'), 'email\n');
      await writeFile(join(folder, 'unclean.csv'), 'email\r\na\tb\r\n\x1b\r\n');
      const refusals: readonly (readonly [readonly string[], string])[] = [
        [['import', 'list.csv', '--yes'], 'list.csv is a folder, not a file.'],
        [['retry', 'list.csv'], 'list.csv is a folder, not a file.'],
        [['retry', 'unclean.csv'], 'remove them, or their rows.\n  line 3\n'],
        [['plan', 'list.csv'], 'list.csv is a folder, not a file.'],
        [['export', 'create', '--segment', 'Jazz', '--pgp', 'empty'], 'empty is empty.'],
        [['export', 'create', '--segment', 'Jazz', '--output', 'list.csv'], 'exists already'],
        [['export', 'create', '--segment', 'Jazz', '--output', 'no/jazz.csv'], 'There is no folder'],
        [['export', 'run', 'Jazz', '--output', 'empty'], 'exists already'],
        [['import', 'visitors.csv', '--save-mapping', 'empty'], 'exists already'],
      ];
      for (const [args, message] of refusals) {
        const { code, stderr } = await inMemory(args, folder);
        expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
      }
    });
  });
});
