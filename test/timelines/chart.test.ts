import { describe, expect, it } from 'vitest';
import type { ChartPoint } from '../../shared/timelines/chart-layout.ts';
import { chartSvg } from '../../shared/timelines/chart-svg.ts';
import { escapeXml, linear, fullNumber, compactNumber, ticksTo } from '../../shared/timelines/chart-scale.ts';

const HOUR = 3_600_000;
const first: ChartPoint = { id: 7, created: 0, count: 1_200, added: null, removed: null };
const second: ChartPoint = { id: 8, created: HOUR, count: 1_500, added: 350, removed: 50 };
const third: ChartPoint = { id: 9, created: 3 * HOUR, count: 1_480, added: 0, removed: 20 };

/** Draws a chart, of the usual size unless told. */
const draw = (
  points: readonly ChartPoint[],
  name = 'Season tickets',
  { width, height } = { width: 960, height: 440 },
) => chartSvg({ name, points, width, height });

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
      '3 moments, 1970-01-01T00:00:00.000Z to 1970-01-01T03:00:00.000Z: ' +
        'from 1,200 to 1,480 members; 350 joined and 70 left in between.',
    );
  });

  it('does not count members who joined before its first moment', () => {
    const clipped = draw([second, third]);
    expect(summary(clipped)).toContain('from 1,500 to 1,480 members; 0 joined and 20 left in between.');
  });

  it('says of a single moment that it is the only one', () => {
    const svg = draw([first]);
    expect(summary(svg)).toBe('One moment. 1970-01-01T00:00:00.000Z: 1,200 members.');
    expect(svg.match(/text-anchor="middle">1970-01-01 00:00 UTC</g)).toHaveLength(1);
  });

  it('names each moment with its figures', () => {
    expect(titles(draw([first, second]))).toEqual([
      '1970-01-01T00:00:00.000Z: 1,200 members',
      '1970-01-01T01:00:00.000Z: 1,500 members, 350 joined, 50 left',
    ]);
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
    // The axis runs from 0 to 1,500 over 178 units, up from 250; the time over 844 units from 78.
    expect(dots.map(({ cx, cy }) => [Number(cx), Number(cy)])).toEqual([
      [78, 107.6],
      [359.3, 72],
      [922, 74.4],
    ]);
  });

  it('draws a bar up for members who joined and a bar down for members who left', () => {
    const svg = draw([first, second, third]);
    // The changes run from -400 to 400 over 116 units; the middle is at 342.
    const [joined] = elements(svg, 'rect', 'joined');
    expect(joined).toMatchObject({ y: '291.3', height: '50.8' });
    expect(elements(svg, 'rect', 'joined')).toHaveLength(1);
    expect(elements(svg, 'rect', 'left').map(({ y, height }) => [y, height])).toEqual([
      ['342', '7.3'],
      ['342', '2.9'],
    ]);
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

  it('has entries of its legend with the same space between them', () => {
    const svg = draw([first, second]);
    const words = { members: 57, joined: 37, left: 21 };
    const ends = Object.entries(words).map(([kind, wide]) => {
      const x = Number(elements(svg, 'rect', `key-${kind}`)[0]?.['x']);
      return { x, end: x + 15 + wide };
    });
    const gaps = ends.slice(1).map(({ x }, index) => x - (ends[index]?.end ?? 0));
    expect(gaps).toEqual([20, 20]);
    expect(ends.at(-1)?.end).toBe(936);
  });

  it('cuts a long name beside the legend, and keeps it whole in the title', () => {
    const name = '👩‍👩‍👧'.repeat(61);
    const svg = draw([first], name);
    expect(svg).toContain(`<title id="title">${name}</title>`);
    expect(svg).toContain(`y="28">${'👩‍👩‍👧'.repeat(59)}…</text>`);
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

  it('puts one value into the middle', () => {
    expect(linear(5, 5, 10, 30)(5)).toBe(20);
    expect([0, 5, 10].map(linear(0, 10, 100, 0))).toEqual([100, 50, 0]);
  });

  it('writes numbers short on an axis and whole in a sentence', () => {
    expect([compactNumber(950), compactNumber(1_250), compactNumber(2_000_000)]).toEqual([
      '950',
      '1.3K',
      '2M',
    ]);
    expect(fullNumber(1_234_567)).toBe('1,234,567');
  });

  it('escapes and replaces characters that XML forbids', () => {
    expect(escapeXml(`<a b='c' d="e">&\uffff`)).toBe('&lt;a b=&#39;c&#39; d=&quot;e&quot;&gt;&amp;\ufffd');
  });
});
