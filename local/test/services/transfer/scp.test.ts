import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { newKeyPair } from '../../../services/transfer/host-key.ts';
import { describeWith } from '../../support/installed.ts';
import { BUCKET, DIRECTORY, transferHarness, type TransferHarness } from './harness.ts';
import { newFolders } from '../../support/folders.ts';

const owner = newKeyPair();

let harness: TransferHarness;
const newFolder = newFolders();
let folder: string;
beforeEach(async () => {
  harness = await transferHarness(owner.public);
  folder = newFolder();
  writeFileSync(join(folder, 'key'), owner.private, { mode: 0o600 });
});
afterEach(async () => {
  await harness[Symbol.asyncDispose]();
});

describeWith('scp', 'the scp of OpenSSH', (scp) => {
  const settings = [
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'IdentityAgent=none',
    'IdentitiesOnly=yes',
  ];
  /** Runs `scp`; returns its exit code and its output. */
  const run = (...files: readonly string[]): Promise<{ readonly code: unknown; readonly text: string }> =>
    new Promise((resolve) => {
      const options = settings.flatMap((one) => ['-o', one]);
      // `-s` selects SFTP, which versions before 9.0 use only on request.
      const args = ['-s', '-q', '-P', String(harness.transfer.port), '-i', 'key', ...options, ...files];
      const env = { PATH: process.env['PATH'] ?? '', HOME: folder };
      execFile(scp, args, { cwd: folder, env }, (error, out, text) => {
        resolve({ code: error?.code ?? 0, text: out + text });
      });
    });
  const remote = 'demo@127.0.0.1:/imports/5/people.csv';
  const stored = async () => (await harness.s3.get(BUCKET, `${DIRECTORY}people.csv`))?.toString();

  it.each([
    ['shorter', 'email\n'],
    ['longer', `email\n${'a@x.org\n'.repeat(50_000)}`],
  ])('scp delivers a file, replaces it by a %s file, and succeeds', async (_, second) => {
    const first = `email\n${'old@x.org\n'.repeat(1_000)}`;
    for (const content of [first, second]) {
      writeFileSync(join(folder, 'people.csv'), content);
      expect(await run('people.csv', remote)).toEqual({ code: 0, text: '' });
      expect(await stored()).toBe(content);
    }
    expect(harness.told()).toEqual(['Upload Completed', 'Upload Completed']);
  });

  it('scp fetches a file and succeeds', async () => {
    writeFileSync(join(folder, 'people.csv'), 'email\n');
    await run('people.csv', remote);
    expect(await run(remote, 'back.csv')).toEqual({ code: 0, text: '' });
    expect(readFileSync(join(folder, 'back.csv'), 'utf8')).toBe('email\n');
  });

  it('scp fails where the user may not write', async () => {
    writeFileSync(join(folder, 'people.csv'), 'email\n');
    expect(await run('people.csv', 'demo@127.0.0.1:/people.csv')).toMatchObject({ code: 1 });
  });
});
