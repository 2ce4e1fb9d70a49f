/** Executions that are under way when their property is deleted. Their workflows repeat these steps every ten minutes. */
import { expect, it } from 'vitest';
import { announceImport } from '../../shared/imports/announce/announce-import.ts';
import { type ImportHarness, referenceOf, ranFile } from './import-harness.ts';
import { ask, step } from './undo-steps.ts';

const steps: Readonly<Record<string, typeof step>> = {
  settleImport: (harness, importId, job) => harness.settleImport(referenceOf(importId, job)),
  announceImport: (harness, importId, job) => announceImport(harness.deps, referenceOf(importId, job)),
  undoImport: step,
};

const deleteAll = async ({ table }: ImportHarness): Promise<void> => {
  for (const { pk, sk, w } of table.items())
    await table.write({ kind: 'delete', key: { pk, sk }, expect: { w } });
};

it.each(Object.entries(steps))('%s has nothing left to do', async (_, run) => {
  const { harness, id: importId, jobId: job } = await ranFile('email,first_name\na@x.org,Anna\n');
  await ask(harness, importId, job);
  await deleteAll(harness);
  expect(await run(harness, importId, job)).toEqual({ done: true, wait_seconds: 0 });
  expect(harness.table.items()).toEqual([]);
});
