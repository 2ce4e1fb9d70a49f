/** Chart: draws the moments of a timeline as SVG. */
import { coordinate, escapeXml, linear, fullNumber, compactNumber, ticksTo } from './chart-scale.ts';
import type { Counts } from './moment-counts.ts';

/** A moment in a chart. `created` in epoch milliseconds. */
export interface ChartPoint extends Counts {
  readonly id: number;
  readonly created: number;
}

/** The content of a chart: at least one moment, in order of time. */
export interface Chart {
  readonly name: string;
  readonly points: readonly ChartPoint[];
}

const width = 960;
const height = 440;
const left = 64;
const right = width - 24;

/** Top and bottom of the two panels: members, and changes (joined above the line, left below it). */
const members = { top: 72, bottom: 250 };
const changes = { top: 284, bottom: 400 };

const style = `
:root{color-scheme:light dark}
text{font:12px system-ui,sans-serif;fill:#333}
.heading{font-size:16px;font-weight:600}
.ground{fill:#fff}
.grid{stroke:#ddd}
.axis{stroke:#666}
.line{fill:none;stroke:#1f4e9c;stroke-width:2}
.dot,.key-members{fill:#1f4e9c}
.joined,.key-joined{fill:#0b7a3e}
.left,.key-left{fill:#b3471e}
.hit{fill:transparent}
.moment:hover .hit{fill:#8883}
@media (prefers-color-scheme:dark){text{fill:#ddd}.ground{fill:#16181d}.grid{stroke:#333}.axis{stroke:#999}
.line{stroke:#8ab4f8}.dot,.key-members{fill:#8ab4f8}.joined,.key-joined{fill:#5fd08a}.left,.key-left{fill:#f2a272}}`;

/**
 * Draws a timeline as a self-contained SVG: members as a line, and below it bars for people who joined and left.
 * Programs can read the figures back: each moment is a group with `data-` attributes, and with a title that has the
 * same figures in words.
 */
export const chartSvg = ({ name, points }: Chart): string => {
  const place = placesOf(points);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title summary">`,
    `<title id="title">${escapeXml(name)}</title>`,
    `<desc id="summary">${escapeXml(summaryOf(points))}</desc>`,
    `<style>${style}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<text class="heading" x="${left}" y="28">${escapeXml(shortened(name))}</text>`,
    legend,
    ...membersAxis(place),
    ...changesAxis(place),
    ...dateLabels(points, place),
    `<polyline class="line" points="${points.map(({ created, count }) => `${coordinate(place.x(created))},${coordinate(place.members(count))}`).join(' ')}"/>`,
    ...points.map((point, index) => momentGroup(point, index, place)),
    '</svg>',
  ].join('\n');
};

/** The scales of a chart. */
interface Places {
  readonly x: (created: number) => number;
  readonly members: (count: number) => number;
  readonly memberTicks: readonly number[];
  /** Around the middle line: positive counts joined, negative counts left. */
  readonly change: (count: number) => number;
  readonly changeTicks: readonly number[];
  /** Width of a bar. */
  readonly bar: number;
}

const MOST_BAR = 24;

const placesOf = (points: readonly ChartPoint[]): Places => {
  const times = points.map(({ created }) => created);
  const inset = MOST_BAR / 2 + 2;
  const x = linear(Math.min(...times), Math.max(...times), left + inset, right - inset);
  const memberTicks = ticksTo(Math.max(...points.map(({ count }) => count)));
  const most = Math.max(...points.map(({ added, removed }) => Math.max(added ?? 0, removed ?? 0)));
  const changeTicks = ticksTo(most, 2);
  const end = changeTicks.at(-1) ?? 1;
  const gaps = times.slice(1).map((time, index) => x(time) - x(times[index] ?? time));
  return {
    x,
    members: linear(0, memberTicks.at(-1) ?? 1, members.bottom, members.top),
    memberTicks,
    change: linear(-end, end, changes.bottom, changes.top),
    changeTicks,
    bar: Math.max(Math.min(...gaps.map((gap) => gap * 0.8), MOST_BAR), 1),
  };
};

