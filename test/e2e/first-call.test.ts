/** The page `docs/first-call.md`, as a reader follows it: its commands and programs as they stand, in a fresh checkout. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ENDPOINTS_FILE, writeEndpoints } from '../../cli/standalone/endpoints.ts';
import { newFolders } from '../../local/test/support/folders.ts';
import { checkedByMypy, hasPython } from '../support/package-user.ts';
import { startService, type TestService } from '../support/service.ts';
import { copySource, root } from '../support/source-copy.ts';
import { faultsIn, programOf } from '../support/type-check.ts';

const page = readFileSync(join(root, 'docs/first-call.md'), 'utf8');

/** The blocks of commands and programs, in order. */
const blocks = [...page.matchAll(/^```(sh|ts|py)\n(.*?)^```$/gms)].map(
  ([, language = '', text = '']) => [language, text] as const,
);
const [start, ...steps] = blocks;

/** Where the page says to save the program of a language. */
const programs: Readonly<Record<string, string>> = { ts: 'first.mjs', py: 'first.py' };

const newFolder = newFolders();
const checkout = newFolder();
const home = newFolder();

let service: TestService;
beforeAll(async () => {
  copySource(checkout, ['openapi.json', 'tsconfig.json', 'LICENSE']);
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  service = await startService();
  // Where `npm start` says where it is.
  mkdirSync(join(checkout, '.local'));
  writeEndpoints(join(checkout, ENDPOINTS_FILE), service.cloud.endpoints);
}, 120_000);

afterAll(() => service[Symbol.asyncDispose]());

/** Runs the commands of a block, and returns what they printed. Rejects when one fails. */
const runBlock = (commands: string): Promise<string> =>
  new Promise((resolve, reject) => {
    // Debian's Python has what builds the package.
    const path = [dirname(process.execPath), '/usr/bin', process.env['PATH']].join(delimiter);
    const env = { PATH: path, HOME: home, npm_config_offline: 'true' };
    execFile('bash', ['-euc', commands], { cwd: checkout, env }, (failure, out, faults) => {
      if (failure) reject(new Error(`${commands}${out}${faults}`));
      else resolve(out);
    });
  });

it('starts the service that the other commands and programs meet', () => {
  expect(start).toEqual(['sh', 'npm start\n']);
});

it.runIf(hasPython('ensurepip', 'flit_core'))(
  'its commands and programs do what it says',
  { timeout: 180_000 },
  async () => {
    const said: string[] = [];
    for (const [language, text] of steps) {
      const file = programs[language];
      if (file === undefined) said.push(await runBlock(text));
      // Only the port differs: a service of a test takes a free one.
      else
        writeFileSync(
          join(home, 'first-call', file),
          text.replace('http://127.0.0.1:8080', service.cloud.endpoints.base_url),
        );
    }
    const all = said.join('\n');
    expect(all.match(/^Ada is [\da-f-]{36}$/gm)).toHaveLength(2);
    expect(all.match(/^In Jazz: [Tt]rue \[/gm)).toHaveLength(2);
    expect(all).toMatch(/^email +ada@example\.org$/m);
    expect(all).toMatch(/^In "Jazz":\n.*because of tags "Jazz"/m);
  },
);

it('its program in TypeScript compiles', () => {
  const texts = steps.filter(([language]) => language === 'ts').map(([, text]) => text);
  const files = new Map(texts.map((text, at) => [`test/e2e/first-${at}.mts`, text]));
  const options = { paths: { tidemark: [join(root, 'client/src/index.ts')] } };
  expect(files.size).toBe(1);
  expect(faultsIn(programOf(files, options), files.keys())).toEqual([]);
});

it.runIf(hasPython('mypy'))('the types of its program in Python are sound', () => {
  const texts = steps.filter(([language]) => language === 'py').map(([, text]) => text);
  const files = new Map(texts.map((text, at) => [`first_${at}.py`, text]));
  expect(files.size).toBe(1);
  expect(checkedByMypy(newFolder(), files)).toBe('');
});
