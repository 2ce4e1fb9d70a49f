import { beforeEach, describe, expect, it } from 'vitest';
import { OverlayTable } from '../../shared/table/overlay-table.ts';
import { MemoryTable } from '../support/memory-table.ts';

const at = (sk: string) => ({ pk: 'p', sk });
const bounds = { from: '1', to: '5' };

let beneath: MemoryTable;
let overlay: OverlayTable;
beforeEach(async () => {
  beneath = new MemoryTable();
  overlay = new OverlayTable(beneath);
  for (const sk of ['0', '1', '3', '5', '6']) await beneath.put(at(sk), { value: 'beneath' });
});

const seen = async () => (await overlay.query('p', bounds)).items.map(({ sk, value }) => [sk, value]);

describe('a query on an overlay', () => {
  it('shows the items beneath between its bounds', async () => {
    expect(await seen()).toEqual([
      ['1', 'beneath'],
      ['3', 'beneath'],
      ['5', 'beneath'],
    ]);
  });

  it('shows the writes of the overlay, which the table beneath does not get', async () => {
    const [three] = await overlay.getMany([at('3')]);
    await overlay.writeMany([
      { kind: 'insert', key: at('2'), set: { value: 'above' } },
      { kind: 'update', key: at('3'), expect: { w: three?.w ?? '' }, set: { value: 'above' } },
      { kind: 'delete', key: at('5'), expect: {} },
    ]);
    expect(await seen()).toEqual([
      ['1', 'beneath'],
      ['2', 'above'],
      ['3', 'above'],
    ]);
    expect((await beneath.query('p', bounds)).items.map(({ value }) => value)).toEqual(
      Array.from({ length: 3 }, () => 'beneath'),
    );
    expect(overlay.original(at('3'))).toMatchObject({ value: 'beneath' });
  });

  it('keeps what it has read', async () => {
    await seen();
    await beneath.put(at('3'), { value: 'changed' });
    await overlay.getMany([at('2')]);
    await beneath.put(at('2'), { value: 'new' });
    expect(await seen()).toEqual([
      ['1', 'beneath'],
      ['3', 'beneath'],
      ['5', 'beneath'],
    ]);
  });

  it('needs both bounds', async () => {
    await expect(overlay.query('p', { from: '1' })).rejects.toThrow('between bounds only');
    await expect(overlay.query('p')).rejects.toThrow('between bounds only');
  });
});
