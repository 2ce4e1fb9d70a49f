import { expect, it } from 'vitest';
import { propertyFolders } from '../../shared/properties/folders.ts';
import {
  correctionsKeyOf,
  dryRunKeyOf,
  expandedKeyOf,
  parseUploadKey,
  recordsKeyOf,
  rehearsalKeyOf,
  reportFileKeyOf,
  reportKeyOf,
  uploadKeyOf,
} from '../../shared/imports/items/object-keys.ts';

const hash = 'a'.repeat(32);

it('an uploaded object leads back to its job', () => {
  expect(parseUploadKey(uploadKeyOf(3, 3_000_000_007, 3_000_000_009, 'July 2026.csv'))).toEqual({
    property: 3,
    import: 3_000_000_007,
    job: 3_000_000_009,
  });
});

it('no other object is taken for an upload', () => {
  for (const key of [
    `uploads/3/imports/7/${hash}`,
    `uploads/3/imports/7/9/${hash}/more`,
    `uploads/3/imports/7/9/${hash.slice(1)}`,
    `uploads/x/imports/7/9/${hash}`,
    `more/uploads/3/imports/7/9/${hash}`,
  ])
    expect(parseUploadKey(key)).toBeUndefined();
});

it('everything that an import stores lies in a folder of its property', () => {
  const job = { property: 3, id: 9 };
  const stored = [
    uploadKeyOf(3, 7, 9, 'f'),
    recordsKeyOf(3, 9, 'batch'),
    correctionsKeyOf(3, 9, 'cause'),
    reportKeyOf('errors', job, 'batch', 'attempt'),
    reportKeyOf('warnings', job, 'batch', 'attempt'),
    reportFileKeyOf('errors', job, 'comma'),
    reportFileKeyOf('errors', job, 'comma-bom'),
    expandedKeyOf(3, 9, 'attempt'),
    rehearsalKeyOf(job, 'batch', 'attempt'),
    dryRunKeyOf(3, 9, 1),
  ];
  const folders = propertyFolders(1, 3);
  for (const key of stored) expect(folders.some((folder) => key.startsWith(folder))).toBe(true);
  expect(new Set(stored).size).toBe(stored.length);
});

it('objects of two jobs, batches, attempts or requests never share a key', () => {
  const keys = [8, 9].flatMap((job) =>
    ['one', 'two'].flatMap((name) => [
      uploadKeyOf(3, 7, job, name),
      recordsKeyOf(3, job, name),
      correctionsKeyOf(3, job, name),
      expandedKeyOf(3, job, name),
      reportKeyOf('errors', { property: 3, id: job }, name, 'attempt'),
      reportKeyOf('errors', { property: 3, id: job }, 'batch', name),
    ]),
  );
  expect(new Set(keys).size).toBe(keys.length);
});
