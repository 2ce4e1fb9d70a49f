import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { announceImport } from '../../shared/imports/announce/announce-import.ts';
import { reconcileDrops } from '../../shared/imports/files/reconcile-drops.ts';
import { batchMessage } from '../../shared/imports/items/job-messages.ts';
import { versionHash } from '../../shared/imports/items/object-keys.ts';
import { fileFolders } from '../../shared/properties/folders.ts';
import { keys } from '../../shared/table/keys.ts';
import { dropKey, sendFile } from '../imports/drops.ts';
import { dryRun, openDryRun, uploadDryRun } from '../imports/dry-run-scenes.ts';
import { type ImportHarness, importHarness, referenceOf } from '../imports/import-harness.ts';
import { parkAll } from '../imports/undo-steps.ts';
import { dyingAnywhere } from '../support/death.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { DAY, sweep } from './sweep.ts';

const text = 'email,first_name\na@x.org,A\nbad,B\n';
let now = Date.UTC(2026, 0, 15, 12);
let harness: ImportHarness;
let id: number;

/** A harness whose objects have the time of the test. `tick` comes ahead of each operation on objects and items. */
const begin = async (tick: () => void = () => undefined, uploads = new MemoryObjects(tick)) => {
  const work = new MemoryObjects(tick);
  harness = importHarness(new MemoryTable(tick), undefined, { uploads, work });
  for (const bucket of [uploads, work]) bucket.clock = () => now;
  ({ id } = await harness.define());
};
beforeEach(() => begin());

const exportsBucket = new MemoryObjects();
const swept = (options?: Parameters<typeof sweep>[1]) => {
  const { table, uploads, work } = harness;
  return sweep({ table, now, buckets: { uploads, work, exports: exportsBucket } }, options);
};
const announce = (job: number) => announceImport(harness.deps, referenceOf(id, job));
const imported = async (file = text) => {
  const job = await harness.runFile(id, file);
  await announce(job.id);
  return job.id;
};
/** The keys of all objects but those of the undo log. */
const kept = () =>
  [...harness.uploads.keys(), ...harness.work.keys()].filter(
    (key) => !key.startsWith('undo/') && !key.endsWith('/'),
  );
const firstWords = () => [...new Set(kept().map((key) => key.split('/')[0]))].toSorted();

describe('the files of an ended import', () => {
  it('go once they are older than the days of the property, all but the undo log', async () => {
    await imported();
    expect(firstWords()).toEqual(['refused', 'uploads']);
    now += 7 * DAY;
    expect(await swept()).toEqual({ deleted: 0, after: null });
    now += 1;
    expect(await swept()).toEqual({ deleted: 2, after: null });
    expect(kept()).toEqual([]);
    expect(harness.work.keys().map((key) => key.split('/')[0])).toContain('undo');
    expect(await swept()).toEqual({ deleted: 0, after: null });
  });

  it('go from each folder of the list, and from no folder of another property', async () => {
    const put = async (account: number, property: number) => {
      for (const { bucket, folder } of fileFolders(account, property))
        if (bucket !== 'exports') await harness[bucket].put(`${folder}1/x`, 'x');
    };
    await put(1, 7);
    const before = kept().length;
    await put(2, 77);
    now += 8 * DAY;
    expect(await swept()).toEqual({ deleted: before, after: null });
    expect(kept()).toHaveLength(before);
  });

  it('go over several calls, each of which goes on behind the last one', async () => {
    for (let n = 0; n < 5; n += 1) await imported(`${text}c${n}@x.org,C\n`);
    now += 8 * DAY;
    for (let n = 0; n < 5; n += 1) await imported(`${text}d${n}@x.org,C\n`);
    let [after, deleted, calls] = ['', 0, 0];
    for (let more = true; more && calls < 50; calls += 1) {
      let looks = 0;
      const answer = await swept({ after, mayGoOn: () => (looks += 1) <= 2 });
      deleted += answer.deleted;
      more = answer.after !== null;
      after = answer.after ?? '';
    }
    expect(calls).toBeGreaterThan(3);
    expect(calls).toBeLessThan(50);
    expect(deleted).toBe(10);
    expect(kept()).toHaveLength(10);
  });

  it('go at the next call when a call dies at any operation', async () => {
    await dyingAnywhere({
      begin: async (tick) => {
        await begin(tick);
        await imported();
        await harness.startImport(await sendFile(harness, dropKey(id, 'sent.csv'), text));
        await harness.send((await harness.openJob(id)).id, [{ email: 'z@x.org' }]);
        now += 8 * DAY;
      },
      run: () => swept(),
      check: async () => {
        await swept();
        expect(firstWords()).toEqual(['batches', 'sftp']);
      },
    });
  });
});

