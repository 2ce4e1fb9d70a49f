import { expect, it } from 'vitest';
import { directoryWriter, readDirectories } from '../../shared/membership/chunk.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { viewOf } from '../support/table-view.ts';

const pause = () => Promise.resolve();
const wanted = (group: number) => new Map([[5, new Set([group])]]);

it('a writer whose directory entry was refused adds it on the next attempt, even if the first call failed', async () => {
  const table = new MemoryTable();
  let isDisturbed = false;
  let fails = false;
  const writer = directoryWriter({
    pause,
    table: viewOf(table, {
      getMany: (keys) =>
        fails ? Promise.reject(new Error('the table does not answer')) : table.getMany(keys),
      writeMany: async (writes) => {
        if (!isDisturbed) {
          isDisturbed = true;
          await directoryWriter({ table, pause }).ensure(1, wanted(1));
          fails = true;
        }
        return table.writeMany(writes);
      },
    }),
  });
  await expect(writer.ensure(1, wanted(0))).rejects.toThrow('does not answer');
  fails = false;
  await writer.ensure(1, wanted(0));
  expect((await readDirectories(table, 1, [5])).get(5)).toEqual([0, 1]);
});
