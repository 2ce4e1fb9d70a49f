import { describe, expect, it } from 'vitest';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { retryImportJob } from '../../shared/imports/retry/retry-import-job.ts';
import { createUpload } from '../../shared/imports/uploads/create-upload.ts';
import { wholeUpload } from '../../shared/imports/schemas/upload-schemas.ts';
import { Killed, seeded } from '../ingest/interleave.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { importHarness, referenceOf, request } from './import-harness.ts';
import { answered } from '../support/requests.ts';
import { download } from './retry-harness.ts';
import { casesOf } from '../support/scale.ts';

const SEEDS = casesOf('FAULT_SEEDS', { full: 120, sample: 30 });

/** Numbers from 0 to 1, the same for the same seed. */
const randomOf = (seed: number) => {
  const choose = seeded(seed);
  return (): number => choose(2 ** 32) / 2 ** 32;
};

const file = Buffer.from(
  `email,first_name\n${Array.from({ length: 25 }, (_, index) => (index % 6 === 5 ? `bad${index},x` : `p${index % 9}@x.org,F${index}`)).join('\n')}\n`,
);
const batches = [1, 2, 3, 4].map((batch) =>
  Array.from({ length: 8 }, (_, index) =>
    index === batch
      ? { first_name: 'nobody' }
      : { email: `p${(index * batch) % 12}@x.org`, first_name: `B${batch}.${index}` },
  ),
);

/** A file, four batches and a retry of the refused rows of the file, under the kills and redeliveries of a seed. */
const run = async (seed: number, rate: number) => {
  const random = randomOf(seed);
  const plan = { rate: 0, kills: 0 };
  const disturb = (): void => {
    if (random() >= plan.rate) return;
    plan.kills += 1;
    throw new Killed();
  };
  const harness = importHarness(new MemoryTable(disturb), disturb);
  const { deps } = harness;
  const through = async <T>(step: () => Promise<T>): Promise<T> => {
    for (let attempt = 0; attempt < 2_000; attempt += 1) {
      try {
        return await step();
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
      }
    }
    throw new Error('never got through');
  };
  /** Delivers all queued messages in any order until each has succeeded: some twice, and two at once. */
  const deliver = async (): Promise<void> => {
    const left = harness.messages();
    while (left.length > 0) {
      const [message] = left.splice(Math.floor(random() * left.length), 1);
      if (!message) return;
      const attempts = 1 + Math.floor(random() * 5);
      const deliveries = Array.from({ length: random() < rate ? 2 : 1 }, () =>
        harness.importBatch(message, () => attempts === 5),
      );
      const outcomes = await Promise.allSettled(deliveries);
      if (outcomes.some(({ status }) => status === 'rejected') || random() < rate) left.push(message);
    }
  };
  const { id } = await harness.define();
  const { id: job } = await harness.openJob(id);
  plan.rate = rate;
  const asked = request({ import_id: id }, {}, { file_name: 'a.csv', size: file.length });
  const { url, job_id: made } = await through(() => answered(createUpload(deps, asked), wholeUpload));
  const event = await through(() => harness.put(new URL(url).pathname.slice(1), file));
  const reference = referenceOf(id, made);
  for (const [index, records] of batches.entries()) {
    const batch = request({}, {}, { name: 'b', import_job: job, records });
    const later = { ...batch, now: batch.now + 1_000_000 * (index + 1) };
    await through(() => importData(deps, later));
  }
  await through(() => harness.startImport(event));
  await through(() => harness.inspectFile(reference));
  await through(() => harness.splitFile(reference));
  await deliver();
  const csv = await through(() => download({ harness, importId: id, job: made }));
  const corrected = csv.replaceAll(/^bad(\d+)/gm, 'late$1@x.org');
  const retry = request({ import_id: id, job_id: made }, {}, { csv: corrected });
  expect((await through(() => retryImportJob(deps, retry))).ok).toBe(true);
  await deliver();
  await through(() => harness.settleImport(reference));
  plan.rate = 0;
  const ended = [await harness.readJob(id, job), await harness.readJob(id, made)];
  const errors = [
    ...(await harness.readErrors(id, job)).errors,
    ...(await harness.readErrors(id, made)).errors,
  ];
  return {
    kills: plan.kills,
    outcome: {
      counts: ended.map(({ counts }) => counts),
      errors: errors.map(({ row, code, record }) => [row, code, record]),
      people: await harness.people(),
    },
  };
};

describe('imports whose workers are killed, throttled and redelivered at random', () => {
  it('end with the counts, errors and profiles of the undisturbed run', async () => {
    const { outcome: expected } = await run(0, 0);
    expect(expected.counts).toMatchObject([
      { status: 'complete-with-errors', ingested: 32, completed: 28 },
      { status: 'complete', ingested: 25, completed: 25 },
    ]);
    let kills = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const disturbed = await run(seed, 0.02 + (seed % 5) * 0.015);
      expect(disturbed.outcome, `seed ${seed}`).toEqual(expected);
      kills += disturbed.kills;
    }
    expect(kills).toBeGreaterThan(SEEDS);
  });
});
