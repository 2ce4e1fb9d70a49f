import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const pictures = globSync('docs/internals/*.svg', { cwd: root }).toSorted();

/** Pixels of a character at 13 px: 30 % more than the average of usual sans-serif fonts. */
const CHARACTER = 9.1;

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const boxesIn = (svg: string): readonly Box[] =>
  [...svg.matchAll(/<rect class="\w+" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g)].map(
    ([, ...numbers]) => {
      const [x = 0, y = 0, width = 0, height = 0] = numbers.map(Number);
      return { x, y, width, height };
    },
  );

const holds = ({ x, y, width, height }: Box, text: string, middle: number, line: number): boolean => {
  const half = (text.length * CHARACTER) / 2;
  return middle - half >= x && middle + half <= x + width && line - 13 >= y && line + 4 <= y + height;
};

it.each(pictures)('%s: the text stays in its boxes with any font', (file) => {
  const svg = readFileSync(join(root, file), 'utf8');
  const boxes = boxesIn(svg);
  const texts = [...svg.matchAll(/<text(?: class="head")? x="(\d+)" y="(\d+)">([^<]*)<\/text>/g)];
  expect(texts.length).toBeGreaterThan(boxes.length);
  const outside = texts.filter(
    ([, x, y, text = '']) => !boxes.some((box) => holds(box, text, Number(x), Number(y))),
  );
  expect(outside.map(([, , , text]) => text)).toEqual([]);
});
