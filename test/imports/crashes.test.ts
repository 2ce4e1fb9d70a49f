import { describe, expect, it } from 'vitest';
import { importData } from '../../shared/imports/batches/import-data.ts';
import { dyingAnywhere } from '../support/death.ts';
import { importHarness, request, tickingHarness } from './import-harness.ts';

const file = Buffer.from('email,first_name\na@x.org,A\nbad,B\nb@x.org,B\na@x.org,C\n');

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
    const kills = await dyingAnywhere({
      begin: async (tick) => {
        const harness = tickingHarness(tick);
        const { id } = await harness.define();
        const { key, job, reference } = await harness.openUpload(id, file.length);
        return { harness, id, job, reference, event: await harness.put(key, file) };
      },
      run: async ({ harness, reference, event }, through) => {
        await through(() => harness.startImport(event));
        await through(() => harness.inspectFile(reference));
        await through(() => harness.splitFile(reference));
        await harness.workOff(through);
        await through(() => harness.settleImport(reference));
      },
      check: async ({ harness, id, job }, fatal) => {
        const { counts } = await harness.readJob(id, job);
        const errors = (await harness.readErrors(id, job)).errors.map(({ row, code }) => [row, code]);
        const outcome = { counts, errors, people: await harness.people() };
        expect(outcome, `killed at operation ${fatal}`).toEqual(expected);
      },
    });
    expect(kills).toBeGreaterThan(20);
  });
});

describe('a batch sent again under its key, after a crash', () => {
  const opened = async (harness = importHarness()) => {
    const { id } = await harness.define();
    const { id: job } = await harness.openJob(id);
    const body = { name: 'b', import_job: job, records: [{ email: 'a@x.org' }] };
    const asked = { ...request({}, {}, body), keyed: true };
    return { harness, id, job, asked };
  };
  const expectOneBatch = async ({ harness, id, job }: Awaited<ReturnType<typeof opened>>): Promise<void> => {
    expect(await harness.deps.imports.batches(7, job)).toHaveLength(1);
    await harness.workOff();
    const counts = { status: 'complete', ingested: 1, completed: 1 };
    expect((await harness.readJob(id, job)).counts).toMatchObject(counts);
  };

  it('at any operation on the table or on an object is one batch', async () => {
    const kills = await dyingAnywhere({
      begin: (tick) => opened(tickingHarness(tick)),
      run: ({ harness, asked }, through) => through(() => importData(harness.deps, asked)),
      check: expectOneBatch,
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
          if (left-- > 0) throw new Error('killed');
          return batches.send(...input);
        },
      },
    };
    await expect(importData(failing, scene.asked)).rejects.toThrow('killed');
    await importData(failing, scene.asked);
    await expectOneBatch(scene);
  });
});
