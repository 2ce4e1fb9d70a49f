import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { announceImport, type AnnounceDeps } from '../../shared/imports/announce/announce-import.ts';
import { reconcileDrops } from '../../shared/imports/files/reconcile-drops.ts';
import { scope } from '../profiles/harness.ts';
import { type ImportHarness, simpleDefinition, withDefinition, referenceOf } from './import-harness.ts';
import { dropKey, sendFile } from './drops.ts';

/** Puts a file into the directory of a definition, and imports it to the end. */
const dropped = async (harness: ImportHarness, importId: number, name: string, text: string) => {
  const job = await ended(harness, importId, name, text);
  await announce(harness, importId, job);
  return harness.readJob(importId, job);
};

/** Puts a file into the directory of a definition, and imports it, without the announcement. Answers its job. */
const ended = async (harness: ImportHarness, importId: number, name: string, text: string) => {
  await harness.startImport(await sendFile(harness, dropKey(importId, name), text));
  const [{ id: job } = { id: 0 }] = await harness.listJobs(importId);
  await harness.runJob(importId, job);
  return job;
};

const announce = (harness: ImportHarness, importId: number, job: number, deps: AnnounceDeps = harness.deps) =>
  announceImport(deps, referenceOf(importId, job));

const textOf = async (
  harness: ImportHarness,
  importId: number,
  name: string,
): Promise<string | undefined> => {
  const bytes = await harness.uploads.get(dropKey(importId, name));
  return bytes && Buffer.from(bytes).toString('utf8');
};

describe('the result of a file from SFTP', () => {
  it('lies beside the file: the job, and the refused rows as the file has them', async () => {
    const { harness, id } = await withDefinition({ ...simpleDefinition, delimiter: 'semicolon' });
    const whole = await dropped(harness, id, 'people.csv', 'email;first_name\na@x.org;A\nbad;"B;C"\n');
    const job = await harness.readJob(id, whole.id, ['definitions.read']);
    expect(JSON.parse((await textOf(harness, id, 'people.csv.result.json')) ?? '')).toEqual({
      ...job,
      refused_rows: 1,
      refused_rows_complete: true,
    });
    const list = (await textOf(harness, id, 'people.csv.refused.csv')) ?? '';
    expect(list.startsWith('\ufeff')).toBe(true);
    const rows: string[][] = parse(list, { bom: true, delimiter: ';' });
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['email', 'first_name'],
      ['bad', 'B;C'],
    ]);
  });

  it('is replaced by the next file under that name, and its list goes when no row is refused', async () => {
    const { harness, id } = await withDefinition();
    await dropped(harness, id, 'people.csv', 'email,first_name\nbad,B\n');
    const job = await dropped(harness, id, 'people.csv', 'email,first_name\na@x.org,A\n');
    expect(JSON.parse((await textOf(harness, id, 'people.csv.result.json')) ?? '')).toMatchObject({
      id: job.id,
      refused_rows: 0,
    });
    expect(await textOf(harness, id, 'people.csv.refused.csv')).toBeUndefined();
  });

  it('stays that of the newest file of its name when an older announcement comes late', async () => {
    const { harness, id } = await withDefinition();
    const older = await ended(harness, id, 'people.csv', 'email,first_name\na@x.org,A\n');
    const newer = await ended(harness, id, 'people.csv', 'email,first_name\nbad,B\n');
    for (const job of [newer, older]) expect((await announce(harness, id, job)).done).toBe(true);
    expect(await textOf(harness, id, 'people.csv.refused.csv')).toContain('bad,B');
    expect(JSON.parse((await textOf(harness, id, 'people.csv.result.json')) ?? '')).toMatchObject({
      id: newer,
    });
    const [delivery] = await harness.deps.imports.importDeliveries({ property: scope.id, id: older });
    expect(delivery?.state).toBe('exhausted');
    expect(delivery?.last_error).toMatch(/^A newer file/);
  });

  it('stays that of the newest file when that file is announced while an older list is written', async () => {
    const { harness, id } = await withDefinition();
    const older = await ended(harness, id, 'people.csv', 'email,first_name\nbad,A\n');
    const newer = await ended(harness, id, 'people.csv', 'email,first_name\nworse,B\n');
    let isAnnounced = false;
    const get = async (key: string) => {
      if (!isAnnounced) await announce(harness, id, newer);
      isAnnounced = true;
      return harness.work.get(key);
    };
    await announce(harness, id, older, { ...harness.deps, work: { get } });
    expect(isAnnounced).toBe(true);
    expect(await textOf(harness, id, 'people.csv.refused.csv')).toContain('worse,B');
    expect(JSON.parse((await textOf(harness, id, 'people.csv.result.json')) ?? '')).toMatchObject({
      id: newer,
    });
  });

  it('tells why a file could not be read', async () => {
    const { harness, id } = await withDefinition();
    await dropped(harness, id, 'other.csv', 'x,y\n1,2\n');
    expect(JSON.parse((await textOf(harness, id, 'other.csv.result.json')) ?? '')).toMatchObject({
      counts: { status: 'failed' },
      failure: { code: 'missing_column' },
    });
  });

  it('is not written if the definition does not want it', async () => {
    const { harness, id } = await withDefinition({ ...simpleDefinition, result_files: false });
    await dropped(harness, id, 'people.csv', 'email,first_name\nbad,B\n');
    expect(await textOf(harness, id, 'people.csv.result.json')).toBeUndefined();
  });

  it('is never imported, by an event or by the reconciliation', async () => {
    const { harness, id } = await withDefinition();
    await dropped(harness, id, 'people.csv', 'email,first_name\nbad,B\n');
    for (const name of ['people.csv.refused.csv', 'people.csv.RESULT.json'])
      await harness.startImport(await sendFile(harness, dropKey(id, name), 'email,first_name\nb@x.org,B\n'));
    expect(harness.ignored).toEqual(['result', 'result']);
    const clock = () => harness.deps.clock() + 3_600_000;
    expect(await reconcileDrops({ ...harness.deps, clock }, () => true)).toBe(0);
  });
});
