/** A file counts as of its arrival, not of when its job is begun. */
import { describe, expect, it } from 'vitest';
import { NOW, scope } from '../profiles/harness.ts';
import { importHarness, importsOn, type ImportHarness, referenceOf } from './import-harness.ts';

const MINUTE = 60_000;
const isoAt = (ms: number): string => new Date(ms).toISOString();

/** As S3 tells times. */
const secondAt = (ms: number): string => isoAt(ms).replace(/\.\d+Z$/, 'Z');
const row = (name: string): Buffer => Buffer.from(`email,first_name\na@x.org,${name}\n`);

/** Puts a file to its address; returns its job and the event of S3 for a time of arrival. */
const arrive = async (harness: ImportHarness, importId: number, file: Buffer, time: string) => {
  const { key, job } = await harness.openUpload(importId, file.length, { file_name: 'people.csv' });
  return { job, event: { ...(await harness.put(key, file)), time } };
};

const run = async (harness: ImportHarness, importId: number, job: number): Promise<void> => {
  const reference = referenceOf(importId, job);
  await harness.inspectFile(reference);
  await harness.splitFile(reference);
  await harness.workOff();
};

/** A harness whose clock is ten minutes after the files have arrived: word of them was late. */
const late = () => {
  const harness = importHarness();
  let now = NOW + 10 * MINUTE;
  return importsOn({ ...harness, deps: { ...harness.deps, clock: () => (now += 1) } });
};

describe('of two files of a definition', () => {
  it('the newer one wins though the older one is begun later', async () => {
    const harness = late();
    const { id } = await harness.define();
    const older = await arrive(harness, id, row('Older'), secondAt(NOW));
    const newer = await arrive(harness, id, row('Newer'), secondAt(NOW + MINUTE));
    for (const { event, job } of [newer, older]) {
      await harness.startImport(event);
      await run(harness, id, job);
    }
    expect(await harness.people()).toEqual([['a@x.org', 'Newer']]);
    expect((await harness.readJob(id, older.job)).counts).toMatchObject({ completed: 1 });
  });

  it('dropped over SFTP too, where times have fractions of a second', async () => {
    const harness = late();
    const { id } = await harness.define();
    const drop = async (name: string, time: number) => {
      const key = `sftp/1/${scope.id}/imports/${id}/${name}.csv`;
      const { detail } = await harness.put(key, row(name));
      const told = { 'file-path': `/bucket/${key}`, bytes: detail.object.size, etag: detail.object.etag };
      return {
        source: 'aws.transfer',
        'detail-type': 'SFTP Server File Upload Completed',
        detail: { ...told, 'end-timestamp': isoAt(time) },
      } as const;
    };
    const older = await drop('Older', NOW + 100);
    const newer = await drop('Newer', NOW + 300);
    for (const event of [newer, older]) await harness.startImport(event);
    const jobs = harness.started.map((name) => Number(name.split('-').at(-1)));
    for (const job of jobs) await run(harness, id, job);
    expect(await harness.people()).toEqual([['a@x.org', 'Newer']]);
  });

  it('that arrived in one second, all rows of one win', async () => {
    const harness = late();
    const { id } = await harness.define();
    const rows = (name: string, emails: readonly string[]) =>
      Buffer.from(`email,first_name\n${emails.map((email) => `${email}@x.org,${name}\n`).join('')}`);
    const one = await arrive(harness, id, rows('One', ['a', 'b', 'c']), secondAt(NOW));
    const other = await arrive(harness, id, rows('Other', ['c', 'b', 'a']), secondAt(NOW));
    for (const { event, job } of [other, one]) {
      await harness.startImport(event);
      await run(harness, id, job);
    }
    expect(new Set((await harness.people()).map(([, name]) => name)).size).toBe(1);
  });
});

describe('a file that is begun late', () => {
  it('does not undo what was sent after it had arrived', async () => {
    const harness = late();
    const { id } = await harness.define();
    const { event, job } = await arrive(harness, id, row('File'), secondAt(NOW - MINUTE));
    const { id: open } = await harness.openJob(id);
    await harness.store(open, [{ email: 'a@x.org', first_name: 'Batch' }]);
    await harness.startImport(event);
    await run(harness, id, job);
    expect(await harness.people()).toEqual([['a@x.org', 'Batch']]);
  });

  it('counts as of its beginning at the latest, whatever the clock of S3 says', async () => {
    const harness = late();
    const { id } = await harness.define();
    const { event, job } = await arrive(harness, id, row('File'), secondAt(NOW + 60 * MINUTE));
    await harness.startImport(event);
    const stored = await harness.deps.imports.job(7, job);
    expect(stored?.arrived).toBe(stored?.started);
  });
});
