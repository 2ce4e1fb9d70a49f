import { describe, expect, it } from 'vitest';
import type { ChartPoint } from '../../shared/timelines/chart-layout.ts';
import { chartSvg } from '../../shared/timelines/chart-svg.ts';
import {
  axisNumbers,
  escapeXml,
  linear,
  fullNumber,
  ticksBetween,
  ticksTo,
} from '../../shared/timelines/chart-scale.ts';

const HOUR = 3_600_000;
const first: ChartPoint = { id: 7, created: 0, count: 1_200, added: null, removed: null };
const second: ChartPoint = { id: 8, created: HOUR, count: 1_500, added: 350, removed: 50 };
const third: ChartPoint = { id: 9, created: 3 * HOUR, count: 1_480, added: 0, removed: 20 };

/** Draws a chart of a fixed size, the usual one unless told. */
const draw = (
  points: readonly ChartPoint[],
  name = 'Season tickets',
  { width = 960, height = 440, scaled = false, zone = 'UTC' } = {},
) => chartSvg({ name, points, zone, size: { width, height, scaled } });

/** The attributes of the elements of a class, in order. */
const elements = (svg: string, name: string, kind: string): readonly Readonly<Record<string, string>>[] =>
  [...svg.matchAll(new RegExp(`<${name} class="${kind}"([^>]*)>`, 'g'))].map(([, text = '']) => {
    const pairs = text.split('" ').map((pair) => pair.replaceAll(/[ "/]/g, '').split('='));
    return Object.fromEntries(pairs.map(([key = '', value = '']) => [key, value] as const));
  });

const summary = (svg: string): string | undefined => /<desc id="summary">([^<]*)<\/desc>/.exec(svg)?.[1];
const titles = (svg: string): readonly (string | undefined)[] =>
  [...svg.matchAll(/<title>([^<]*)<\/title>/g)].map(([, text]) => text);

describe('a chart', () => {
  it('sums up its moments in a sentence', () => {
    expect(summary(draw([first, second, third]))).toBe(
      '3 moments, 1 Jan 1970, 00:00 to 1 Jan 1970, 03:00: ' +
        'from 1,200 to 1,480 members; 350 joined and 70 left in between. Times are in UTC.',
    );
  });

  it('does not count members who joined before its first moment', () => {
    const clipped = draw([second, third]);
    expect(summary(clipped)).toContain('from 1,500 to 1,480 members; 0 joined and 20 left in between.');
  });

  it('says of a single moment that it is the only one', () => {
    const svg = draw([first]);
    expect(summary(svg)).toBe('One moment. 1 Jan 1970, 00:00: 1,200 members. Times are in UTC.');
    expect(svg.match(/text-anchor="middle">1 Jan 1970, 00:00</g)).toHaveLength(1);
  });

  it('names each moment with its figures', () => {
    expect(titles(draw([first, second]))).toEqual([
      '1 Jan 1970, 00:00: 1,200 members',
      '1 Jan 1970, 01:00: 1,500 members, 350 joined, 50 left',
    ]);
  });

  it('has the times of its zone in all words, and of UTC in its data', () => {
    const svg = draw([first, second], 'Jazz', { zone: 'Asia/Tokyo' });
    expect(titles(svg)[0]).toBe('1 Jan 1970, 09:00: 1,200 members');
    expect(summary(svg)).toMatch(/^2 moments, 1 Jan 1970, 09:00 to 1 Jan 1970, 10:00:.* in Asia\/Tokyo\.$/);
    expect(svg).toContain('· times in Asia/Tokyo<');
    expect(elements(svg, 'g', 'moment')[0]).toMatchObject({ 'data-date': '1970-01-01T00:00:00.000Z' });
  });

  it('writes the figures of the last moment beside it', () => {
    const texts = [...draw([first, third]).matchAll(/<text[^>]*>([^<]+)<\/text>/g)].map(([, text]) => text);
    expect(texts.slice(-2)).toEqual(['1,480', '−20']);
  });

  it('is as wide as its place unless its width is asked for', () => {
    const scaled = draw([first, second], 'Jazz', { scaled: true });
    expect(scaled).toContain('viewBox="0 0 960 440" role="img"');
    expect(scaled).toContain('@media (max-width:480px)');
    expect(draw([first, second])).not.toContain('max-width');
  });

  it('is light and dark, in colours that need no page', () => {
    const svg = draw([first, second]);
    expect(svg).toContain('@media (prefers-color-scheme:dark)');
    expect(svg).not.toContain('var(');
  });

  it('gives no changes for a first moment', () => {
    const [one, two] = elements(draw([first, second]), 'g', 'moment');
    expect(one).toEqual({
      'data-index': '0',
      'data-id': '7',
      'data-date': '1970-01-01T00:00:00.000Z',
      'data-count': '1200',
    });
    expect(two).toMatchObject({ 'data-index': '1', 'data-added': '350', 'data-removed': '50' });
  });

  it('puts moments where their times and counts are', () => {
    const dots = elements(draw([first, second, third]), 'circle', 'dot');
    // The axis runs from 1,200 to 1,500 over 176 units, up from 252; the time over two thirds of its width.
    const places = dots.map(({ cx, cy }) => [Number(cx), Number(cy)]);
    expect(places.map(([, y]) => y)).toEqual([252, 76, 87.7]);
    const [from = 0, between = 0, to = 0] = places.map(([x]) => x ?? 0);
    expect((between - from) / (to - from)).toBeCloseTo(1 / 3, 3);
  });

  it('draws a bar up for members who joined and a bar down for members who left', () => {
    const svg = draw([first, second, third]);
    // The changes run from -50 to 400 over 114 units; the line of zero is at 387.3.
    const [joined] = elements(svg, 'rect', 'joined');
    expect(joined).toMatchObject({ y: '298.7', height: '88.7' });
    expect(elements(svg, 'rect', 'joined')).toHaveLength(1);
    expect(elements(svg, 'rect', 'left').map(({ y, height }) => [y, height])).toEqual([
      ['387.3', '12.7'],
      ['387.3', '5.1'],
    ]);
  });

  it('has no axis below what there is: nothing below zero when nobody left, nothing above when nobody joined', () => {
    const labels = (points: readonly ChartPoint[]) =>
      [...draw(points).matchAll(/text-anchor="end">([+−]?[\d,]+)</g)].map(([, text]) => text).slice(-2);
    expect(labels([first, { ...second, removed: 0 }])).toEqual(['0', '+400']);
    expect(labels([first, { ...second, added: 0 }])).toEqual(['−50', '0']);
  });

  it('draws bars of moments that lie close so narrow that they do not cover each other', () => {
    const many = Array.from({ length: 200 }, (_, n) => ({ ...second, id: n + 1, created: n * HOUR }));
    const [one, two] = elements(draw(many), 'rect', 'joined');
    expect(Number(one?.['x']) + Number(one?.['width'])).toBeLessThan(Number(two?.['x']));
    const [wide] = elements(draw([first, second]), 'rect', 'joined');
    expect(wide?.['width']).toBe('24');
  });

  it('keeps its last bar inside the panels', () => {
    const [, last] = elements(draw([first, second]), 'rect', 'hit');
    expect(Number(last?.['x']) + Number(last?.['width'])).toBeLessThanOrEqual(936);
  });

  it.each([
    { width: 320, height: 280 },
    { width: 640, height: 300 },
    { width: 2_000, height: 1_200 },
  ])('draws everything inside $width by $height', ({ width, height }) => {
    const svg = draw([first, second, third], 'Season tickets', { width, height });
    expect(svg).toContain(`viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"`);
    const values = (names: string) =>
      [...svg.matchAll(new RegExp(` (?:${names})="(-?[\\d.]+)"`, 'g'))].map(([, value]) => Number(value));
    for (const place of values('x|x1|x2|cx')) expect(place >= 0 && place <= width).toBe(true);
    for (const place of values('y|y1|y2|cy')) expect(place >= 0 && place <= height).toBe(true);
    for (const kind of ['joined', 'left', 'hit'])
      for (const bar of elements(svg, 'rect', kind)) {
        expect(Number(bar['x']) + Number(bar['width'])).toBeLessThanOrEqual(width - 24);
        expect(Number(bar['y']) + Number(bar['height'])).toBeLessThanOrEqual(height - 40);
      }
  });

  it('cuts a long name, and keeps it whole in the title', () => {
    const name = '👩‍👩‍👧'.repeat(66);
    const svg = draw([first], name);
    expect(svg).toContain(`<title id="title">${name}</title>`);
    expect(svg).toContain(`y="28">${'👩‍👩‍👧'.repeat(64)}…</text>`);
    expect(draw([first], 'n'.repeat(60))).toContain(`y="28">${'n'.repeat(60)}</text>`);
  });
});

describe('the scale of a chart', () => {
  it.each([
    [0, 4, [0, 1]],
    [1, 4, [0, 1]],
    [4, 4, [0, 1, 2, 3, 4]],
    [7, 4, [0, 2, 4, 6, 8]],
    [17, 4, [0, 5, 10, 15, 20]],
    [20, 2, [0, 10, 20]],
    [1_200, 4, [0, 500, 1_000, 1_500]],
  ])('goes in round steps up to %i, about %i of them', (most, about, ticks) => {
    expect(ticksTo(most, about)).toEqual(ticks);
  });

  it.each([
    [1_042, 1_187, [1_000, 1_050, 1_100, 1_150, 1_200]],
    [0, 0, [0, 1]],
    [1_042, 1_042, [1_040, 1_050]],
    [1_200, 1_200, [1_190, 1_200]],
    [100_000, 100_001, [100_000, 101_000]],
  ])('begins with a round number below what there is: from %i to %i', (least, most, ticks) => {
    expect(ticksBetween(least, most)).toEqual(ticks);
  });

  it('puts one value into the middle', () => {
    expect(linear(5, 5, 10, 30)(5)).toBe(20);
    expect([0, 5, 10].map(linear(0, 10, 100, 0))).toEqual([100, 50, 0]);
  });

  it('writes numbers short on an axis and whole in a sentence', () => {
    const labels = (...values: readonly number[]) => axisNumbers(values).map(({ label }) => label);
    expect(labels(0, 1_250, 2_500)).toEqual(['0', '1,250', '2,500']);
    expect(labels(0, 500_000, 1_500_000)).toEqual(['0', '500K', '1.5M']);
    expect(labels(48_200, 48_250)).toEqual(['48,200', '48,250']);
    expect(fullNumber(1_234_567)).toBe('1,234,567');
  });

  it('escapes and replaces characters that XML forbids', () => {
    expect(escapeXml(`<a b='c' d="e">&\uffff`)).toBe('&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;\ufffd');
  });
});