const momentGroup = (
  { id, created, count, added, removed }: ChartPoint,
  index: number,
  { x, members: memberPlace, change, bar }: Places,
): string => {
  const date = new Date(created).toISOString();
  const start = coordinate(x(created) - bar / 2);
  const rect = (kind: string, value: number, from: number, to: number): string =>
    value === 0
      ? ''
      : `<rect class="${kind}" x="${start}" y="${coordinate(from)}" width="${coordinate(bar)}" height="${coordinate(to - from)}"/>`;
  const data = `data-index="${index}" data-id="${id}" data-date="${date}" data-count="${count}"`;
  const since = added === null ? '' : ` data-added="${added}" data-removed="${removed ?? 0}"`;
  return [
    `<g class="moment" ${data}${since}>`,
    `<title>${titleOf({ id, created, count, added, removed })}</title>`,
    `<rect class="hit" x="${start}" y="${members.top}" width="${coordinate(bar)}" height="${changes.bottom - members.top}"/>`,
    `<circle class="dot" cx="${coordinate(x(created))}" cy="${coordinate(memberPlace(count))}" r="${bar < 6 ? 1.5 : 3}"/>`,
    rect('joined', added ?? 0, change(added ?? 0), change(0)),
    rect('left', removed ?? 0, change(0), change(-(removed ?? 0))),
    '</g>',
  ].join('');
};

const titleOf = ({ created, count, added, removed }: ChartPoint): string => {
  const moment = `${new Date(created).toISOString()}: ${fullNumber(count)} members`;
  return added === null ? moment : `${moment}, ${fullNumber(added)} joined, ${fullNumber(removed ?? 0)} left`;
};

const summaryOf = (points: readonly ChartPoint[]): string => {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last) throw new Error('chart: a timeline without a moment');
  if (first === last) return `One moment. ${titleOf(first)}.`;
  const joined = points.slice(1).reduce((sum, { added }) => sum + (added ?? 0), 0);
  const gone = points.slice(1).reduce((sum, { removed }) => sum + (removed ?? 0), 0);
  const span = `${points.length} moments, ${new Date(first.created).toISOString()} to ${new Date(last.created).toISOString()}`;
  return `${span}: from ${fullNumber(first.count)} to ${fullNumber(last.count)} members; ${fullNumber(joined)} joined and ${fullNumber(gone)} left in between.`;
};

/** Most characters of a name beside the legend. */
const NAME_FITS = 60;

const shortened = (name: string): string => {
  const characters = [...new Intl.Segmenter('en').segment(name)].map(({ segment }) => segment);
  return characters.length > NAME_FITS ? `${characters.slice(0, NAME_FITS - 1).join('')}…` : name;
};

const legend = ['members', 'joined', 'left']
  .map((kind, index) => {
    const x = right - 220 + index * 80;
    return `<rect class="key-${kind}" x="${x}" y="42" width="10" height="10"/><text x="${x + 14}" y="51">${kind}</text>`;
  })
  .join('');

const gridLine = (kind: 'grid' | 'axis', y: number, label: string): string =>
  `<line class="${kind}" x1="${left}" x2="${right}" y1="${coordinate(y)}" y2="${coordinate(y)}"/>` +
  `<text x="${left - 8}" y="${coordinate(y + 4)}" text-anchor="end">${label}</text>`;

const membersAxis = ({ memberTicks, members: place }: Places): readonly string[] =>
  memberTicks.map((tick) => gridLine(tick === 0 ? 'axis' : 'grid', place(tick), compactNumber(tick)));

const changesAxis = ({ changeTicks, change }: Places): readonly string[] =>
  changeTicks.flatMap((tick) =>
    tick === 0
      ? [gridLine('axis', change(0), '0')]
      : [
          gridLine('grid', change(tick), `+${compactNumber(tick)}`),
          gridLine('grid', change(-tick), `−${compactNumber(tick)}`),
        ],
  );

/** The times of the first and the last moment, below the panels. */
const dateLabels = (points: readonly ChartPoint[], { x }: Places): readonly string[] => {
  const ends = points.length === 1 ? points : [points[0], points.at(-1)];
  return ends.flatMap((point, index) => {
    if (!point) return [];
    const outer = index === 0 ? 'start' : 'end';
    const anchor = points.length === 1 ? 'middle' : outer;
    const time = new Date(point.created).toISOString().slice(0, 16).replace('T', ' ');
    return [
      `<text x="${coordinate(x(point.created))}" y="${height - 18}" text-anchor="${anchor}">${time} UTC</text>`,
    ];
  });
};
