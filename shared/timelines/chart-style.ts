/** Chart style: the look of a chart in the light and in the dark, on a phone and on a wide screen. */
import { dark, FONT, light, type Paint } from '../runtime/palette.ts';

/** Colours without custom properties, which most programs that draw SVG do not know. */
const coloursOf = (paint: Paint): string =>
  `.chart text{fill:${paint('muted')}}.chart .heading,.chart .last{fill:${paint('text')}}
.chart .ground{fill:${paint('surface')}}.chart .grid{stroke:${paint('line')}}.chart .axis{stroke:${paint('edge')}}
.chart .line{stroke:${paint('accent')}}.chart .dot,.chart .joined{fill:${paint('accent')}}.chart .left{fill:${paint('edge')}}`;

/** Sizes of the words, as a program draws them. The heading is so large that it fits. */
const sizes = (words: number, numbers: number, heading: number): string =>
  `.chart text{font-size:${words}px}.chart .last{font-size:${numbers}px}.chart .heading{font-size:${heading}px}`;

/**
 * Larger words for a chart that is as wide as its place, where its place is narrow: the units of its drawing shrink there.
 * Between the first and the last time is then no room for others.
 */
const narrow = (heading: number): string =>
  `@media (max-width:720px){${sizes(18, 20, Math.min(heading, 26))}.chart .between{display:none}}
@media (max-width:480px){${sizes(27, 31, heading)}}`;

/** The style of a chart. `heading`: the most pixels of a heading that fits; undefined for a chart of a fixed width. */
export const styleOf = (heading: number | undefined): string => `
.chart{color-scheme:light dark;font-family:${FONT}}
.chart .line{fill:none;stroke-width:2;stroke-linejoin:round;vector-effect:non-scaling-stroke}
.chart .heading,.chart .last{font-weight:600}
.chart .hit{fill:transparent}.chart .moment:hover .hit{fill:#8883}
${coloursOf(light)}
@media (prefers-color-scheme:dark){${coloursOf(dark)}}
${sizes(12, 14, 16)}${heading === undefined ? '' : `\n${narrow(heading)}`}
`;
