import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { runUndo } from '../../shared/imports/undo/run-undo.ts';
import { decodeEntries, undoJobFolder } from '../../shared/ingest/undo-log.ts';
import { scope } from '../profiles/harness.ts';
import { importHarness, type ImportHarness, referenceOf } from './import-harness.ts';
import { ask, step, undo, undoDeps } from './undo-steps.ts';

/** A job with one row, whose undo was asked for. */
const asked = async (harness: ImportHarness) => {
  const { id: importId } = await harness.define();
  const { id: job } = await harness.runFile(importId, 'email,first_name\na@x.org,Anna\n');
  await ask(harness, importId, job);
  return { importId, job };
};

it('an undo is complete once the index shows the writes of clocks that are ahead', async () => {
  const harness = importHarness();
  const { importId, job } = await asked(harness);
  await step(harness, importId, job);
  const passed = (await harness.deps.imports.job(scope.id, job))?.undo?.passed ?? 0;
  expect(harness.barrier.asked.at(-1)).toBe(passed + limits.clockSkewSeconds * 1000);
});

it('an undo counts no entry of a writer that its mark stopped, however often it begins', async () => {
  const harness = importHarness();
  const { importId, job } = await asked(harness);
  // The first run lists the log, and dies before it has read it.
  const work = {
    get: () => Promise.reject(new Error('died')),
    put: (key: string, body: Uint8Array | string) => harness.work.put(key, body),
    list: (folder: string) => harness.work.list(folder),
  };
  const reference = referenceOf(importId, job);
  await expect(runUndo({ ...undoDeps(harness), work }, reference)).rejects.toThrow('died');
  // A writer of the job logs another value that it is about to bring, and finds the mark.
  const [key = ''] = await harness.work.list(undoJobFolder(scope.id, job));
  const [entry] = [...(decodeEntries((await harness.work.get(key)) ?? new Uint8Array()) ?? [])];
  if (!entry) throw new Error('the job has no log');
  const city = entry.brought
    .slice(0, 1)
    .map((register) => ({ ...register, area: 'value', name: 'city' }) as const);
  const late = { ordinal: entry.ordinal, brought: city, beneath: [], late: [] };
  const marked = await harness.profileDeps.undoLog.add(scope.id, 'late', new Map([[job, [late]]]));
  expect(marked).toEqual(new Set([job]));
  expect((await undo(harness, importId, job)).undo).toMatchObject({
    status: 'complete',
    values: { taken_back: 2, replaced: 0 },
    people: { removed: 1, changed: 0, unchanged: 0 },
  });
  expect(await harness.people()).toEqual([['', null]]);
});
