import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undoJobFolder, undoListKey } from '../../shared/ingest/undo-log.ts';
import { fileFolders, propertyFolders } from '../../shared/properties/folders.ts';
import { exportPlaces, folderPlaces } from '../../shared/properties/places/object-places.ts';

const root = join(import.meta.dirname, '../..');
const sources = globSync('{shared,functions}/**/*.ts', { cwd: root }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));

/** The folders of a property by the words before its number. */
const folderWords = new Set(propertyFolders(3, 7).map((folder) => folder.split(/(?:3\/)?p?7\//)[0]));

/** Texts of this form that name no object, by their first word. */
const noObjects: Readonly<Record<string, string>> = {
  tidemark: 'a label of a hash',
  'swagger-ui-dist': 'a file of a package',
};

/** The words before the first value of each text in the source that could be the key of an object. */
const writtenFolders = (): readonly (readonly [file: string, words: string])[] =>
  sources.flatMap(({ file, text }) =>
    [...text.matchAll(/`((?:[a-z][\w-]*\/)+)p?\$\{/g)].map(([, words = '']) => [file, words] as const),
  );

type Place = keyof typeof folderPlaces | keyof typeof exportPlaces;

/** The places of the objects that each file stores; none where it stores objects of others, or only carries them. */
const writers: Readonly<Record<string, readonly Place[]>> = {
  'shared/runtime/client-bucket.ts': [],
  'shared/runtime/parted-upload.ts': [],
  'shared/runtime/s3-object-store.ts': [],
  'shared/exports/delivery/outgoing-object.ts': [],
  'shared/exports/definitions/test-bucket.ts': [],
  'shared/profiles/access-request.ts': ['access-requests'],
  'shared/retention/erasures.ts': ['erasures'],
  'shared/exports/model/frozen-set.ts': [],
  'shared/exports/file/assemble-export.ts': ['files', 'bases'],
  'shared/exports/file/outgoing-file.ts': ['files'],
  'shared/exports/file/assembly-checkpoint.ts': ['work'],
  'shared/exports/parts/feed-base.ts': ['bases'],
  'shared/exports/parts/write-part.ts': ['work'],
  'shared/exports/runs/plan-export.ts': ['files', 'bases', 'work'],
  'shared/ingest/undo-cleanups.ts': ['undo'],
  'shared/ingest/undo-log.ts': ['undo'],
  'shared/imports/undo/run-undo.ts': ['undo'],
  'shared/imports/retry/retry-import-job.ts': ['corrections'],
  'shared/imports/announce/write-result-files.ts': ['sftp'],
  'shared/imports/definitions/change-imports.ts': ['sftp'],
  'shared/imports/files/expand-file.ts': ['expanded'],
  'shared/imports/dry-run/finish-dry-run.ts': ['rehearsals'],
  'shared/imports/dry-run/rehearsed-batch.ts': ['rehearsals'],
  'shared/imports/uploads/upload-addresses.ts': ['uploads'],
  'shared/imports/uploads/create-upload.ts': ['uploads'],
  'shared/imports/reports/reported-row.ts': ['refused', 'warned'],
  'shared/imports/reports/report-file.ts': ['lists'],
  'shared/imports/batches/import-data.ts': ['batches'],
};

/** Files with a call that stores an object. Tables have a `put`, too. */
const storing = sources.flatMap(({ file, text }) => {
  const calls = text.matchAll(/(?:\.(?:put|putStream|presignPut|begin)|\bstoreFrozen)\(/g);
  return [...calls].some(({ index }) => !text.slice(0, index).trimEnd().endsWith('table')) ? [file] : [];
});

describe('the places of objects', () => {
  it('are all that the source writes into a key', () => {
    const others = writtenFolders().filter(([, words]) => !folderWords.has(words));
    expect(new Set(others.map(([, words]) => words.split('/')[0]))).toEqual(new Set(Object.keys(noObjects)));
  });

  it('are known of every file that stores objects', () => {
    expect(storing.toSorted(), 'say here where the file stores them').toEqual(
      Object.keys(writers).toSorted(),
    );
  });

  it('have each a file that stores objects there', () => {
    const places = [...Object.keys(folderPlaces), ...Object.keys(exportPlaces)];
    expect([...new Set(Object.values(writers).flat())].toSorted()).toEqual(places.toSorted());
  });

  it('are the folders that the deletion of a property empties', () => {
    const places = Object.keys(folderPlaces).length + Object.keys(exportPlaces).length;
    expect(new Set(propertyFolders(3, 7)).size).toBe(places);
    for (const place of Object.keys(folderPlaces))
      expect(propertyFolders(3, 7).filter((folder) => folder.startsWith(`${place}/`))).toHaveLength(1);
  });

  it('are shortened by the rule of a property exactly where the list says so', () => {
    const fewer = Object.entries({ ...folderPlaces, ...exportPlaces }).flatMap(([place, { mayBeFewer }]) =>
      mayBeFewer ? [place] : [],
    );
    const gone = fileFolders(3, 7);
    expect(gone.map(({ place }) => place).toSorted()).toEqual(fewer.toSorted());
    const folders = new Set(propertyFolders(3, 7));
    expect(gone.filter(({ folder }) => !folders.has(folder))).toEqual([]);
    expect(new Set(gone.map(({ folder }) => folder)).size).toBe(gone.length);
  });

  it('contain the undo log', () => {
    for (const key of [undoJobFolder(7, 9), undoListKey(7, 9, 'a')])
      expect(propertyFolders(3, 7).filter((folder) => key.startsWith(folder))).toEqual(['undo/7/']);
  });

  it('contain no object of another property', () => {
    const others = [1, 77, 71, 17].flatMap((property) => propertyFolders(3, property));
    for (const folder of propertyFolders(3, 7))
      expect(others.filter((other) => other.startsWith(folder) || folder.startsWith(other))).toEqual([]);
  });
});
