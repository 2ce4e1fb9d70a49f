import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeWith } from '../../local/test/support/installed.ts';
import { isFull } from '../support/scale.ts';
import { copySource, root } from '../support/source-copy.ts';
import { openSshd, type Sshd } from '../support/sshd.ts';
import { until } from '../support/until.ts';

/** A busy machine takes more than a minute to start the service from nothing. */
const PATIENCE_MS = 150_000;

/** The commands of the page, one text for each block, in order. */
const blocksOf = (page: string): readonly string[] =>
  [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands = '']) => commands);

/** The whole lines of output that the page shows: those that it shortens have an ellipsis, and some have a duration. */
const outputOf = (page: string): readonly string[] =>
  [...page.replaceAll(/^```sh\n.*?^```$/gms, '').matchAll(/^```\n(.*?)^```$/gms)]
    .flatMap(([, output = '']) => output.split('\n'))
    .filter((line) => line !== '' && !/…|\(\d+\.\d s\)/.test(line));

/** Somebody adds the key to the server before the page tests the way there. An import with refused rows ends with 1. */
const scriptOf = (blocks: readonly string[]): string =>
  blocks
    .map((block) =>
      /export(\/| )test/.test(block) ? `until [ -e authorized ]; do sleep 0.1; done\n${block}` : block,
    )
    .join('')
    .replace(/^tidemark import .* --(dry-run|yes)$/gm, '$& || [ $? -eq 1 ]');

/** A copy of the source, which has a running service and a key ring of its own. */
const copyOfSource = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'tidemark-page-'));
  copySource(folder, ['openapi.json']);
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  // In the sample, the copy takes the builds of this checkout. Otherwise it builds the functions and stacks itself.
  if (!isFull) await symlink(join(root, '.build'), join(folder, '.build'));
  await mkdir(join(folder, '.gnupg'), { mode: 0o700 });
  return folder;
};

describeWith('sshd', 'the tutorials', (sshdPath) => {
  describe.each(['docs/first-file.md', 'docs/first-file-curl.md'])('%s', (path) => {
    let folder = '';
    let sshd: Sshd;
    let service: ChildProcess | undefined;
    let environment: NodeJS.ProcessEnv = {};

    beforeAll(async () => {
      folder = await copyOfSource();
      sshd = await openSshd(sshdPath);
      const { domain: server, username: user } = sshd;
      environment = { ...process.env, HOME: folder, GNUPGHOME: join(folder, '.gnupg'), server, user };
    });

    afterAll(async () => {
      service?.kill('SIGTERM');
      if (service) await once(service, 'exit');
      await sshd[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    });

    /** Runs the commands behind the first block, and answers what they print. */
    const run = async (blocks: readonly string[]): Promise<string> => {
      await writeFile(join(folder, 'page.sh'), `set -eu\n${scriptOf(blocks)}`);
      const page = spawn('bash', ['page.sh'], { cwd: folder, env: environment });
      let said = '';
      const hear = (chunk: Buffer) => {
        said += chunk.toString();
      };
      page.stdout.on('data', hear);
      page.stderr.on('data', hear);
      const ended = once(page, 'exit');
      const keyLine = (): string | undefined => {
        if (page.exitCode !== null) throw new Error('the page ended early');
        return /^ssh-ed25519 .+$/m.exec(said)?.[0];
      };
      void until('the public key', keyLine, PATIENCE_MS)
        .then((line) => sshd.authorize(line))
        .then(() => writeFile(join(folder, 'authorized'), ''))
        .catch(() => page.kill());
      const [code] = v.parse(v.tuple([v.nullable(v.number()), v.unknown()]), await ended);
      expect(`${said}\nexit ${code}`).toMatch(/\nexit 0$/);
      return said;
    };

    it('its commands do what it says, as they stand', { timeout: 300_000 }, async () => {
      const page = await readFile(join(root, path), 'utf8');
      const [start = '', ...blocks] = blocksOf(page);
      service = spawn('bash', ['-c', `exec ${start}`], { cwd: folder, env: environment, stdio: 'ignore' });
      const endpoints = join(folder, '.local/endpoints.json');
      await until('the service', () => existsSync(endpoints) || undefined, PATIENCE_MS);
      const said = (await run(blocks)).split('\n').map((line) => line.trimEnd());
      expect(outputOf(page).filter((line) => !said.includes(line))).toEqual([]);
      // The addresses with ` (at) `. The suggestion lists `unbekannt` as nobody's address, so those rows are stored.
      expect(said.join('\n')).toMatch(/5,053 rows stored; 47 refused|unserializable: 47/);
      const [file = ''] = (await readdir(sshd.folder)).filter((name) => name.startsWith('visitors-'));
      expect(file).toMatch(/^visitors-\d{4}-\d\d-\d\d\.csv\.pgp$/);
      const plain = execFileSync('gpg', ['--batch', '--decrypt', join(sshd.folder, file)], {
        env: environment,
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      const rows = plain.toString().trimEnd().split('\r\n');
      expect(rows.length).toBeGreaterThan(100);
      expect(rows.every((row) => !row.includes('unbekannt'))).toBe(true);
    });
  });
});
