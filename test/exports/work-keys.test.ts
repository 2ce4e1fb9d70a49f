import { describe, expect, it } from 'vitest';
import { partsContext } from '../../shared/exports/model/work-keys.ts';
import { loginContext, secretContext } from '../../shared/exports/model/definition-fields.ts';
import { propertyFolders } from '../../shared/properties/folders.ts';
import type { JobRef } from '../../shared/exports/model/items.ts';
import { jobFolders, objectKeys, sealContext } from '../../shared/exports/model/work-keys.ts';

/** Jobs whose ids could be read as one another's where a key names them without care. */
const properties = [1, 12];
const refs: readonly JobRef[] = properties.flatMap((property) =>
  [1, 11].flatMap((id) => [2, 12, 22].map((job) => ({ property, export: id, job }))),
);

const files = (ref: JobRef, attempt: string): string[] => [
  objectKeys.members(ref, attempt, 'full'),
  objectKeys.members(ref, attempt, 'delta'),
  objectKeys.file(ref, attempt),
  objectKeys.manifest(ref, attempt),
];
const work = (ref: JobRef, attempt: string): string[] => [
  objectKeys.sizes(ref, attempt),
  ...[1, 11].map((shard) => objectKeys.part(ref, shard, attempt)),
];
const isIn = (key: string) => (folder: string) => key.startsWith(folder);

describe('the objects of exports', () => {
  it('have each a key of its own, in every job and attempt', () => {
    const all = refs.flatMap((ref) =>
      ['a', 'b'].flatMap((attempt) => [...files(ref, attempt), ...work(ref, attempt)]),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  it('lie in a folder of their property, and in no folder of another property', () => {
    for (const ref of refs)
      for (const key of [...files(ref, 'a'), ...work(ref, 'a')])
        expect(properties.filter((property) => propertyFolders(1, property).some(isIn(key)))).toEqual([
          ref.property,
        ]);
  });

  it('lie, as far as clients see them, in a folder of their job, and of no other job', () => {
    for (const ref of refs)
      for (const key of files(ref, 'a'))
        expect(refs.filter((other) => jobFolders(other).some(isIn(key)))).toEqual([ref]);
  });

  it('that the next delta is counted from are kept longer, and no others', () => {
    for (const ref of refs)
      expect([...files(ref, 'a'), ...work(ref, 'a')].filter((key) => key.startsWith('bases/'))).toEqual([
        objectKeys.members(ref, 'a', 'delta'),
      ]);
  });
});

describe('what a secret is bound to', () => {
  it('differs for each sealed part and kind', () => {
    const jobs = refs.filter(({ export: id }) => id === 1);
    const all = jobs.flatMap((ref) =>
      [1, 11].flatMap((shard) => [sealContext(ref, shard, 'rows'), sealContext(ref, shard, 'keys')]),
    );
    expect(new Set(all).size).toBe(all.length);
  });

  it('tells KMS the purpose, the property, and the export or job', () => {
    const of = { property: '12', export: '5' };
    expect(secretContext(12, 5)).toEqual({ purpose: 'webhook-secret', ...of });
    expect(loginContext(12, 5)).toEqual({ purpose: 'sftp-login', ...of });
    const ref = { property: 12, export: 5, job: 6 };
    expect(partsContext(ref)).toEqual({ purpose: 'export-parts', property: '12', job: '6' });
  });
});
