import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe } from 'vitest';

/** Programs of others that tests meet the service with, and the Debian package of each. */
const packages = {
  chromium: 'chromium',
  gpg: 'gnupg',
  scp: 'openssh-client',
  sftp: 'openssh-client',
  sshd: 'openssh-server',
  proftpd: 'proftpd-core proftpd-mod-crypto',
  'libpam_wrapper.so': 'libpam-wrapper',
} as const;

/** Folders of servers and of libraries. */
const folders = [
  '/usr/sbin',
  '/usr/local/sbin',
  `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`,
];

/** The path of a program, looked for where servers live too. */
export const programPath = (name: keyof typeof packages): string | undefined =>
  [...(process.env['PATH'] ?? '').split(delimiter), ...folders]
    .map((folder) => join(folder, name))
    .find(isExecutable);

const isExecutable = (path: string): boolean => {
  try {
    // A library is read and not executed.
    accessSync(path, path.endsWith('.so') ? constants.R_OK : constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Tests that need a program which the machine may lack: `tests` gets its path. Without it they are skipped by name, and
 * said so; where `CI` is set that would hide something, so there they run, and fail.
 */
export const describeWith = (
  name: keyof typeof packages,
  title: string,
  tests: (path: string) => void,
): void => {
  const path = programPath(name);
  if (path === undefined && !process.env['CI']) {
    process.stderr.write(`skipped, for want of ${name} (Debian package ${packages[name]}): ${title}\n`);
    describe.skip(title, () => tests(name));
    return;
  }
  describe(title, () => tests(path ?? name));
};
