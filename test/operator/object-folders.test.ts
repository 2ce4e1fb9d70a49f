import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undoJobFolder, undoListKey } from '../../shared/ingest/undo-log.ts';
import { propertyFolders } from '../../shared/properties/folders.ts';

const root = join(import.meta.dirname, '../..');

/** The folders of a property by the words before its number. */
const folderWords = new Set(propertyFolders(7).map((folder) => folder.split(/p?7\//)[0]));

/** Texts of this form that name no object, by their first word. */
const noObjects: Readonly<Record<string, string>> = {
  application: 'a media type',
  tidemark: 'a label of a hash',
  deleted: 'a name of a reservation',
  again: 'a name of a reservation',
  'swagger-ui-dist': 'a file of a package',
};

/** The words before the first value of each text in the source that could be the key of an object. */
const writtenFolders = (): readonly (readonly [file: string, words: string])[] =>
  globSync('{shared,functions}/**/*.ts', { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/`((?:[a-z][\w-]*\/)+)p?\$\{/g)].map(
      ([, words = '']) => [file, words] as const,
    ),
  );

describe('the folders of a property', () => {
  it('are all that the source writes into a key', () => {
    const written = writtenFolders();
    expect(written.length).toBeGreaterThan(3);
    expect(
      written.filter(
        ([, words]) => !folderWords.has(words) && noObjects[words.split('/')[0] ?? ''] === undefined,
      ),
    ).toEqual([]);
  });

  it('contain the undo log', () => {
    for (const key of [undoJobFolder(7, 9), undoListKey(7, 9, 'a')])
      expect(propertyFolders(7).filter((folder) => key.startsWith(folder))).toEqual(['undo/7/']);
  });

  it('contain no object of another property', () => {
    const others = [1, 77, 71, 17].flatMap(propertyFolders);
    for (const folder of propertyFolders(7))
      expect(others.filter((other) => other.startsWith(folder) || folder.startsWith(other))).toEqual([]);
  });
});
