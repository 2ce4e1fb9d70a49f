/** Chart layout: where the panels of a chart lie, and the scales from figures to places. */
import { linear, ticksTo } from './chart-scale.ts';
import type { Counts } from './moment-counts.ts';

/** A moment in a chart. `created` in epoch milliseconds. */
export interface ChartPoint extends Counts {
  readonly id: number;
  readonly created: number;
}

/** The content of a chart: at least one moment, in order of time, and its size in pixels. */
export interface Chart {
  readonly name: string;
  readonly points: readonly ChartPoint[];
  readonly width: number;
  readonly height: number;
}

/** A panel: its highest and its lowest line. */
interface Panel {
  readonly top: number;
  readonly bottom: number;
}

/** The panels of a chart and its scales. */
export interface ChartLayout {
  readonly left: number;
  readonly right: number;
  readonly membersPanel: Panel;
  readonly changesPanel: Panel;
  readonly x: (created: number) => number;
  readonly members: (count: number) => number;
  readonly memberTicks: readonly number[];
  /** Around the middle line: positive counts joined, negative counts left. */
  readonly change: (count: number) => number;
  readonly changeTicks: readonly number[];
  /** Width of a bar. */
  readonly bar: number;
}

/** Places of the parts that are the same in each size, from the edges of the chart. */
const margin = { left: 64, right: 24, top: 72, bottom: 40, between: 34 };

/** The share of the members in the height of both panels. The changes (joined above the line, left below it) have the rest. */
const MEMBERS_SHARE = 178 / 294;

const MOST_BAR = 24;

/** The layout of a chart. Every bar lies inside the panels. */
export const layoutOf = ({ points, width, height }: Chart): ChartLayout => {
  const [left, right] = [margin.left, width - margin.right];
  const lines = height - margin.top - margin.between - margin.bottom;
  const membersPanel = { top: margin.top, bottom: margin.top + Math.round(lines * MEMBERS_SHARE) };
  const changesPanel = { top: membersPanel.bottom + margin.between, bottom: height - margin.bottom };
  const times = points.map(({ created }) => created);
  const inset = MOST_BAR / 2 + 2;
  const x = linear(Math.min(...times), Math.max(...times), left + inset, right - inset);
  const memberTicks = ticksTo(Math.max(...points.map(({ count }) => count)));
  const most = Math.max(...points.map(({ added, removed }) => Math.max(added ?? 0, removed ?? 0)));
  const changeTicks = ticksTo(most, 2);
  const end = changeTicks.at(-1) ?? 1;
  const gaps = times.slice(1).map((time, index) => x(time) - x(times[index] ?? time));
  return {
    left,
    right,
    membersPanel,
    changesPanel,
    x,
    members: linear(0, memberTicks.at(-1) ?? 1, membersPanel.bottom, membersPanel.top),
    memberTicks,
    change: linear(-end, end, changesPanel.bottom, changesPanel.top),
    changeTicks,
    bar: Math.max(Math.min(...gaps.map((gap) => gap * 0.8), MOST_BAR), 1),
  };
};
