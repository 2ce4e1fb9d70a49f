import { expect } from 'vitest';
import type { ImportHarness } from './import-harness.ts';
import { definitionOf } from '../support/field-map.ts';

/** A definition of identities, a name and tags. */
export const definition = definitionOf(['unique_id', 'email', 'first_name', 'tags']);

/** Everything in the table but definitions, jobs and the ids of requests. */
export const dataIn = ({ table }: ImportHarness) =>
  table.items().filter(({ pk }) => !/^(P#7#(JOB|IMPORT|REQUEST|USER)|P#7$|TASKS)/.test(pk));

/** Makes a dry run for batches. */
export const openDryRun = async (harness: ImportHarness, importId: number): Promise<number> => {
  const job = await harness.openJob(importId, { dry_run: true });
  expect(job.dry_run).toBe(true);
  return job.id;
};

/** Uploads a file for a dry run, up to its inspection. */
export const uploadDryRun = async (harness: ImportHarness, importId: number, file: string) => {
  const { reference } = await harness.uploadInspected(importId, file, 'a.csv', { dry_run: true });
  return reference;
};

/** Runs a file as a dry run; answers the job. */
export const dryRun = async (harness: ImportHarness, importId: number, file: string) => {
  const reference = await uploadDryRun(harness, importId, file);
  await harness.cut(reference);
  await harness.workOff();
  expect(await harness.settleImport(reference)).toMatchObject({ done: true });
  return harness.readJob(importId, reference.job);
};
