/** Chart: draws the moments of a timeline as SVG. */
import { layoutOf, type Chart, type ChartLayout, type ChartPoint } from './chart-layout.ts';
import { coordinate, escapeXml, fullNumber, compactNumber } from './chart-scale.ts';
import { timeLabels } from './chart-times.ts';

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
export const chartSvg = (chart: Chart): string => {
  const { name, points, width, height } = chart;
  const layout = layoutOf(chart);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title summary">`,
    `<title id="title">${escapeXml(name)}</title>`,
    `<desc id="summary">${escapeXml(summaryOf(points))}</desc>`,
    `<style>${style}</style>`,
    `<rect class="ground" width="${width}" height="${height}"/>`,
    `<text class="heading" x="${layout.left}" y="28">${escapeXml(shortened(name, layout))}</text>`,
    legend(layout),
    ...membersAxis(layout),
    ...changesAxis(layout),
    ...timeAxis(points, layout),
    `<polyline class="line" points="${points.map(({ created, count }) => `${coordinate(layout.x(created))},${coordinate(layout.members(count))}`).join(' ')}"/>`,
    ...points.map((point, index) => momentGroup(point, index, layout)),
    '</svg>',
  ].join('\n');
};

const momentGroup = (
  { id, created, count, added, removed }: ChartPoint,
  index: number,
  { x, members, change, bar, membersPanel, changesPanel }: ChartLayout,
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
    `<rect class="hit" x="${start}" y="${membersPanel.top}" width="${coordinate(bar)}" height="${changesPanel.bottom - membersPanel.top}"/>`,
    `<circle class="dot" cx="${coordinate(x(created))}" cy="${coordinate(members(count))}" r="${bar < 6 ? 1.5 : 3}"/>`,
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

/** Pixels of a character in the heading: a name in wide letters fits too. */
const NAME_CHARACTER = 14.5;

const shortened = (name: string, { left, right }: ChartLayout): string => {
  const fits = Math.floor((right - left) / NAME_CHARACTER);
  const characters = [...new Intl.Segmenter('en').segment(name)].map(({ segment }) => segment);
  return characters.length > fits ? `${characters.slice(0, fits - 1).join('')}…` : name;
};

/** The entries of the legend with the pixels of their words in a usual sans-serif font. */
const legendEntries = [
  { kind: 'members', wide: 57 },
  { kind: 'joined', wide: 37 },
  { kind: 'left', wide: 21 },
];

/** Pixels of a key with the space behind it, and pixels between two entries. */
const KEY = 15;
const LEGEND_GAP = 20;

/** The legend ends at the right edge of the panels. Each entry has the same distance from the next one. */
const legend = ({ right }: ChartLayout): string =>
  legendEntries
    .map(({ kind }, index) => {
      const behind = legendEntries.slice(index);
      const x = right - behind.reduce((sum, { wide }) => sum + KEY + wide, (behind.length - 1) * LEGEND_GAP);
      return `<rect class="key-${kind}" x="${x}" y="42" width="10" height="10"/><text x="${x + KEY}" y="51">${kind}</text>`;
    })
    .join('');

const gridLine = ({ left, right }: ChartLayout, kind: 'grid' | 'axis', y: number, label: string): string =>
  `<line class="${kind}" x1="${left}" x2="${right}" y1="${coordinate(y)}" y2="${coordinate(y)}"/>` +
  `<text x="${left - 8}" y="${coordinate(y + 4)}" text-anchor="end">${label}</text>`;

const membersAxis = (layout: ChartLayout): readonly string[] =>
  layout.memberTicks.map((tick) =>
    gridLine(layout, tick === 0 ? 'axis' : 'grid', layout.members(tick), compactNumber(tick)),
  );

const changesAxis = (layout: ChartLayout): readonly string[] =>
  layout.changeTicks.flatMap((tick) =>
    tick === 0
      ? [gridLine(layout, 'axis', layout.change(0), '0')]
      : [
          gridLine(layout, 'grid', layout.change(tick), `+${compactNumber(tick)}`),
          gridLine(layout, 'grid', layout.change(-tick), `−${compactNumber(tick)}`),
        ],
  );

/** The times below the panels, each with a mark. */
const timeAxis = (points: readonly ChartPoint[], { x, changesPanel }: ChartLayout): readonly string[] => {
  const [first, last] = [points[0]?.created ?? 0, points.at(-1)?.created ?? 0];
  const { bottom } = changesPanel;
  return timeLabels({ first, last, x }).map(
    ({ text, x: place, anchor }) =>
      `<line class="axis" x1="${coordinate(place)}" x2="${coordinate(place)}" y1="${bottom}" y2="${bottom + 5}"/>` +
      `<text class="time" x="${coordinate(place)}" y="${bottom + 22}" text-anchor="${anchor}">${text}</text>`,
  );
};
