import { expect, it } from 'vitest';
import type { Dialect } from '../../shared/csv/dialect.ts';
import { streamRows } from '../../shared/csv/stream-rows.ts';

const dialect: Dialect = { encoding: 'utf-8', delimiter: 'comma', newline: 'lf', trim: false };
const file = Buffer.from('a,1\r\n"b\nb",2\n\nlong,"xxxxxxxxxxxxxxx"\nd,4\n"é\r\n",5\nf,6');

const rowsOf = async (pieces: readonly Buffer[], { offset = 0, rowBytes = 12 } = {}) => {
  const rows: (string | undefined)[] = [];
  let last = offset;
  for await (const piece of streamRows(pieces, dialect, { offset, rowBytes })) {
    rows.push(...piece.rows.map((row) => row?.toString()));
    last = piece.next;
  }
  return { rows, last };
};

it('streams the same rows whatever the pieces, without the bytes of a row that is too large', async () => {
  const expected = {
    rows: ['a,1', '"b\nb",2', undefined, 'd,4', '"é\r\n",5', 'f,6'],
    last: file.length,
  };
  for (let at = 0; at <= file.length; at += 1)
    expect(await rowsOf([file.subarray(0, at), file.subarray(at)])).toEqual(expected);
  expect(await rowsOf(Array.from(file, (byte) => Buffer.of(byte)))).toEqual(expected);
});

it('continues at the place that a piece names', async () => {
  for (let at = 1; at < file.length; at += 1) {
    const pieces = [file.subarray(0, at), file.subarray(at)];
    const first = await streamRows(pieces, dialect, { offset: 0, rowBytes: 100 }).next();
    const next = first.done === true ? 0 : first.value.next;
    const { rows } = await rowsOf([file.subarray(next)], { offset: next, rowBytes: 100 });
    const all = (await rowsOf([file], { rowBytes: 100 })).rows;
    expect(all.slice(all.length - rows.length)).toEqual(rows);
  }
});

it('does not stream a row with a quote that is never closed, and holds little of it', async () => {
  const open = [Buffer.from('a,1\n"'), ...Array.from({ length: 1_000 }, () => Buffer.alloc(100, 'x'))];
  expect(await rowsOf(open)).toEqual({ rows: ['a,1'], last: 4 });
});

it('streams the row behind many rows of nothing, and holds little of them', async () => {
  const blank = Buffer.from(',,\n'.repeat(1_000));
  expect(await rowsOf([Buffer.from('a,1\n'), blank, blank, Buffer.from('b'), Buffer.from(',2\n')])).toEqual({
    rows: ['a,1', 'b,2'],
    last: 4 + 2 * blank.length + 4,
  });
});
