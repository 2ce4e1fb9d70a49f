import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

describeWith('sshd', 'docs/first-file.md', (sshdPath) => {
  let folder = '';
  let sshd: Sshd;
  let service: ChildProcess | undefined;
  let environment: NodeJS.ProcessEnv = {};

  beforeAll(async () => {
    folder = await copyOfSource();
    sshd = await openSshd(sshdPath);
    const { domain: server, username: user } = sshd;
    environment = { ...process.env, GNUPGHOME: join(folder, '.gnupg'), server, user };
  });

  afterAll(async () => {
    service?.kill('SIGTERM');
    if (service) await once(service, 'exit');
    await sshd[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  it('its commands do what it says, as they stand', { timeout: 300_000 }, async () => {
    const [start = '', ...blocks] = blocksOf(await readFile(join(root, 'docs/first-file.md'), 'utf8'));
    service = spawn('bash', ['-c', `exec ${start}`], { cwd: folder, env: environment, stdio: 'ignore' });
    const endpoints = join(folder, '.local/endpoints.json');
    await until('the service', () => existsSync(endpoints) || undefined, PATIENCE_MS);
    // Somebody adds the key to the server between two blocks.
    const authorized = 'until [ -e authorized ]; do sleep 0.1; done\n';
    const script = blocks.map((block) => (block.includes('key.pub\n') ? block + authorized : block)).join('');
    await writeFile(join(folder, 'page.sh'), `set -eu\n${script}`);
    const page = spawn('bash', ['page.sh'], { cwd: folder, env: environment });
    const output: Buffer[] = [];
    page.stdout.on('data', (chunk: Buffer) => output.push(chunk));
    page.stderr.on('data', (chunk: Buffer) => output.push(chunk));
    const ended = once(page, 'exit');
    const keyLine = async (): Promise<string | undefined> => {
      if (page.exitCode !== null) throw new Error('the page ended early');
      const line = await readFile(join(folder, 'key.pub'), 'utf8').catch(() => '');
      return line.endsWith('\n') ? line : undefined;
    };
    void until('the public key', keyLine, PATIENCE_MS)
      .then((line) => sshd.authorize(line.trim()))
      .then(() => writeFile(join(folder, 'authorized'), ''))
      .catch(() => page.kill());
    const [code] = v.parse(v.tuple([v.nullable(v.number()), v.unknown()]), await ended);
    const said = Buffer.concat(output).toString();
    expect(`${said}\nexit ${code}`).toMatch(/\nexit 0$/);
    const counts = v.object({
      status: v.string(),
      ingested: v.number(),
      unserializable: v.number(),
      failed: v.number(),
    });
    const imported = v.parse(
      v.object({ counts }),
      JSON.parse(await readFile(join(folder, 'imported.json'), 'utf8')),
    );
    expect(imported.counts).toMatchObject({ status: 'complete-with-errors', ingested: 5_100, failed: 0 });
    // The addresses with ` (at) `. The suggestion lists `unbekannt` as nobody's address, so those rows are stored.
    expect(imported.counts.unserializable).toBe(47);
    expect(said).toMatch(/^complete$/m);
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
