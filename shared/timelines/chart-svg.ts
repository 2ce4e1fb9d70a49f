/** Chart: draws the moments of a timeline as SVG. */
import { layoutOf, type Chart, type ChartLayout, type ChartPoint, type Tick } from './chart-layout.ts';
import { coordinate, escapeXml, fullNumber } from './chart-scale.ts';
import { styleOf } from './chart-style.ts';
import { fullTime } from '../runtime/time-words.ts';
import { timeLabels } from './chart-times.ts';

/**
 * Draws a timeline as a self-contained SVG: members as a line, and below it bars for people who joined and left.
 * Programs can read the figures back: each moment is a group with `data-` attributes, and with a title that has the
 * same figures in words.
 */
export const chartSvg = (chart: Chart): string => {
  const { points, zone, size } = chart;
  const layout = layoutOf(chart);
  const { width, height } = size;
  const fixed = size.scaled ? '' : ` width="${width}" height="${height}"`;
  const name = shortened(chart.name, width - 2 * layout.edge);
  return [
    `<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"${fixed} role="img" aria-labelledby="title summary">`,
    `<title id="title">${escapeXml(chart.name)}</title>`,
    `<desc id="summary">${escapeXml(summaryOf(chart))}</desc>`,
    `<style>${styleOf(size.scaled ? headingSize(name, width - 2 * layout.edge) : undefined)}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<text class="heading" x="${layout.edge}" y="${layout.headingLine}">${escapeXml(name.join(''))}</text>`,
    `<text x="${layout.edge}" y="${layout.legendLine}"><tspan class="joined">■</tspan> joined&#160; <tspan class="left">■</tspan> left&#160; · times in ${zone}</text>`,
    ...layout.memberTicks.map((tick) => gridLine(layout, tick, layout.members(tick.value))),
    ...layout.changeTicks.map((tick) => gridLine(layout, tick, layout.change(tick.value))),
    ...timeAxis(chart, layout),
    `<polyline class="line" points="${points.map(({ created, count }) => `${coordinate(layout.x(created))},${coordinate(layout.members(count))}`).join(' ')}"/>`,
    ...points.map((point, index) => momentGroup(point, index, { zone, layout })),
    ...lastNumbers(points, layout),
    '</svg>',
  ].join('\n');
};

const momentGroup = (
  { id, created, count, added, removed }: ChartPoint,
  index: number,
  { zone, layout }: { readonly zone: string; readonly layout: ChartLayout },
): string => {
  const { x, members, change, bar, membersPanel, changesPanel } = layout;
  const start = coordinate(x(created) - bar / 2);
  const rect = (kind: string, value: number, from: number, to: number): string =>
    value === 0
      ? ''
      : `<rect class="${kind}" x="${start}" y="${coordinate(from)}" width="${coordinate(bar)}" height="${coordinate(to - from)}"/>`;
  const data = `data-index="${index}" data-id="${id}" data-date="${new Date(created).toISOString()}" data-count="${count}"`;
  const since = added === null ? '' : ` data-added="${added}" data-removed="${removed ?? 0}"`;
  return [
    `<g class="moment" ${data}${since}>`,
    `<title>${titleOf({ id, created, count, added, removed }, zone)}</title>`,
    `<rect class="hit" x="${start}" y="${membersPanel.top}" width="${coordinate(bar)}" height="${changesPanel.bottom - membersPanel.top}"/>`,
    `<circle class="dot" cx="${coordinate(x(created))}" cy="${coordinate(members(count))}" r="${bar < 6 ? 1.5 : 3}"/>`,
    rect('joined', added ?? 0, change(added ?? 0), change(0)),
    rect('left', removed ?? 0, change(0), change(-(removed ?? 0))),
    '</g>',
  ].join('');
};

const titleOf = ({ created, count, added, removed }: ChartPoint, zone: string): string => {
  const moment = `${fullTime(zone, created)}: ${fullNumber(count)} members`;
  return added === null ? moment : `${moment}, ${fullNumber(added)} joined, ${fullNumber(removed ?? 0)} left`;
};

