import { describe, expect, it } from 'vitest';
import {
  bornAs,
  commitWrite,
  deleteWrite,
  isLive,
  lifecycleOf,
  purgeWrite,
  replaceWrite,
  transitions,
  type Lifecycle,
} from '../../shared/references/lifecycle.ts';
import { keys } from '../../shared/table/keys.ts';
import type { StoredItem, Write } from '../../shared/table/table.ts';
import { MemoryTable } from '../support/memory-table.ts';

const key = keys.segment(7, 7_000_000_002);

/** Stores an item in a state, writes to it, and returns its state afterwards; undefined when the item no longer exists. */
const stateAfter = async (
  state: Lifecycle | 'absent',
  write: (item: StoredItem) => Write,
): Promise<Lifecycle | undefined> => {
  const table = new MemoryTable();
  if (state !== 'absent') await table.put(key, { id: 1, lifecycle: state });
  await table.write(write((await table.get(key)) ?? { ...key, w: 'none' }));
  const item = await table.get(key);
  return item && lifecycleOf(item);
};

describe('the lifecycle of a stored item', () => {
  it('treats an item without the attribute as current', () => {
    expect(lifecycleOf({ ...key, w: '1' })).toBe('current');
  });

  it.each<[Lifecycle, boolean]>([
    ['pending', true],
    ['current', true],
    ['replaced', true],
    ['deleted', false],
  ])('calls an item that is %s live: %s', (lifecycle, live) => {
    expect(isLive({ ...key, w: '1', lifecycle })).toBe(live);
  });

  it('does not call a missing item live', () => {
    expect(isLive(undefined)).toBe(false);
  });

  it('commits pending items only', async () => {
    expect(transitions.commit.from).toEqual(['pending']);
    expect(await stateAfter('pending', () => commitWrite(key))).toBe('current');
    for (const state of ['current', 'replaced', 'deleted'] as const)
      expect(await stateAfter(state, () => commitWrite(key))).toBe(state);
    expect(await stateAfter('absent', () => commitWrite(key))).toBeUndefined();
  });

  it.each(transitions.replace.from)('replaces an item that is %s and names its successor', async (state) => {
    const table = new MemoryTable();
    await table.put(key, bornAs(state));
    const item = await table.get(key);
    if (item) await table.write(replaceWrite(item, 9, 0));
    expect(await table.get(key)).toMatchObject({ lifecycle: 'replaced', replaced_by: 9 });
  });

  it.each(transitions.delete.from)('soft-deletes an item that is %s', async (state) => {
    expect(await stateAfter(state, ({ w }) => deleteWrite(key, w))).toBe('deleted');
  });

  it('changes nothing when the item was written since it was read', async () => {
    expect(await stateAfter('current', (item) => replaceWrite({ ...item, w: 'older' }, 9, 0))).toBe(
      'current',
    );
    expect(await stateAfter('current', () => deleteWrite(key, 'older'))).toBe('current');
  });

  it('purges deleted items, and no others', async () => {
    expect(await stateAfter('deleted', () => purgeWrite(key))).toBeUndefined();
    expect(await stateAfter('current', () => purgeWrite(key))).toBe('current');
  });
});
