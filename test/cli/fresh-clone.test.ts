import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { newFolders } from '../../local/test/support/folders.ts';
import { copySource, root } from '../support/source-copy.ts';

const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { scripts } = v.parse(
  v.object({ scripts: v.record(v.string(), v.string()) }),
  JSON.parse(read('package.json')),
);
const documents = globSync(['*.md', 'docs/**/*.md', '.github/**/*.md'], { cwd: root });

const folder = newFolders()();

/**
 * A clone without dependencies, and the folder of an `npm` that installs by a link instead of a download. The link
 * leads to the dependencies of this checkout.
 */
const freshClone = (name: string) => {
  const clone = join(folder, name);
  const programs = join(folder, `${name}-bin`);
  copySource(clone);
  mkdirSync(programs);
  symlinkSync(process.execPath, join(programs, 'node'));
  const install = `#!/bin/sh\n[ "$1" = ci ] && ln -s '${join(root, 'node_modules')}' node_modules\n`;
  writeFileSync(join(programs, 'npm'), install, { mode: 0o755 });
  return { clone, programs };
};

describe('the documented commands of the CDK', () => {
  it.each(['bootstrap', 'diff', 'deploy', 'destroy', 'synth'])(
    'npm run %s works on a clone without dependencies',
    (name) => {
      const { clone, programs } = freshClone(name);
      const { stdout, stderr, status } = spawnSync('/bin/sh', ['-c', `${scripts[name] ?? 'false'} --help`], {
        cwd: clone,
        encoding: 'utf8',
        env: { PATH: [programs, '/usr/bin', '/bin'].join(delimiter), HOME: clone },
      });
      expect(stderr).toContain('Installing dependencies, once');
      expect(stdout).toContain(`cdk ${name}`);
      expect(status).toBe(0);
    },
    60_000,
  );

  it('the documents name only scripts that exist', () => {
    for (const document of documents) {
      const named = [...read(document).matchAll(/npm run ([a-z]+(?:[:-][a-z]+)*)/g)].map(
        ([, name = '']) => name,
      );
      expect(Object.keys(scripts), document).toEqual(expect.arrayContaining(named));
    }
  });

  it('no document starts the CDK or another tool past the launcher', () => {
    const past = documents.filter((document) => /npx |^ *cdk /m.test(read(document)));
    expect(past).toEqual([]);
  });
});
