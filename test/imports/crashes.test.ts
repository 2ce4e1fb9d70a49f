import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { createUpload } from '../../shared/imports/uploads/create-upload.ts';
import { inspectFile } from '../../shared/imports/files/inspect-file.ts';
import { batchMessage } from '../../shared/imports/model/job-messages.ts';
import { importBatch } from '../../shared/imports/batches/import-batch.ts';
import { wholeUpload } from '../../shared/imports/model/schemas.ts';
import { settleImport } from '../../shared/imports/jobs/settle-import.ts';
import { splitFile } from '../../shared/imports/files/split-file.ts';
import { startImport } from '../../shared/imports/files/start-import.ts';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { MemoryTable } from '../support/memory-table.ts';
import {
  answered,
  define,
  importHarness,
  openJob,
  people,
  put,
  readErrors,
  readJob,
  request,
} from './import-harness.ts';

class Killed extends Error {}

/** A harness in which the `at`-th operation on the table kills its caller once; 0 means never. */
const fragileHarness = () => {
  const plan = { at: 0, done: 0 };
  const harness = importHarness(
    new MemoryTable(() => {
      plan.done += 1;
      if (plan.done === plan.at) throw new Killed();
    }),
  );
  return { harness, plan };
};

/** Runs a step again and again until it is through, as its queue or workflow does. */
const untilThrough = async <T>(step: () => Promise<T>): Promise<T> => {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    try {
      return await step();
    } catch (error) {
      if (!(error instanceof Killed)) throw error;
    }
  }
  throw new Error('never got through');
};

const file = Buffer.from('email,first_name\na@x.org,A\nbad,B\nb@x.org,B\na@x.org,C\n');

/** Uploads and runs the file with everyone killed once at the same operation. */
const runWith = async (kill: number) => {
  const { harness, plan } = fragileHarness();
  const { deps } = harness;
  const { id } = await define(harness);
  const asked = request({ import_id: id }, {}, { file_name: 'a.csv', size: file.length });
  const made = await answered(createUpload(deps, asked), wholeUpload);
  const event = await put(harness, new URL(made.url).pathname.slice(1), file);
  const reference = { property: 7, import: id, job: made.job_id };
  plan.at = plan.done + kill;
  await untilThrough(() => startImport(deps, event));
  await untilThrough(() => inspectFile(deps, reference));
  await untilThrough(() => splitFile(deps, reference));
  for (const message of harness.batches.takeBodies())
    await untilThrough(() => importBatch(deps, v.parse(batchMessage, message)));
  await untilThrough(() => settleImport(deps, reference));
  const killed = plan.done >= plan.at;
  plan.at = 0;
  const job = await readJob(harness, id, made.job_id);
  const { errors } = await readErrors(harness, id, made.job_id);
  return {
    killed,
    counts: job.counts,
    errors: errors.map(({ row, code }) => [row, code]),
    people: await people(harness),
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
    let kills = 0;
    for (let kill = 1; kill < 300; kill += 1) {
      const { killed, ...outcome } = await runWith(kill);
      expect(outcome, `killed at operation ${kill}`).toEqual(expected);
      if (!killed) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(20);
    expect(kills).toBeLessThan(299);
  });
});

describe('a batch sent again under its key, after a crash', () => {
  it('at any step is one batch', async () => {
    for (const step of ['put', 'send', 'insert'] as const) {
      const { harness, plan } = fragileHarness();
      const { id } = await define(harness);
      const { id: job } = await openJob(harness, id);
      const asked = request({}, {}, { name: 'b', import_job: job, records: [{ email: 'a@x.org' }] });
      let left = 1;
      const fail = (): void => {
        if (left-- > 0) throw new Killed();
      };
      const failing = {
        ...harness.deps,
        work: {
          put: (...input: Parameters<typeof harness.work.put>) => (
            step === 'put' ? fail() : undefined,
            harness.work.put(...input)
          ),
        },
        batches: {
          send: (...input: Parameters<typeof harness.batches.send>) => (
            step === 'send' ? fail() : undefined,
            harness.batches.send(...input)
          ),
        },
      };
      if (step === 'insert') plan.at = plan.done + 3;
      await untilThrough(async () => importData(failing, asked));
      expect(await harness.deps.imports.batches(7, job)).toHaveLength(1);
      for (const message of harness.batches.takeBodies())
        await importBatch(harness.deps, v.parse(batchMessage, message));
      expect((await readJob(harness, id, job)).counts).toMatchObject({
        status: 'complete',
        ingested: 1,
        completed: 1,
      });
    }
  });
});
