import { beforeEach, describe, expect, it } from 'vitest';
import { scope } from '../profiles/harness.ts';
import { ACCOUNT, renameFile, sendFile } from './drops.ts';
import { importHarness, simpleDefinition, type ImportHarness, referenceOf } from './import-harness.ts';

let harness: ImportHarness;
let id: number;
const END = Date.UTC(2026, 0, 15, 12);

beforeEach(async () => {
  harness = importHarness();
  harness.uploads.clock = () => END;
  ({ id } = await harness.define());
});

const directory = (): string => `sftp/${ACCOUNT}/${scope.id}/imports/${id}`;

const drop = (key: string, text: string) => sendFile(harness, key, text);
const rename = (from: string, to: string) => renameFile(harness, from, to);

const people = 'email,first_name\na@x.org,A\nb@x.org,B\n';
const firstJob = 7_000_000_001;

describe('a definition', () => {
  it('has a directory as soon as it exists', () => {
    expect(harness.uploads.keys()).toEqual([`${directory()}/`]);
  });
});

describe('a file sent over SFTP', () => {
  it('makes its own job, under its name, and is imported', async () => {
    await harness.startImport(await drop(`${directory()}/people.csv`, people));
    expect(harness.started).toEqual([`p7-import-${firstJob}`]);
    await harness.runJob(id, firstJob);
    expect(await harness.readJob(id, firstJob)).toMatchObject({
      name: 'people.csv',
      counts: { status: 'complete', completed: 2 },
    });
  });

  it('told of five times starts one job', async () => {
    const event = await drop(`${directory()}/people.csv`, people);
    for (let delivery = 0; delivery < 5; delivery += 1) await harness.startImport(event);
    expect(new Set(harness.started)).toEqual(new Set([`p7-import-${firstJob}`]));
    expect(await harness.listJobs(id)).toMatchObject([{ id: firstJob }]);
  });

  it('told of five times at once starts one job', async () => {
    const event = await drop(`${directory()}/people.csv`, people);
    await Promise.all(Array.from({ length: 5 }, () => harness.startImport(event)));
    expect(new Set(harness.started).size).toBe(1);
    expect(await harness.listJobs(id)).toMatchObject([{ name: 'people.csv' }]);
  });

  it('replaced while it is read fails its job, and the new content makes a second one', async () => {
    const key = `${directory()}/people.csv`;
    await harness.startImport(await drop(key, people));
    await harness.inspectFile(referenceOf(id, firstJob));
    await harness.startImport(await drop(key, 'email,first_name\nnew@x.org,N\n'));
    await harness.runJob(id, firstJob);
    await harness.runJob(id, firstJob + 1);
    expect(await harness.readJob(id, firstJob)).toMatchObject({
      failure: { code: 'file_changed' },
      counts: { status: 'failed' },
    });
    expect((await harness.readJob(id, firstJob + 1)).counts).toMatchObject({
      status: 'complete',
      completed: 1,
    });
  });

  it('that is empty fails its job with the reason', async () => {
    await harness.startImport(await drop(`${directory()}/empty.csv`, ''));
    await harness.runJob(id, firstJob);
    expect(await harness.readJob(id, firstJob)).toMatchObject({ failure: { code: 'no_header' } });
  });

  it('is taken only if the rule of the definition matches its name', async () => {
    ({ id } = await harness.define({ ...simpleDefinition, file_match_rule: 'people-*.csv' }));
    await harness.startImport(await drop(`${directory()}/orders-1.csv`, people));
    expect(harness.ignored).toEqual(['not_matched']);
    expect(harness.ignoredIn).toEqual([{ property: scope.id, import: id }]);
    await harness.startImport(await drop(`${directory()}/people-1.csv`, people));
    expect(harness.started).toHaveLength(1);
  });

  it.each([
    '.people.csv',
    'people.csv.filepart',
    'people.csv.FILEPART',
    'people.csv.part',
    'people.csv.partial',
    'people.csv.tmp',
    'people.csv.temp',
    'people.csv~',
  ])('under the temporary name %s waits', async (name) => {
    await harness.startImport(await drop(`${directory()}/${name}`, people));
    expect([harness.started, harness.ignored]).toEqual([[], ['waiting']]);
  });

  it.each([
    'part.csv',
    'tmp',
    'a.temporary',
    '~people.csv',
    'people.part.csv',
    'ünïcode ☃.csv',
    "it's; $(x).csv",
  ])('under the name %s does not wait', async (name) => {
    await harness.startImport(await drop(`${directory()}/${name}`, people));
    expect(harness.started).toHaveLength(1);
    expect(await harness.listJobs(id)).toMatchObject([{ name }]);
  });

  it.each(['a\\b.csv', 'a\u0000b.csv', 'a\u001bb.csv', 'a\nb.csv', `${'x'.repeat(252)}.csv`])(
    'under the name %j is ignored: no job could show it',
    async (name) => {
      await harness.startImport(await drop(`${directory()}/${name}`, people));
      expect([harness.started, harness.ignored]).toEqual([[], ['bad_name']]);
    },
  );

  it.each([
    ['the directory itself', () => `${directory()}/`],
    ['deeper', () => `${directory()}/sub/people.csv`],
    ['above', () => `sftp/${ACCOUNT}/${scope.id}/imports/people.csv`],
    ['in no definition', () => `sftp/${ACCOUNT}/${scope.id}/imports/${id + 1}/people.csv`],
    ['in a definition of another property', () => `sftp/${ACCOUNT}/${scope.id + 1}/imports/${id}/people.csv`],
    ['in the folder of another account', () => `sftp/2/${scope.id}/imports/${id}/people.csv`],
    ['elsewhere', () => 'people.csv'],
    ['with a climbing path', () => `${directory()}/../${id}/people.csv`],
  ])('%s starts nothing', async (_, key) => {
    await harness.startImport(await drop(key(), people));
    expect([harness.started, harness.ignored]).toEqual([[], ['elsewhere']]);
  });

  it('in no definition is removed at once, under its final name or a temporary one', async () => {
    const stray = (name: string) => `sftp/${ACCOUNT}/${scope.id}/imports/${id + 1}/${name}`;
    for (const name of ['people.csv', 'people.csv.filepart'])
      await harness.startImport(await drop(stray(name), people));
    await harness.startImport(await drop(`${directory()}/bad\\name.csv`, people));
    expect(harness.uploads.keys()).toEqual([`${directory()}/`, `${directory()}/bad\\name.csv`]);
  });

  it('stays when its definition is deleted and an old event is repeated', async () => {
    const event = await drop(`${directory()}/people.csv`, people);
    await harness.startImport(event);
    await harness.runJob(id, firstJob);
    const deleted = await harness.remove(id);
    expect(deleted.ok).toBe(true);
    await harness.startImport(event);
    expect(harness.ignored).toEqual(['elsewhere']);
    expect(harness.uploads.keys()).toEqual([`${directory()}/people.csv`]);
  });

  it('starts nothing by the word of S3, which also speaks of broken files', async () => {
    await harness.startImport(await harness.put(`${directory()}/people.csv`, Buffer.from(people)));
    expect([harness.started, harness.ignored]).toEqual([[], ['elsewhere']]);
  });
});

