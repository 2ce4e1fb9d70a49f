/** Chart layout: where the panels of a chart lie, and the scales from figures to places. */
import { axisNumbers, fullNumber, linear, ticksBetween, ticksTo } from './chart-scale.ts';
import type { Counts } from './moment-counts.ts';

/** A moment in a chart. `created` in epoch milliseconds. */
export interface ChartPoint extends Counts {
  readonly id: number;
  readonly created: number;
}

/** The size of a chart in pixels. A scaled chart is as wide as its place, and these are the units of its drawing. */
export interface ChartSize {
  readonly width: number;
  readonly height: number;
  readonly scaled: boolean;
}

/** The content of a chart: at least one moment, in order of time, and the time zone of its times. */
export interface Chart {
  readonly name: string;
  readonly points: readonly ChartPoint[];
  readonly zone: string;
  readonly size: ChartSize;
}

/** A panel: its highest and its lowest line. */
interface Panel {
  readonly top: number;
  readonly bottom: number;
}

/** A line of an axis with its label. */
export interface Tick {
  readonly value: number;
  readonly label: string;
}

/** The panels of a chart and its scales. */
export interface ChartLayout {
  /** The space around all. */
  readonly edge: number;
  /** The base lines of the heading, and of the words below it. */
  readonly headingLine: number;
  readonly legendLine: number;
  readonly left: number;
  readonly right: number;
  readonly membersPanel: Panel;
  readonly changesPanel: Panel;
  readonly x: (created: number) => number;
  readonly members: (count: number) => number;
  readonly memberTicks: readonly Tick[];
  /** Around the line of zero: positive counts joined, negative counts left. */
  readonly change: (count: number) => number;
  readonly changeTicks: readonly Tick[];
  /** Width of a bar. */
  readonly bar: number;
  /** Height of a line of words. */
  readonly line: number;
}

/** Places of the parts that are the same in each size, from the edges of the chart. */
const margin = { edge: 12, bottom: 40 };

/** Where the heading, the words below it and the panels lie, and the space between these. A scaled chart has larger words on a phone. */
const linesOf = (scaled: boolean) =>
  scaled
    ? { headingLine: 36, legendLine: 72, top: 104, between: 44 }
    : { headingLine: 28, legendLine: 51, top: 76, between: 34 };

/** Pixels of a character on an axis, of one of the last number, and of the height of a line, at the largest size. */
const lettersOf = (scaled: boolean) =>
  scaled ? { axis: 17, last: 19, line: 30 } : { axis: 7.7, last: 9, line: 14 };

/** The share of the members in the height of both panels. The changes (joined above the line, left below it) have the rest. */
const MEMBERS_SHARE = 178 / 294;

const MOST_BAR = 24;

const longest = (texts: readonly string[]): number => Math.max(...texts.map(({ length }) => length));

/** The numbers that stand behind the last moment: its members, and who joined and left. */
const lastNumbers = (points: readonly ChartPoint[]): readonly string[] => {
  const { count = 0, added, removed } = points.at(-1) ?? {};
  return [fullNumber(count), `+${fullNumber(added ?? 0)}`, `−${fullNumber(removed ?? 0)}`];
};

/** The layout of a chart. Every bar lies inside the panels. */
export const layoutOf = ({ points, size: { width, height, scaled } }: Chart): ChartLayout => {
  const letters = lettersOf(scaled);
  const counts = points.map(({ count }) => count);
  const memberTicks = axisNumbers(ticksBetween(Math.min(...counts), Math.max(...counts)));
  const changes = changeScaleOf(points);
  const labels = [...memberTicks, ...changes.ticks].map(({ label }) => label);
  const left = 2 * margin.edge + Math.ceil(longest(labels) * letters.axis);
  const right = width - 2 * margin.edge - Math.ceil(longest(lastNumbers(points)) * letters.last);
  const { top, between, ...lines } = linesOf(scaled);
  const panels = height - top - between - margin.bottom;
  const membersPanel = { top, bottom: top + Math.round(panels * MEMBERS_SHARE) };
  const changesPanel = { top: membersPanel.bottom + between, bottom: height - margin.bottom };
  const times = points.map(({ created }) => created);
  const inset = MOST_BAR / 2 + 2;
  const x = linear(Math.min(...times), Math.max(...times), left + inset, right - inset);
  const change = linear(changes.least, changes.most, changesPanel.bottom, changesPanel.top);
  const gaps = times.slice(1).map((time, index) => x(time) - x(times[index] ?? time));
  return {
    ...{ edge: margin.edge, ...lines, line: letters.line },
    left,
    right,
    membersPanel,
    changesPanel,
    x,
    members: linear(
      memberTicks[0]?.value ?? 0,
      memberTicks.at(-1)?.value ?? 1,
      membersPanel.bottom,
      membersPanel.top,
    ),
    memberTicks,
    change,
    // A label beside that of zero would cover it.
    changeTicks: changes.ticks.filter(
      ({ value }) => value === 0 || Math.abs(change(value) - change(0)) >= letters.line,
    ),
    bar: Math.max(Math.min(...gaps.map((gap) => gap * 0.8), MOST_BAR), 1),
  };
};

/** The ends of the axis of changes, round numbers no further from zero than there is something, and its labels. */
const changeScaleOf = (points: readonly ChartPoint[]) => {
  const mostOf = (counts: readonly (number | null)[]): number =>
    Math.max(...counts.map((count) => count ?? 0));
  const endOf = (most: number): number => (most === 0 ? 0 : (ticksTo(most, 2).at(-1) ?? 0));
  const most = endOf(mostOf(points.map(({ added }) => added)));
  const least = -endOf(mostOf(points.map(({ removed }) => removed)));
  const signed = (value: number, sign: string): Tick => ({
    value,
    label: `${sign}${axisNumbers([Math.abs(value)])[0]?.label ?? ''}`,
  });
  const ticks = [
    ...(least < 0 ? [signed(least, '−')] : []),
    signed(0, ''),
    ...(most > 0 ? [signed(most, '+')] : []),
  ];
  return { most, least, ticks };
};
