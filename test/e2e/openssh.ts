import { spawn } from 'node:child_process';

/** The options of `sftp`. */
export interface OpenSshRun {
  readonly port: number;
  readonly username: string;
  /** The folder of local files, which also serves as its home. */
  readonly folder: string;
  readonly options: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs `sftp` with these lines as its input; returns its exit code and its output. */
export const openSsh = (
  { port, username, folder, options, env = {} }: OpenSshRun,
  lines: readonly string[],
): Promise<{ readonly code: number | null; readonly text: string }> =>
  new Promise((resolve) => {
    const known = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'IdentityAgent=none'];
    const common = [...known.flatMap((one) => ['-o', one]), '-q', '-P', String(port)];
    const child = spawn('sftp', [...common, ...options, `${username}@127.0.0.1`], {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env },
    });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += String(chunk)));
    child.once('close', (code) => resolve({ code, text }));
    child.stdin.end(`${lines.join('\n')}\n`);
  });
