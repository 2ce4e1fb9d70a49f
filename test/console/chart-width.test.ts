import { expect, it } from 'vitest';
import { chartWidth } from '../../console/src/screens/segments/chart-width.ts';

it.each([
  [296, 320],
  [326, 320],
  [640, 640],
  [679, 640],
  [5_000, 2_000],
])('a place of %i pixels gets a chart of %i', (place, width) => {
  expect(chartWidth(place)).toBe(width);
});
