/** A file counts as of its arrival, not of when its job is begun. */
import { describe, expect, it } from 'vitest';
import { createUpload } from '../../shared/imports/uploads/create-upload.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { wholeUpload } from '../../shared/imports/model/schemas.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { startImport } from '../../shared/imports/files/start-import.ts';
import { NOW, scope } from '../profiles/world.ts';
import {
  answered,
  define,
  importWorld,
  people,
  put,
  readJob,
  request,
  send,
  openJob,
  workOff,
  type ImportWorld,
} from './import-world.ts';

const MINUTE = 60_000;
const isoAt = (ms: number): string => new Date(ms).toISOString();
/** As S3 tells times. */
const secondAt = (ms: number): string => isoAt(ms).replace(/\.\d+Z$/, 'Z');
const row = (name: string): Buffer => Buffer.from(`email,first_name\na@x.org,${name}\n`);

/** Puts a file to its address; returns its job and the event of S3 for a time of arrival. */
const arrive = async (world: ImportWorld, importId: number, file: Buffer, time: string) => {
  const asked = request({ import_id: importId }, {}, { file_name: 'people.csv', size: file.length });
  const { url, job_id: job } = await answered(createUpload(world.deps, asked), wholeUpload);
  return { job, event: { ...(await put(world, new URL(url).pathname.slice(1), file)), time } };
};

const run = async (world: ImportWorld, importId: number, job: number): Promise<void> => {
  const reference = { property: 7, import: importId, job };
  await inspectFile(world.deps, reference);
  await splitFile(world.deps, reference);
  await workOff(world);
};

/** A world whose clock is ten minutes after the files have arrived: word of them was late. */
const late = () => {
  const world = importWorld();
  let now = NOW + 10 * MINUTE;
  return { ...world, deps: { ...world.deps, clock: () => (now += 1) } };
};

describe('of two files of a definition', () => {
  it('the newer one wins though the older one is begun later', async () => {
    const world = late();
    const { id } = await define(world);
    const older = await arrive(world, id, row('Older'), secondAt(NOW));
    const newer = await arrive(world, id, row('Newer'), secondAt(NOW + MINUTE));
    for (const { event, job } of [newer, older]) {
      await startImport(world.deps, event);
      await run(world, id, job);
    }
    expect(await people(world)).toEqual([['a@x.org', 'Newer']]);
    expect((await readJob(world, id, older.job)).counts).toMatchObject({ completed: 1 });
  });

  it('dropped over SFTP too, where times have fractions of a second', async () => {
    const world = late();
    const { id } = await define(world);
    const drop = async (name: string, time: number) => {
      const key = `sftp/1/${scope.id}/imports/${id}/${name}.csv`;
      const { detail } = await put(world, key, row(name));
      const told = { 'file-path': `/bucket/${key}`, bytes: detail.object.size, etag: detail.object.etag };
      return {
        source: 'aws.transfer',
        'detail-type': 'SFTP Server File Upload Completed',
        detail: { ...told, 'end-timestamp': isoAt(time) },
      } as const;
    };
    const older = await drop('Older', NOW + 100);
    const newer = await drop('Newer', NOW + 300);
    for (const event of [newer, older]) await startImport(world.deps, event);
    const jobs = world.started.map((name) => Number(name.split('-').at(-1)));
    for (const job of jobs) await run(world, id, job);
    expect(await people(world)).toEqual([['a@x.org', 'Newer']]);
  });

  it('that arrived in one second, all rows of one win', async () => {
    const world = late();
    const { id } = await define(world);
    const rows = (name: string, emails: readonly string[]) =>
      Buffer.from(`email,first_name\n${emails.map((email) => `${email}@x.org,${name}\n`).join('')}`);
    const one = await arrive(world, id, rows('One', ['a', 'b', 'c']), secondAt(NOW));
    const other = await arrive(world, id, rows('Other', ['c', 'b', 'a']), secondAt(NOW));
    for (const { event, job } of [other, one]) {
      await startImport(world.deps, event);
      await run(world, id, job);
    }
    expect(new Set((await people(world)).map(([, name]) => name)).size).toBe(1);
  });
});

describe('a file that is begun late', () => {
  it('does not undo what was sent after it had arrived', async () => {
    const world = late();
    const { id } = await define(world);
    const { event, job } = await arrive(world, id, row('File'), secondAt(NOW - MINUTE));
    const { id: open } = await openJob(world, id);
    await send(world, open, [{ email: 'a@x.org', first_name: 'Batch' }]);
    await workOff(world);
    await startImport(world.deps, event);
    await run(world, id, job);
    expect(await people(world)).toEqual([['a@x.org', 'Batch']]);
  });

  it('counts as of its beginning at the latest, whatever the clock of S3 says', async () => {
    const world = late();
    const { id } = await define(world);
    const { event, job } = await arrive(world, id, row('File'), secondAt(NOW + 60 * MINUTE));
    await startImport(world.deps, event);
    const stored = await world.deps.imports.job(7, job);
    expect(stored?.arrived).toBe(stored?.started);
  });
});
