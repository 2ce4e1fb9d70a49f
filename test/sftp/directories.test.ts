import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openIn, pathIn } from '../../shared/sftp/directories.ts';
import { SftpFailedError } from '../../shared/sftp/requests.ts';
import { describeWith } from '../../local/test/support/installed.ts';
import { fileOf, later, push, reasonOf, at, serverOf } from './pushing.ts';

const content = Buffer.from('email\r\nada@example.org\r\n');

describeWith('sshd', 'OpenSSH as receiver', (path) => {
  it('OpenSSH receives the file in its directory, relative or absolute, and missing directories are made', async () => {
    await using sshd = await serverOf(path);
    const target = at(sshd);
    for (const directory of ['in/2026-11-22', join(sshd.folder, 'in', 'all ü'), 'in/2026-11-22'])
      expect(await push(target, fileOf(content, 'people.csv', directory), later())).toEqual({ kind: 'sent' });
    expect(await readdir(sshd.folder)).toEqual(['in']);
    expect((await readdir(join(sshd.folder, 'in'))).sort()).toEqual(['2026-11-22', 'all ü']);
    for (const level of ['2026-11-22', 'all ü']) {
      expect(await readdir(join(sshd.folder, 'in', level))).toEqual(['people.csv']);
      expect((await readFile(join(sshd.folder, 'in', level, 'people.csv'))).equals(content)).toBe(true);
    }
  });

  it('OpenSSH refuses a directory that the user may not make', async () => {
    await using sshd = await serverOf(path);
    const target = at(sshd);
    const file = fileOf(content, 'people.csv', '/proc/tidemark/in');
    expect(reasonOf(await push(target, file, later()))).toBe('the server refused to open the file (2)');
  });
});

describe('a file in a directory', () => {
  const refused = (code: number): SftpFailedError =>
    new SftpFailedError('it', Object.assign(new Error('refused'), { code }));
  /** A server on which some directories exist, and others may not be made. */
  const serverWith = (there: readonly string[], forbidden: readonly string[] = []) => {
    const made: string[] = [];
    const directories = new Set(there);
    return {
      made,
      open: (path: string) =>
        directories.has(path.slice(0, path.lastIndexOf('/')))
          ? Promise.resolve(Buffer.from(path))
          : Promise.reject(refused(2)),
      makeDirectory: (path: string) => {
        if (directories.has(path) || forbidden.includes(path)) return Promise.reject(refused(4));
        made.push(path);
        directories.add(path);
        return Promise.resolve();
      },
    };
  };
  const opened = async (server: ReturnType<typeof serverWith>, directory: string) => {
    const path = pathIn(directory, 'x.csv');
    const handle = await openIn(server, directory, { path, flags: 'w' });
    return handle.toString();
  };

  it('is opened without another request where the directory exists', async () => {
    const server = serverWith(['/in/a']);
    expect(await opened(server, '/in/a')).toBe('/in/a/x.csv');
    expect(server.made).toEqual([]);
  });

  it('is opened below levels that exist or that the user may not see', async () => {
    const server = serverWith(['/home/hall'], ['/home']);
    expect(await opened(server, '/home/hall/in/2026')).toBe('/home/hall/in/2026/x.csv');
    expect(server.made).toEqual(['/home/hall/in', '/home/hall/in/2026']);
  });

  it('is refused where the directory cannot be made', async () => {
    await expect(opened(serverWith([], ['in']), 'in')).rejects.toThrow(SftpFailedError);
  });

  it('has a path in the root, in a directory, or in the directory of the login', () => {
    expect([pathIn('/', 'x'), pathIn('in', 'x'), pathIn(null, 'x')]).toEqual(['/x', 'in/x', 'x']);
  });
});