describe('a file from SFTP', () => {
  const drop = async (name: string) => {
    const event = await sendFile(harness, dropKey(id, name), text);
    await harness.startImport(event);
    const job = Number(harness.started.at(-1)?.split('-').at(-1));
    return { event, job };
  };

  it('goes with its result files after its import, and is neither missed nor imported again', async () => {
    const { event, job } = await drop('people.csv');
    await harness.runJob(id, job);
    await announce(job);
    await sendFile(harness, dropKey(id, 'unfinished.part'), text);
    now += 8 * DAY;
    expect((await swept()).deleted).toBe(5);
    expect(kept()).toEqual([]);
    // The directory stays.
    expect(harness.uploads.keys()).toEqual([dropKey(id, '')]);
    const before = harness.started.length;
    await harness.startImport(event);
    expect(await reconcileDrops({ ...harness.deps, clock: () => now }, () => true)).toBe(0);
    expect(new Set(harness.started.slice(before))).toEqual(new Set([`p7-import-${job}`]));
    expect(await harness.readJob(id, job)).toMatchObject({ counts: { completed: 1, unserializable: 1 } });
  });

  it('stays until its job has ended', async () => {
    const { job } = await drop('people.csv');
    now += 8 * DAY;
    expect((await swept()).deleted).toBe(0);
    await harness.runJob(id, job);
    await announce(job);
    await swept();
    expect(kept().filter((key) => key.endsWith('people.csv'))).toEqual([]);
  });

  it('stays when its job is only about to be stored', async () => {
    const key = dropKey(id, 'people.csv');
    await sendFile(harness, key, text);
    const { etag = '' } = (await harness.uploads.head(key)) ?? {};
    await harness.table.put(keys.file(7, versionHash(key, etag)), { job: 99, started: false });
    now += 8 * DAY;
    expect((await swept()).deleted).toBe(0);
  });

  it('stays when a client has put another one under its name since it was listed', async () => {
    const key = dropKey(id, 'ignored.part');
    let isReplaced = false;
    const uploads: MemoryObjects = new MemoryObjects(async (operation) => {
      if (operation !== 'removeVersion' || isReplaced) return;
      isReplaced = true;
      await uploads.put(key, 'new');
    });
    await begin(undefined, uploads);
    await sendFile(harness, key, text);
    now += 8 * DAY;
    expect(await swept()).toEqual({ deleted: 0, after: null });
    expect(Buffer.from((await harness.uploads.get(key)) ?? '').toString()).toBe('new');
  });
});

describe('the files of a job that needs them', () => {
  /** Checks that a pass deletes nothing, and everything once the job has ended. */
  const staysUntil = async (end: () => Promise<unknown>) => {
    now += 8 * DAY;
    const before = kept();
    expect(before.length).toBeGreaterThan(0);
    expect((await swept()).deleted).toBe(0);
    expect(kept()).toEqual(before);
    await end();
    now += 8 * DAY;
    await swept();
    expect(kept()).toEqual([]);
  };
  const rest = async (job: number) => {
    const reference = referenceOf(id, job);
    await harness.inspectFile(reference);
    await harness.cut(reference);
    await harness.workOff();
    await announce(job);
  };

  it('stay while the file is not read', async () => {
    const { job } = await harness.upload(id, text);
    await staysUntil(() => rest(job));
  });

  it('stay while a batch waits', async () => {
    const { id: job } = await harness.openJob(id);
    await harness.send(job, [{ email: 'a@x.org' }]);
    await staysUntil(() => harness.workOff());
  });

  it('stay while a batch is parked, which an operator may redrive', async () => {
    const { id: job } = await harness.openJob(id);
    await harness.send(job, [{ email: 'a@x.org' }]);
    const letters = harness.batches.take();
    await harness.batches.send(letters);
    await parkAll(harness);
    await staysUntil(async () => {
      await harness.batches.send(letters);
      await harness.workOff();
    });
  });

  it('stay while the end is not announced', async () => {
    const { id: job } = await harness.runFile(id, text);
    await staysUntil(() => announce(job));
  });

  it('stay while the file of a dry run is not read', async () => {
    const { job } = await uploadDryRun(harness, id, text);
    await staysUntil(() => rest(job));
  });

  it('stay while a dry run is not added up', async () => {
    const batches = await openDryRun(harness, id);
    await harness.send(batches, [{ email: 'a@x.org' }]);
    const letters = harness.batches.take();
    const get = (key: string) =>
      key.startsWith('rehearsals/') ? Promise.reject(new Error('broken')) : harness.work.get(key);
    const { work } = harness;
    const broken = { get, put: work.put.bind(work), head: work.head.bind(work), read: work.read.bind(work) };
    for (const { body } of letters) {
      const message = v.parse(batchMessage, JSON.parse(body));
      await expect(importBatch({ ...harness.deps, work: broken }, message)).rejects.toThrow('broken');
    }
    await staysUntil(async () => {
      await harness.batches.send(letters);
      await harness.workOff();
      expect(await harness.readJob(id, batches)).toMatchObject({ dry_run_result: { rows: { stored: 1 } } });
    });
  });

  it('go with the result of a dry run', async () => {
    const { id: job } = await dryRun(harness, id, text);
    await announce(job);
    expect(firstWords()).toContain('rehearsals');
    now += 8 * DAY;
    await swept();
    expect(kept()).toEqual([]);
    expect(await harness.readJob(id, job)).toMatchObject({ dry_run_result: null });
  });
});
