/** Chart: the picture of a scenario as SVG, for light and dark screens. */
import { widthOf } from '../../test/docs/dejavu-sans.ts';
import { figure } from './format.ts';
import type { Chart } from './scenario.ts';

const WIDTH = 760;
const EDGE = 16;
const FONT = 13;
const SMALL = 12;
const ROW = 28;
const BAR = 16;
const GAP = 10;

/** Room of a text, with the widest font of Linux. */
const room = (text: string, size: number): number => widthOf(text, { size, weight: 'regular' });

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const at = (value: number): string => String(Math.round(value * 10) / 10);

/** Colours of the lines, for light and for dark screens. */
const PALETTE = [
  ['#3b6ea5', '#6aa3dd'],
  ['#b35900', '#f0a050'],
  ['#2e7d4f', '#6cc78f'],
  ['#8b4a9e', '#c99add'],
  ['#8a6d00', '#d8b93c'],
] as const;

/** The picture of a chart. */
export const drawChart = (title: string, chart: Chart): string =>
  chart.kind === 'bars' ? drawBars(title, chart) : drawLines(title, chart);

type Of<Kind extends Chart['kind']> = Extract<Chart, { kind: Kind }>;

const text = (x: number, y: number, value: string, name = ''): string =>
  `  <text${name === '' ? '' : ` class="${name}"`} x="${at(x)}" y="${at(y)}">${escaped(value)}</text>`;

const drawBars = (title: string, { unit, bars, floor, floorIs }: Of<'bars'>): string => {
  const left = EDGE + Math.max(...bars.map(({ name }) => room(name, FONT))) + GAP;
  const values = bars.map(({ value }) => figure(value));
  const right = WIDTH - EDGE - GAP - Math.max(...values.map((value) => room(value, FONT)));
  const most = Math.max(...bars.map(({ value }) => value), floor ?? 0);
  const widthFor = (value: number): number => (most > 0 ? ((right - left) * value) / most : 0);
  const top = 64;
  const rows = bars.flatMap(({ name, value }, index) => {
    const y = top + index * ROW;
    const end = left + widthFor(value);
    return [
      text(EDGE, y + BAR - 3, name, 'start'),
      `  <rect class="bar" x="${at(left)}" y="${at(y)}" width="${at(Math.max(1, end - left))}" height="${BAR}"/>`,
      text(end + GAP, y + BAR - 3, values[index] ?? '', 'start'),
    ];
  });
  const height = top + bars.length * ROW + EDGE;
  const line =
    floor === undefined
      ? []
      : [`  <path class="floor" d="M${at(left + widthFor(floor))} ${top - 8} V${height - EDGE - 4}"/>`];
  return page(title, height, [legend(unit, floor, floorIs), ...rows, ...line]);
};

/** The line below the title: the unit, and the meaning of the dashed line. */
const legend = (unit: string, floor: number | undefined, floorIs = 'the bare floor'): string =>
  text(EDGE, 46, floor === undefined ? unit : `${unit}; the dashed line is ${floorIs}`, 'note');

const drawLines = (title: string, { unit, at: steps, lines, floor }: Of<'lines'>): string => {
  const [top, bottom, left] = [64, 300, EDGE + 60];
  const names = Math.max(...lines.map(({ name }) => room(name, FONT)));
  const right = WIDTH - EDGE - names - GAP * 2;
  const most = Math.max(...lines.flatMap(({ values }) => values), floor ?? 0) * 1.1;
  const x = (index: number): number =>
    steps.length > 1 ? left + ((right - left) * index) / (steps.length - 1) : (left + right) / 2;
  const y = (value: number): number => bottom - ((bottom - top) * value) / most;
  const grid = [0, 0.25, 0.5, 0.75, 1].flatMap((share) => {
    const value = (most / 1.1) * share;
    return [
      `  <path class="grid" d="M${at(left)} ${at(y(value))} H${at(right)}"/>`,
      text(EDGE, y(value) + 4, figure(value), 'note'),
    ];
  });
  const curves = lines.map(({ values }, index) => {
    const points = values.map((value, step) => `${at(x(step))} ${at(y(value))}`);
    return `  <path class="curve c${index % PALETTE.length}" d="M${points.join(' L')}"/>`;
  });
  const labels = spread(lines.map(({ name, values }) => ({ name, y: y(values.at(-1) ?? 0) + 4 })));
  return page(title, bottom + 60, [
    legend(unit, floor),
    ...grid,
    ...steps.map((step, index) => text(x(index), bottom + 24, step, 'small')),
    ...curves,
    ...labels.map((label) => text(right + GAP, label.y, label.name, 'start')),
    ...(floor === undefined
      ? []
      : [`  <path class="floor" d="M${at(left)} ${at(y(floor))} H${at(right)}"/>`]),
  ]);
};

/** Moves labels apart that would lie over each other, downwards, or upwards at the end. */
const spread = (
  labels: readonly { readonly name: string; readonly y: number }[],
): readonly { readonly name: string; readonly y: number }[] => {
  let last = 80;
  const down = labels
    .toSorted((one, other) => one.y - other.y)
    .map((label) => {
      last = Math.max(label.y, last + FONT + 4);
      return { ...label, y: last };
    });
  const over = Math.max(0, last - 320);
  return down.map((label) => ({ ...label, y: label.y - over }));
};

const colours = (side: 0 | 1): readonly string[] =>
  PALETTE.map((pair, index) => `.c${index} { stroke: ${pair[side]} }`);

const page = (title: string, height: number, content: readonly string[]): string => {
  const label = escaped(title);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="system-ui, sans-serif" font-size="${FONT}" role="img" aria-label="${label}">
  <title>${label}</title>
  <style>
    .ground { fill: #fff }
    .bar { fill: #3b6ea5 }
    .curve { fill: none; stroke-width: 2 }
    ${colours(0).join('\n    ')}
    .grid { stroke: #d8dee4; stroke-width: 1; fill: none }
    .floor { stroke: #b3261e; stroke-width: 1.5; stroke-dasharray: 5 4; fill: none }
    text { fill: #1c2733; text-anchor: middle; font-size: ${FONT}px }
    .start { text-anchor: start }
    .small { font-size: ${SMALL}px; fill: #4a5868 }
    .note { text-anchor: start; font-size: ${SMALL}px; fill: #4a5868 }
    .head { text-anchor: start; font-weight: 600 }
    @media (prefers-color-scheme: dark) {
      .ground { fill: #0d1117 }
      .bar { fill: #6aa3dd }
      ${colours(1).join('\n      ')}
      .grid { stroke: #30363d }
      .floor { stroke: #ff8a80 }
      text { fill: #e6edf3 }
      .small, .note { fill: #a3b0bc }
    }
  </style>
  <rect class="ground" width="${WIDTH}" height="${height}"/>
${[text(EDGE, 26, title, 'head'), ...content].join('\n')}
</svg>
`;
};