describe('a renamed file', () => {
  it('starts its job under its final name, once', async () => {
    const part = `${directory()}/people.csv.filepart`;
    await harness.startImport(await drop(part, people));
    const event = await rename(part, `${directory()}/people.csv`);
    for (let delivery = 0; delivery < 5; delivery += 1) await harness.startImport(event);
    expect(new Set(harness.started)).toEqual(new Set([`p7-import-${firstJob}`]));
    await harness.runJob(id, firstJob);
    expect(await harness.readJob(id, firstJob)).toMatchObject({
      name: 'people.csv',
      counts: { completed: 2 },
    });
  });

  it('that had its job under the old name starts no second one', async () => {
    const old = `${directory()}/people.csv`;
    await harness.startImport(await drop(old, people));
    await harness.startImport(await rename(old, `${directory()}/people-done.csv`));
    expect([harness.started.length, harness.ignored]).toEqual([1, ['taken']]);
  });

  it('that did not match before starts its job', async () => {
    ({ id } = await harness.define({ ...simpleDefinition, file_match_rule: '*.csv' }));
    const old = `${directory()}/people.csv.uploading`;
    await harness.startImport(await drop(old, people));
    await harness.startImport(await rename(old, `${directory()}/people.csv`));
    expect([harness.started.length, harness.ignored]).toEqual([1, ['not_matched']]);
  });

  it('moved to another definition starts a job of that', async () => {
    const old = `${directory()}/people.csv`;
    await harness.startImport(await drop(old, people));
    const other = await harness.define();
    await harness.startImport(await rename(old, old.replace(`/${id}/`, `/${other.id}/`)));
    expect(harness.started).toHaveLength(2);
    expect(await harness.listJobs(other.id)).toMatchObject([{ name: 'people.csv' }]);
  });

  it('that is gone, or was overwritten since by what may be broken, starts nothing', async () => {
    const part = `${directory()}/people.csv.filepart`;
    await drop(part, people);
    const event = await rename(part, `${directory()}/people.csv`);
    harness.uploads.clock = () => END + 60_000;
    await drop(`${directory()}/people.csv`, 'email,fir');
    await harness.startImport(event);
    const lost = { ...event.detail, 'renamed-file-path': `/bucket/${directory()}/lost.csv` };
    await harness.startImport({ ...event, detail: lost });
    expect([harness.started, harness.ignored]).toEqual([[], ['gone', 'gone']]);
  });

  it('that waits on waits', async () => {
    const part = `${directory()}/people.csv.filepart`;
    await drop(part, people);
    await harness.startImport(await rename(part, `${directory()}/.people.csv`));
    expect([harness.started, harness.ignored]).toEqual([[], ['waiting']]);
  });
});
