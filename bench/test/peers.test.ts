import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findPostgres } from '../peer/installed.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tidemark-peers-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Makes a folder with programs. */
const install = (name: string, programs: readonly string[], mode = 0o755): string => {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  for (const program of programs) writeFileSync(join(path, program), '', { mode });
  return path;
};
const all = ['postgres', 'initdb', 'psql'];

describe('PostgreSQL', () => {
  it('is absent where no folder has all of its programs', () => {
    const path = [install('client', ['psql']), install('empty', [])].join(delimiter);
    install('debian/15/bin', all, 0o644);
    expect(findPostgres(path, join(folder, 'debian'))).toBeUndefined();
    expect(findPostgres('', join(folder, 'nowhere'))).toBeUndefined();
  });

  it('is found in the path', () => {
    const path = [install('client', ['psql']), install('bin', all)].join(delimiter);
    expect(findPostgres(path, join(folder, 'nowhere'))?.postgres).toBe(join(folder, 'bin/postgres'));
  });

  it('is the newest version of Debian, before that of the path', () => {
    const path = install('bin', all);
    for (const version of ['9', '13', '15'])
      install(`debian/${version}/bin`, version === '15' ? ['psql'] : all);
    const found = findPostgres(path, join(folder, 'debian'));
    expect(found?.initdb).toBe(join(folder, 'debian/13/bin/initdb'));
  });
});
