import { expect, it } from 'vitest';
import { scriptedTable } from './scripted-client.ts';

const whole = { pk: { S: 'P' }, sk: { S: 'S' }, w: { S: 'w' } };

it.each([
  ['a nonce', { ...whole, w: undefined }],
  ['a nonce of text', { ...whole, w: { N: '1' } }],
  ['a sort key of text', { ...whole, sk: { N: '1' } }],
])('an item without %s is refused: nobody could change it on a condition', async (_, item) => {
  const { table } = scriptedTable({ Items: [item] });
  await expect(table.query('P')).rejects.toThrow('without a key or a nonce');
});
