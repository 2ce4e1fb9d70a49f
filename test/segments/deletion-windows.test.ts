/** Windows of the deletion of a value segment that random schedules hardly ever meet. */
import { expect, it } from 'vitest';
import { keys, type Key } from '../../shared/table/keys.ts';
import type { Write } from '../../shared/table/table.ts';
import { kindOfKey } from '../../cli/standalone/item-kinds.ts';
import { scope } from '../profiles/harness.ts';
import { Killed } from '../ingest/interleave.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { gate, viewOf } from '../support/table-view.ts';
import { faultsIn, processOn } from './empty-segments-harness.ts';

const CHUNK = 4096;

const isChunkOf = (id: number, { pk }: Key): boolean => kindOfKey(pk) === 'chunk' && pk.includes(`#${id}#`);

/** The id of the segment of the tag. */
const idOn = async (table: MemoryTable): Promise<number> => {
  const id = await processOn(table).idOf();
  if (id === undefined) throw new Error('the tag has no segment');
  return id;
};

it('an indexer that dies between a new chunk of a deleted segment and its look at the segment leaves no member there', async () => {
  const table = new MemoryTable();
  const [writer, other] = [processOn(table), processOn(table)];
  /** The segment whose next chunk kills the indexer. */
  let fatal = NaN;
  let isDead = false;
  const dying = processOn(
    viewOf(table, {
      get: async (key) => {
        if (isDead) throw new Killed();
        return table.get(key);
      },
      getMany: async (wanted) => {
        if (isDead) throw new Killed();
        return table.getMany(wanted);
      },
      writeMany: async (writes) => {
        const outcomes = await table.writeMany(writes);
        const isIt = ({ kind, key }: Write) => kind === 'insert' && isChunkOf(fatal, key);
        isDead ||= writes.some(isIt);
        if (isDead) throw new Killed();
        return outcomes;
      },
    }),
  );
  await writer.tag('ann', 0);
  await table.increment(keys.counter(scope.id, 'ordinal'), CHUNK);
  // The ordinals of this process are in another chunk.
  await processOn(table).untag('far', 0);
  // Both drainers know the segment, because they have indexed a change of it.
  await dying.untag('ann', 1);
  await other.tag('ann', 2);
  await other.untag('ann', 3);
  const id = await idOn(table);
  expect((await processOn(table).remove(id)).ok).toBe(true);
  await writer.tag('far', 10, 'later');
  fatal = id;
  await expect(dying.drain()).rejects.toThrow(Killed);
  await other.drain();
  expect(await faultsIn(table)).toEqual([]);
});

it('a deletion whose mark an indexer has removed meanwhile loses no member', async () => {
  const table = new MemoryTable();
  const warm = processOn(table);
  await warm.tag('ann', 0);
  await warm.tag('bob', 1);
  await warm.untag('ann', 2);
  await warm.untag('bob', 3);
  const id = await idOn(table);
  const item = keys.segment(scope.id, id);
  const isItem = ({ pk, sk }: Key): boolean => pk === item.pk && sk === item.sk;
  const [look, decide, index] = [gate(), gate(), gate()];
  // The deletion looks at the segment and its mark before it asks for referrers, and again afterwards. It waits before the
  // last of these four reads, and before the write that decides.
  let reads = 0;
  const deleting = viewOf(table, {
    get: async (key) => {
      if (isItem(key)) reads += 1;
      if (isItem(key) && reads === 4) await look.pass();
      return table.get(key);
    },
    write: async (write) => {
      if (write.kind === 'update' && isItem(write.key) && 'successor' in write.set) await decide.pass();
      return table.write(write);
    },
  });
  const removed = processOn(deleting).remove(id);
  await look.reached;
  // An indexer sees the mark and removes it, and is about to write the member.
  const indexing = viewOf(table, {
    writeMany: async (writes) => {
      if (writes.some(({ kind, key }) => kind === 'update' && isChunkOf(id, key))) await index.pass();
      return table.writeMany(writes);
    },
  });
  const tagged = processOn(indexing).tag('ann', 10);
  await index.reached;
  look.open();
  await Promise.race([decide.reached, removed]);
  index.open();
  await tagged;
  decide.open();
  await removed;
  expect(await faultsIn(table)).toEqual([]);
});