const summaryOf = ({ points, zone }: Chart): string => {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) throw new Error('chart: a timeline without a moment');
  if (first === last) return `One moment. ${titleOf(first, zone)}. Times are in ${zone}.`;
  const joined = points.slice(1).reduce((sum, { added }) => sum + (added ?? 0), 0);
  const gone = points.slice(1).reduce((sum, { removed }) => sum + (removed ?? 0), 0);
  const span = `${points.length} moments, ${fullTime(zone, first.created)} to ${fullTime(zone, last.created)}`;
  return `${span}: from ${fullNumber(first.count)} to ${fullNumber(last.count)} members; ${fullNumber(joined)} joined and ${fullNumber(gone)} left in between. Times are in ${zone}.`;
};

/** The width of a character in the heading, as a share of its size: a name in wide letters fits too. */
const NAME_CHARACTER = 0.9;

const HEADING = { least: 16, most: 34 };

/** The characters of a name that fit into a heading, the last of them an ellipsis if it is cut. */
const shortened = (name: string, room: number): readonly string[] => {
  const fits = Math.floor(room / (HEADING.least * NAME_CHARACTER));
  const characters = [...new Intl.Segmenter('en').segment(name)].map(({ segment }) => segment);
  return characters.length > fits ? [...characters.slice(0, fits - 1), '…'] : characters;
};

/** The largest size at which a heading fits, as far as one can know: characters behind the Latin ones are wider. */
const headingSize = (characters: readonly string[], room: number): number => {
  const wide = characters.reduce((sum, character) => sum + (character < '\u0370' ? 0.6 : 1.1), 0);
  return Math.max(HEADING.least, Math.min(HEADING.most, Math.floor(room / Math.max(wide, 1))));
};

const gridLine = ({ left, right }: ChartLayout, { value, label }: Tick, y: number): string =>
  `<line class="${value === 0 ? 'axis' : 'grid'}" x1="${left}" x2="${right}" y1="${coordinate(y)}" y2="${coordinate(y)}"/>` +
  `<text x="${left - 8}" y="${coordinate(y)}" dy=".35em" text-anchor="end">${label}</text>`;

/** The figures of the last moment beside it. */
const lastNumbers = (points: readonly ChartPoint[], layout: ChartLayout): readonly string[] => {
  const last = points.at(-1);
  if (!last) return [];
  const place = points.length === 1 ? layout.x(last.created) + layout.edge : layout.right;
  const x = coordinate(place + layout.edge);
  const change = (sign: string, value: number | null, middle: number): readonly string[] =>
    value === null || value === 0
      ? []
      : [`<text x="${x}" y="${coordinate(middle)}" dy=".35em">${sign}${fullNumber(value)}</text>`];
  return [
    `<text class="last" x="${x}" y="${coordinate(layout.members(last.count))}" dy=".35em">${fullNumber(last.count)}</text>`,
    ...change('+', last.added, layout.change(0) - layout.line / 2),
    ...change('−', last.removed, layout.change(0) + layout.line / 2),
  ];
};

/** The times below the panels, each with a mark. */
const timeAxis = ({ points, zone }: Chart, { x, changesPanel }: ChartLayout): readonly string[] => {
  const [first, last] = [points[0]?.created ?? 0, points.at(-1)?.created ?? 0];
  const { bottom } = changesPanel;
  return timeLabels({ first, last, zone, x }).map(({ text, x: place, anchor }) => {
    const kind = anchor === 'middle' && first !== last ? ' between' : '';
    return (
      `<line class="axis${kind}" x1="${coordinate(place)}" x2="${coordinate(place)}" y1="${bottom}" y2="${bottom + 5}"/>` +
      `<text class="time${kind}" x="${coordinate(place)}" y="${bottom + 10}" dy=".8em" text-anchor="${anchor}">${text}</text>`
    );
  });
};
