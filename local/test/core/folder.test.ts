import { mkdirSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { OWNER_ONLY, replaceFile } from '../../core/folder.ts';
import { openKeys } from '../../services/kms/keys.ts';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'tidemark-folder-'));

describe('a file that is replaced', () => {
  it('has the text and the permissions, in a folder that did not exist', () => {
    const file = join(newFolder(), 'a', 'b', 'file');
    replaceFile(file, 'one', OWNER_ONLY);
    replaceFile(file, 'two', OWNER_ONLY);
    expect(readFileSync(file, 'utf8')).toBe('two');
    expect(statSync(file).mode & 0o777).toBe(OWNER_ONLY);
  });

  it('stays as it was when the new text cannot be written', () => {
    const file = join(newFolder(), 'file');
    replaceFile(file, 'one');
    mkdirSync(`${file}.new`);
    expect(() => replaceFile(file, 'two')).toThrow('EISDIR');
    expect(readFileSync(file, 'utf8')).toBe('one');
  });
});

it('a key that cannot be stored leaves the stored keys as they were', () => {
  const folder = newFolder();
  const keys = openKeys(folder);
  keys.create('first', []);
  mkdirSync(join(folder, 'keys.json.new'));
  expect(() => keys.create('second', [])).toThrow('EISDIR');
  const again = openKeys(folder);
  expect(again.master('first')).toEqual(keys.master('first'));
  expect(again.master('second')).toBeUndefined();
});
