import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { crosses, drawingOf, isWithin, overlap, type Box, type Label } from './drawing.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('docs/**/*.svg', { cwd: root }).toSorted();
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** Pixels between a text and the side of its box. */
const MARGIN = 6;

/** The smallest box that a text touches. */
const boxOf = (label: Label, boxes: readonly Box[]): Box | undefined =>
  boxes
    .filter((box) => overlap(label, box))
    .toSorted((one, other) => one.width * one.height - other.width * other.height)[0];

const texts = (labels: readonly Label[]): readonly string[] => labels.map(({ text }) => text);

it('there are pictures', () => {
  expect(files.length).toBeGreaterThanOrEqual(10);
});

describe.each(files)('%s', (file) => {
  const svg = read(file);

  it('has its texts inside its boxes, also with a wide font of Linux', () => {
    const { size, boxes, labels } = drawingOf(svg);
    expect(labels.length).toBe(svg.split('<text').length - 1);
    const outside = labels.filter((label) => {
      const box = boxOf(label, boxes);
      return box ? !isWithin(label, box, MARGIN) : !isWithin(label, size);
    });
    expect(texts(outside)).toEqual([]);
  });

  it('has no text over another text', () => {
    const { labels } = drawingOf(svg);
    const covered = labels.filter((one, index) =>
      labels.slice(index + 1).some((other) => overlap(one, other)),
    );
    expect(texts(covered)).toEqual([]);
  });

  it('has arrows that cross neither boxes nor texts', () => {
    const { boxes, labels, lines } = drawingOf(svg);
    expect(lines.length).toBe((svg.match(/<path class="(line|back)"/g) ?? []).length);
    const crossing = lines.filter(
      (line) => boxes.some((box) => crosses(line, box, 3)) || labels.some((label) => crosses(line, label)),
    );
    expect(crossing.map(({ d }) => d)).toEqual([]);
  });

  it('has colours for light and for dark screens, in its style only', () => {
    const [light = '', dark = ''] = (/<style>([^]*?)<\/style>/.exec(svg)?.[1] ?? '').split(
      '@media (prefers-color-scheme: dark)',
    );
    const rules = light.split('\n').filter((line) => line.includes(' #'));
    const coloured = rules.map((line) => line.trim().split(' ')[0] ?? '');
    expect(coloured).toContain('.ground');
    const darkened = new Set(dark.split(/[\s,]+/));
    expect(coloured.filter((name) => !darkened.has(name))).toEqual([]);
    expect(svg.replace(/<style>[^]*?<\/style>/, '')).not.toMatch(/(?:fill|stroke)="/);
  });
});

it('the picture of the storeys has every folder of shared/, once', () => {
  const drawn = [...read('docs/storeys.svg').matchAll(/class="head"[^>]*>([a-z]+)</g)].map(
    ([, name = '']) => name,
  );
  const folders = readdirSync(join(root, 'shared'), { withFileTypes: true }).filter((one) =>
    one.isDirectory(),
  );
  expect(drawn.toSorted()).toEqual(folders.map(({ name }) => name).toSorted());
});
