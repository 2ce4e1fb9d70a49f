import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { LINE_END, printLine } from '../../shared/csv/print-line.ts';
import { finalCounts } from '../support/api-client.ts';
import { operate } from '../support/operate.ts';
import { deadLettersOf, redrive } from '../support/redrive.ts';
import { startService, type TestService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { defineImport, firstNameOf, openJob } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';

const batchSchema = v.looseObject({ batch_job_uuid: v.string() });
const errorsSchema = v.looseObject({
  errors: v.array(v.looseObject({ row: v.nullable(v.number()), code: v.string() })),
});

const letter = v.looseObject({ about: v.nullable(v.string()), first_error: v.nullable(v.string()) });
const shownSchema = v.looseObject({ shown: v.array(letter) });
const listedSchema = v.looseObject({ dead_letters: v.array(v.looseObject({ queue: v.string() })) });

/** Resolves after this many failed deliveries of batches. */
const failedDeliveries = ({ cloud }: TestService, wanted: number): Promise<void> =>
  new Promise((resolve) => {
    let failed = 0;
    const stop = cloud.observeInvocations(({ functionName, outcome }) => {
      if (!functionName.endsWith('importBatch')) return;
      if (!outcome.ok || outcome.payload.includes('itemIdentifier')) failed += 1;
      if (failed < wanted) return;
      stop();
      resolve();
    });
  });

it('a batch that no worker can process is parked, reported, and processed after a redrive', async () => {
  await using service = await startService({ firstReturnMs: 50 });
  const { client, property, cloud } = service;
  const { id: job, job: path } = await openJob(service, await defineImport(service, definitionOf(['email'])));
  const send = (emails: readonly string[]) => {
    const records = emails.map((email) => ({ email }));
    return client.post(`/v1/${property}/import-data`, { name: 'b', import_job: job, records }, batchSchema);
  };
  const errors = async () => (await client.get(`${path}/errors`, errorsSchema)).errors;
  const isStored = async (email: string) => (await firstNameOf(service, email)) !== undefined;

  const given = failedDeliveries(service, limits.queues.maxReceiveCount);
  const restore = cloud.gateway.withoutAction('importBatch', 's3:GetObject');
  await send(['p1@x.org', 'bad', 'p2@x.org']);
  await given;
  expect(await finalCounts(client, path)).toMatchObject({
    status: 'complete-with-errors',
    ingested: 3,
    failed: 3,
    completed: 0,
  });
  expect(await errors()).toMatchObject([{ code: 'parked', row: null }]);
  restore();

  await send(['q@x.org']);
  expect(await finalCounts(client, path)).toMatchObject({ ingested: 4, completed: 1, failed: 3 });
  expect([await isStored('p1@x.org'), await isStored('q@x.org')]).toEqual([false, true]);

  const dead = deadLettersOf(service, 'importBatches');
  await until('the dead letter', () => (dead.counts().visible === 1 ? true : undefined));
  const { first_error, about } = await until('the first error in the log', async () => {
    const command = { command: 'dead-letters.show', queue: 'importBatches' };
    const [letter] = v.parse(shownSchema, await operate(service, command)).shown;
    return letter?.first_error === null ? undefined : letter;
  });
  expect(first_error).toMatch(/^AccessDenied: .* is not authorized to perform: s3:GetObject/);
  expect(about).toBe(`property ${property}, job ${job}`);
  const { dead_letters } = v.parse(listedSchema, await operate(service, { command: 'dead-letters.list' }));
  expect(dead_letters.find(({ queue }) => queue === 'importBatches')).toMatchObject({
    function: 'importBatch',
    messages: 1,
    first_error,
  });
  for (let time = 0; time < 2; time += 1) {
    await redrive(service, 'importBatches');
    // The job has already ended: the test waits for the changes of the redrive.
    const counts = await until('the rows of the parked batch', async () => {
      const found = await finalCounts(client, path);
      return found.failed === 0 ? found : undefined;
    });
    await cloud.idle();
    expect(counts).toEqual({
      status: 'complete-with-errors',
      ingested: 4,
      serialized: 3,
      unserializable: 1,
      processing: 0,
      completed: 3,
      failed: 0,
    });
    expect(await finalCounts(client, path)).toEqual(counts);
  }
  expect(await errors()).toMatchObject([{ code: 'not_an_email', row: 2 }]);
  expect(await isStored('p1@x.org')).toBe(true);

  const { text } = await service.call('GET', `${path}/errors?format=csv`);
  const [header = [], refused = []] = parse(text, {});
  const mended = refused.map((cell) => cell.replaceAll('bad', 'p3@x.org'));
  const csv = [header, mended]
    .map((row) => printLine({ delimiter: ',', formulaGuard: false }, row) + LINE_END)
    .join('');
  await client.post(`${path}/retry`, { csv }, batchSchema);
  expect(await finalCounts(client, path)).toMatchObject({ status: 'complete', ingested: 4, completed: 4 });
  expect(await isStored('p3@x.org')).toBe(true);
}, 240_000);
