import { describe, expect, it } from 'vitest';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { Killed } from '../ingest/interleave.ts';
import { fragileHarness, importQueued, killedAtEach, untilThrough } from './fragile.ts';
import { request } from './import-harness.ts';

const file = Buffer.from('email,first_name\na@x.org,A\nbad,B\nb@x.org,B\na@x.org,C\n');

/** Uploads and runs the file; the operation `nth` kills its caller. */
const runWith = async (nth: number) => {
  const { harness, arm, disarm } = fragileHarness();
  const { id } = await harness.define();
  const { key, job: made, reference } = await harness.openUpload(id, file.length);
  const event = await harness.put(key, file);
  arm(nth);
  await untilThrough(() => harness.startImport(event));
  await untilThrough(() => harness.inspectFile(reference));
  await untilThrough(() => harness.splitFile(reference));
  await importQueued(harness);
  await untilThrough(() => harness.settleImport(reference));
  const wasKilled = disarm();
  const job = await harness.readJob(id, made);
  const { errors } = await harness.readErrors(id, made);
  return {
    wasKilled,
    counts: job.counts,
    errors: errors.map(({ row, code }) => [row, code]),
    people: await harness.people(),
  };
};

const expected = {
  counts: {
    status: 'complete-with-errors',
    ingested: 4,
    serialized: 3,
    unserializable: 1,
    processing: 0,
    completed: 3,
    failed: 0,
  },
  errors: [[2, 'not_an_email']],
  people: [
    ['a@x.org', 'C'],
    ['b@x.org', 'B'],
  ],
};

describe('a file whose workers die', () => {
  it('at any operation on the table is imported once and whole', async () => {
    const kills = await killedAtEach(async (nth) => {
      const { wasKilled, ...outcome } = await runWith(nth);
      expect(outcome, `killed at operation ${nth}`).toEqual(expected);
      return wasKilled;
    });
    expect(kills).toBeGreaterThan(20);
  });
});

describe('a batch sent again under its key, after a crash', () => {
  const opened = async () => {
    const fragile = fragileHarness();
    const { id } = await fragile.harness.define();
    const { id: job } = await fragile.harness.openJob(id);
    const body = { name: 'b', import_job: job, records: [{ email: 'a@x.org' }] };
    const asked = { ...request({}, {}, body), keyed: true };
    return { ...fragile, id, job, asked };
  };
  const expectOneBatch = async ({ harness, id, job }: Awaited<ReturnType<typeof opened>>): Promise<void> => {
    expect(await harness.deps.imports.batches(7, job)).toHaveLength(1);
    await importQueued(harness);
    const counts = { status: 'complete', ingested: 1, completed: 1 };
    expect((await harness.readJob(id, job)).counts).toMatchObject(counts);
  };

  it('at any operation on the table or on an object is one batch', async () => {
    const kills = await killedAtEach(async (nth) => {
      const scene = await opened();
      const { harness, arm, disarm, asked } = scene;
      arm(nth);
      await untilThrough(async () => importData(harness.deps, asked));
      const wasKilled = disarm();
      await expectOneBatch(scene);
      return wasKilled;
    });
    expect(kills).toBeGreaterThan(3);
  });

  it('at the queue is one batch', async () => {
    const scene = await opened();
    const { deps, batches } = scene.harness;
    let left = 1;
    const failing = {
      ...deps,
      batches: {
        send: (...input: Parameters<typeof batches.send>) => {
          if (left-- > 0) throw new Killed();
          return batches.send(...input);
        },
      },
    };
    await untilThrough(async () => importData(failing, scene.asked));
    await expectOneBatch(scene);
  });
});
