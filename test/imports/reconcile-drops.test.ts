import { beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import type { FileAccessed } from '../../shared/imports/files/file-events.ts';
import { reconcileDrops } from '../../shared/imports/files/reconcile-drops.ts';
import { Killed } from '../ingest/interleave.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { ACCOUNT, dropKey, renameFile, sendFile } from './drops.ts';
import { importHarness, type ImportHarness } from './import-harness.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const text = 'email,first_name\na@x.org,A\nb@x.org,B\n';
let now = Date.UTC(2026, 0, 15, 12);
let harness: ImportHarness;
let id: number;

const begin = async (table?: MemoryTable) => {
  harness = importHarness(table);
  harness.uploads.clock = () => now;
  ({ id } = await harness.define());
};
beforeEach(() => begin());

const jobs = (): readonly number[] =>
  [...new Set(harness.started)].map((name) => Number(name.split('-').at(-1)));
const reconcile = (mayGoOn = () => true) => reconcileDrops({ ...harness.deps, clock: () => now }, mayGoOn);
/** The next hourly call. */
const anHourLater = () => {
  now += HOUR;
  return reconcile();
};
const actions = () => harness.auditLog.items().map(({ action, outcome, ids }) => ({ action, outcome, ids }));

describe('a file whose event was lost', () => {
  it('is imported by the reconciliation, once, and the audit log has it', async () => {
    await sendFile(harness, dropKey(id, 'people.csv'), text);
    expect(await anHourLater()).toBe(1);
    for (let hour = 0; hour < 30; hour += 1) expect(await anHourLater()).toBe(0);
    expect(jobs()).toHaveLength(1);
    const [job = 0] = jobs();
    await harness.runJob(id, job);
    expect(await harness.readJob(id, job)).toMatchObject({
      name: 'people.csv',
      counts: { status: 'complete', completed: 2 },
    });
    expect(await harness.people()).toHaveLength(2);
    const ids = { import_id: id, job_id: job };
    expect(actions()).toEqual([{ action: 'sftp.found', outcome: 'accepted', ids }]);
  });

  it('is imported among many files, with all events lost, also of a rename to the final name', async () => {
    for (let n = 0; n < 9; n += 1)
      await sendFile(harness, dropKey(id, `f${n}.csv`), `${text}c${n}@x.org,C\n`);
    await sendFile(harness, dropKey(id, 'late.csv.filepart'), `${text}late@x.org,L\n`);
    await sendFile(harness, dropKey(id, 'waiting.csv.filepart'), text);
    await renameFile(harness, dropKey(id, 'late.csv.filepart'), dropKey(id, 'late.csv'));
    expect(await anHourLater()).toBe(10);
    expect(await anHourLater()).toBe(0);
    for (const job of jobs()) await harness.runJob(id, job);
    expect(await harness.people()).toHaveLength(2 + 9 + 1);
  });

  it('makes one job when its event comes late, before or after the reconciliation', async () => {
    const event = await sendFile(harness, dropKey(id, 'people.csv'), text);
    await anHourLater();
    await harness.startImport(event);
    await anHourLater();
    expect(jobs()).toHaveLength(1);
  });

  it('waits for its event at first', async () => {
    await sendFile(harness, dropKey(id, 'people.csv'), text);
    now += limits.imports.dropSettleSeconds * 1000 - 1;
    expect(await reconcile()).toBe(0);
    now += 1;
    expect(await reconcile()).toBe(1);
  });

  it('is found although S3 gives it a time hours before it appeared, when its upload began', async () => {
    expect(await anHourLater()).toBe(0);
    now -= 20 * HOUR;
    await sendFile(harness, dropKey(id, 'large.csv'), text);
    now += 20 * HOUR;
    expect(await anHourLater()).toBe(1);
  });

  it('is found by a later call when the time of a call is over, also behind thousands of files', async () => {
    for (let n = 0; n < 7; n += 1)
      await sendFile(harness, dropKey(id, `f${n}.csv`), `${text}c${n}@x.org,C\n`);
    now += HOUR;
    let calls = 0;
    for (let found = 0; found < 7 && calls < 20; calls += 1) {
      let pages = 1;
      found += await reconcile(() => pages-- > 0);
    }
    expect(calls).toBe(4);
    expect(jobs()).toHaveLength(7);
  });

  it('is removed from a directory that never had a definition', async () => {
    const stray = `sftp/${ACCOUNT}/7/imports/${id + 1}/people.csv`;
    await sendFile(harness, stray, text);
    expect(await anHourLater()).toBe(0);
    expect(await harness.uploads.head(stray)).toBeUndefined();
  });

  it('does not stop the other files when its own start fails, and is found again', async () => {
    for (const name of ['a.csv', 'b.csv', 'c.csv'])
      await sendFile(harness, dropKey(id, name), `${text}${name}@x.org,C\n`);
    let left = 1;
    const failing = {
      ...harness.deps,
      clock: () => now,
      workflow: {
        start: (name: string) =>
          left-- > 0 ? Promise.reject(new Error('throttled')) : harness.deps.workflow.start(name),
      },
    };
    now += HOUR;
    await expect(reconcileDrops(failing, () => true)).rejects.toThrow('throttled');
    expect(jobs()).toHaveLength(2);
    expect(await anHourLater()).toBe(1);
    expect(jobs()).toHaveLength(3);
  });

  it('is found again until its audit entry is stored', async () => {
    await sendFile(harness, dropKey(id, 'people.csv'), text);
    const audit = { add: () => Promise.reject(new Error('no log')) };
    now += HOUR;
    await expect(reconcileDrops({ ...harness.deps, audit, clock: () => now }, () => true)).rejects.toThrow(
      'no log',
    );
    expect(await anHourLater()).toBe(1);
    expect([jobs().length, actions().length]).toEqual([1, 1]);
  });
});

describe('a reconciliation that dies at any operation on the table', () => {
  it('is completed by the next call: each file has one job, whose workflow was started', async () => {
    let kills = 0;
    for (let kill = 1; kill < 200; kill += 1) {
      const plan = { at: 0, done: 0 };
      await begin(
        new MemoryTable(() => {
          plan.done += 1;
          if (plan.done >= plan.at && plan.at > 0) throw new Killed();
        }),
      );
      for (const name of ['a.csv', 'b.csv', 'c.csv'])
        await sendFile(harness, dropKey(id, name), `${text}${name}@x.org,C\n`);
      now += HOUR;
      plan.at = plan.done + kill;
      const died = await reconcile().then(
        () => false,
        () => true,
      );
      plan.at = 0;
      await anHourLater();
      await anHourLater();
      expect(jobs(), `killed at operation ${kill}`).toHaveLength(3);
      for (const job of jobs()) await harness.runJob(id, job);
      for (const job of jobs())
        expect((await harness.readJob(id, job)).counts).toMatchObject({ status: 'complete', completed: 3 });
      if (!died) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(20);
    expect(kills).toBeLessThan(199);
  });
});

describe('a file that the reconciliation leaves alone', () => {
  const broken = (name: string): FileAccessed => ({
    source: 'aws.transfer',
    'detail-type': 'SFTP Server File Upload Failed',
    time: new Date(now).toISOString(),
    detail: { 'file-path': `/bucket/${dropKey(id, name)}` },
  });

  it('is the rest of an interrupted upload, until the file is sent again', async () => {
    await sendFile(harness, dropKey(id, 'people.csv'), 'email,first_name\na@x.o');
    await harness.startImport(broken('people.csv'));
    expect(await anHourLater()).toBe(0);
    await sendFile(harness, dropKey(id, 'people.csv'), text);
    expect(await anHourLater()).toBe(1);
    expect(actions()).toContainEqual({
      action: 'sftp.upload',
      outcome: 'broken_off',
      ids: { import_id: id },
    });
  });

  it('is imported by its own event, even if the event of an interruption is taken for it', async () => {
    const event = await sendFile(harness, dropKey(id, 'people.csv'), text);
    await harness.startImport(broken('people.csv'));
    await harness.startImport(event);
    expect(jobs()).toHaveLength(1);
  });

  it.each(['received', 'lost'])(
    'is a file renamed after its import, with the event of the rename %s',
    async (event) => {
      await harness.startImport(await sendFile(harness, dropKey(id, 'people.csv'), text));
      await harness.runJob(id, jobs()[0] ?? 0);
      const renamed = await renameFile(harness, dropKey(id, 'people.csv'), dropKey(id, 'people-done.csv'));
      if (event === 'received') await harness.startImport(renamed);
      for (let hour = 0; hour < 3; hour += 1) expect(await anHourLater()).toBe(0);
      expect(jobs()).toHaveLength(1);
    },
  );

  it('is a file with a temporary name, and a file whose name no job can have', async () => {
    await sendFile(harness, dropKey(id, '.hidden.csv'), text);
    await sendFile(harness, dropKey(id, 'bad\\name.csv'), text);
    expect(await anHourLater()).toBe(0);
    expect(harness.uploads.keys()).toHaveLength(3);
  });
});
