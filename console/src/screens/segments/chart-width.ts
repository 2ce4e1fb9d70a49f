/** How wide the service draws a chart for its place on the page. */

/** Widths that the service draws. A narrower place shrinks the narrowest chart a little. */
const LEAST = 320;
const MOST = 2_000;

/** A window that is made wider asks for few charts on its way. */
const STEP = 40;

/** The width to ask for, in pixels, for a place of this width. Letters in the chart then have the size of those around it. */
export const chartWidth = (place: number): number =>
  Math.min(MOST, Math.max(LEAST, Math.floor(place / STEP) * STEP));
