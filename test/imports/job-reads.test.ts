/** How often a worker reads the item of its job. Each read costs as many units as the item is large. */
import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import type { Key } from '../../shared/table/keys.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { importHarness, simpleDefinition } from './import-harness.ts';

const { rowsPerSlice } = limits.imports;

const isJob = ({ pk, sk }: Key): boolean => /#JOB#\d+$/.test(pk) && sk === 'JOB';

/** Sends a batch of new people; returns how often its worker reads the job. */
const readsOf = async (rows: number, options: object = {}): Promise<number> => {
  let reads = 0;
  const table = new MemoryTable((operation, keys) => {
    if (operation === 'get' || operation === 'getMany') reads += keys.filter(isJob).length;
  });
  const harness = importHarness(table);
  const { id: importId } = await harness.define({ ...simpleDefinition, ...options });
  const { id: job } = await harness.openJob(importId);
  await harness.send(
    job,
    Array.from({ length: rows }, (_, index) => ({ email: `p${index}@example.org` })),
  );
  reads = 0;
  await harness.workOff();
  return reads;
};

it('a worker reads its job twice a batch, and twice for each slice that it stores', async () => {
  // The writer of a slice looks for the mark of an undo before it makes claims, and after it has written the undo log.
  expect(await readsOf(1)).toBe(4);
  expect(await readsOf(rowsPerSlice)).toBe(4);
  expect(await readsOf(3 * rowsPerSlice)).toBe(8);
});

it('the worker of a dry run reads its job for the result, and for no slice', async () => {
  const one = await readsOf(1, { test_mode: true });
  expect(await readsOf(3 * rowsPerSlice, { test_mode: true })).toBe(one);
});
