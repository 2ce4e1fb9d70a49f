/** Drawing: reads the pictures of the documents: their boxes, their texts with the room that each takes, their lines. */
import { widthOf } from './dejavu-sans.ts';

/** A rectangle in a picture, in pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A text and the room that it takes. */
export interface Label extends Box {
  readonly text: string;
}

/** A line with an arrow: its points, one each few pixels. */
export interface Line {
  readonly d: string;
  readonly points: readonly Point[];
}

type Point = readonly [x: number, y: number];

/** A picture as far as the checks need it. */
export interface Drawing {
  readonly size: Box;
  readonly boxes: readonly Box[];
  readonly labels: readonly Label[];
  readonly lines: readonly Line[];
}

/** Reads a picture. It has rectangles, texts of one line, and lines whose style is in classes. */
export const drawingOf = (svg: string): Drawing => {
  const [width = 0, height = 0] = numbersIn(/viewBox="0 0 ([\d ]+)"/.exec(svg)?.[1] ?? '');
  const styles = stylesIn(svg);
  return {
    size: { x: 0, y: 0, width, height },
    boxes: [...svg.matchAll(/<rect class="(\w+)"([^>]*)>/g)]
      .filter(([, name]) => name !== 'ground')
      .map(([, , attributes = '']) => boxOf(attributes)),
    labels: [...svg.matchAll(/<text((?: [\w-]+="[^"]*")*)>([^<]*)<\/text>/g)].map(
      ([, attributes = '', text = '']) => labelOf(styles, attributes, unescaped(text)),
    ),
    lines: [...svg.matchAll(/<path class="(?:line|back)"[^>]* d="([^"]*)"/g)].map(([, d = '']) => ({
      d,
      points: pointsOf(d),
    })),
  };
};

const numbersIn = (text: string): readonly number[] => (text.match(/-?[\d.]+/g) ?? []).map(Number);

const attribute = (attributes: string, name: string): string =>
  new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? '';

const boxOf = (attributes: string): Box => {
  const of = (name: string): number => Number(attribute(attributes, name));
  return { x: of('x'), y: of('y'), width: of('width'), height: of('height') };
};

const unescaped = (text: string): string =>
  text.replaceAll('&#39;', "'").replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&');

type Declarations = Readonly<Record<string, string>>;

/** The declarations of `text` and of each class, without those for dark screens. */
const stylesIn = (svg: string): ReadonlyMap<string, Declarations> => {
  const [light = ''] = (/<style>([^]*?)<\/style>/.exec(svg)?.[1] ?? '').split('@media');
  return new Map(
    [...light.matchAll(/(?:^|\n) *\.?([\w-]+) \{ ([^}]*) \}/g)].map(([, name = '', declarations = '']) => [
      name,
      Object.fromEntries(declarations.split(/; ?/).map((each) => each.split(': '))),
    ]),
  );
};

/** Part of the font size above and below the line on which a text stands. */
const ASCENT = 0.76;
const DESCENT = 0.24;

const labelOf = (styles: ReadonlyMap<string, Declarations>, attributes: string, text: string): Label => {
  const names = ['text', ...attribute(attributes, 'class').split(' ')];
  const style = names.reduce<Declarations>((all, name) => ({ ...all, ...styles.get(name) }), {});
  const size = Number.parseFloat(style['font-size'] ?? '');
  const weight = Number(style['font-weight'] ?? 400) >= 600 ? 'bold' : 'regular';
  const width = widthOf(text, { size, weight });
  const before = style['text-anchor'] === 'start' ? 0 : width / 2;
  const { x, y } = boxOf(attributes);
  return { text, x: x - before, y: y - size * ASCENT, width, height: size * (ASCENT + DESCENT) };
};

/** Pixels between two points of a line. */
const STEP = 2;

/** The points of a path of straight lines: absolute `M`, `H`, `V` and `L`. */
const pointsOf = (d: string): readonly Point[] => {
  const points: Point[] = [];
  for (const [, command, rest = ''] of d.matchAll(/([A-Z])([^A-Z]*)/g)) {
    const [first = 0, second = 0] = numbersIn(rest);
    const [x, y] = points.at(-1) ?? [first, second];
    const targets: Readonly<Record<string, Point>> = {
      M: [first, second],
      L: [first, second],
      H: [first, y],
      V: [x, first],
    };
    const target = targets[command ?? ''];
    if (!target) throw new Error(`Draw ${d} with straight lines only: M, L, H and V`);
    points.push(...between([x, y], target));
  }
  return points;
};

const between = ([x, y]: Point, [toX, toY]: Point): readonly Point[] => {
  const steps = Math.max(1, Math.ceil(Math.hypot(toX - x, toY - y) / STEP));
  return Array.from({ length: steps + 1 }, (_, step) => {
    const part = step / steps;
    return [x + (toX - x) * part, y + (toY - y) * part] as const;
  });
};

/** Whether a box lies within another one, with a margin at the sides. */
export const isWithin = (inner: Box, outer: Box, margin = 0): boolean =>
  inner.x >= outer.x + margin &&
  inner.x + inner.width <= outer.x + outer.width - margin &&
  inner.y >= outer.y &&
  inner.y + inner.height <= outer.y + outer.height;

/** Whether two boxes have an inner point in common. */
export const overlap = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** Whether a line runs through a box, more than a few pixels behind its edge. */
export const crosses = ({ points }: Line, { x, y, width, height }: Box, edge = 0): boolean =>
  points.some(
    ([px, py]) => px > x + edge && px < x + width - edge && py > y + edge && py < y + height - edge,
  );
