import { describe, expect, it } from 'vitest';
import { linear } from '../../shared/timelines/chart-scale.ts';
import { timeLabels } from '../../shared/timelines/chart-times.ts';

const labelsOf = (first: string, last: string, pixels = 844, zone = 'UTC') => {
  const [from, to] = [Date.parse(first), Date.parse(last)];
  return timeLabels({ first: from, last: to, zone, x: linear(from, to, 78, 78 + pixels) });
};
const texts = (first: string, last: string, pixels?: number) =>
  labelsOf(first, last, pixels).map(({ text }) => text);

describe('the times below a chart', () => {
  it.each([
    ['a year', '2025-11-20T06:00Z', '2026-11-20T06:00Z', ['Apr 2026', 'Jul 2026']],
    [
      'three months',
      '2026-01-14T06:00Z',
      '2026-04-14T06:00Z',
      ['2 Feb', '9 Feb', '16 Feb', '23 Feb', '2 Mar', '9 Mar', '16 Mar', '23 Mar'],
    ],
    ['three weeks', '2026-01-01T06:00Z', '2026-01-25T06:00Z', ['12 Jan', '19 Jan']],
    [
      'half a week',
      '2026-01-01T03:00Z',
      '2026-01-05T02:00Z',
      ['2 Jan 00:00', '2 Jan 12:00', '3 Jan 00:00', '3 Jan 12:00', '4 Jan 00:00'],
    ],
    [
      'nine days',
      '2026-01-01T03:00Z',
      '2026-01-10T02:00Z',
      ['3 Jan', '4 Jan', '5 Jan', '6 Jan', '7 Jan', '8 Jan'],
    ],
    [
      'a day',
      '2026-01-01T03:00Z',
      '2026-01-02T03:00Z',
      ['1 Jan 09:00', '1 Jan 12:00', '1 Jan 15:00', '1 Jan 18:00', '1 Jan 21:00'],
    ],
    ['decades', '2001-05-01T00:00Z', '2048-01-01T00:00Z', ['2015', '2020', '2025', '2030', '2035']],
  ])('have round ticks between the first and the last moment: %s', (_, first, last, between) => {
    expect(texts(first, last).slice(1, -1)).toEqual(between);
  });

  it('name the first and the last moment in full', () => {
    const ends = texts('2025-11-20T06:00Z', '2026-11-02T16:30Z');
    expect([ends[0], ends.at(-1)]).toEqual(['20 Nov 2025, 06:00', '2 Nov 2026, 16:30']);
  });

  it('name a single moment in the middle', () => {
    expect(labelsOf('2026-01-01T03:00Z', '2026-01-01T03:00Z')).toEqual([
      { text: '1 Jan 2026, 03:00', x: 500, anchor: 'middle' },
    ]);
  });

  it('are short where the chart is narrow', () => {
    expect(texts('2026-01-01T03:00Z', '2026-03-01T03:00Z', 204)).toEqual(['1 Jan 2026', '1 Mar 2026']);
    expect(texts('2026-01-01T03:00Z', '2026-01-02T02:00Z', 204)).toEqual(['1 Jan 03:00', '2 Jan 02:00']);
  });

  it('are those of the clocks of the zone, whose days and hours are the round ones', () => {
    expect(labelsOf('2026-03-26T23:00Z', '2026-04-01T22:00Z', 844, 'Europe/Berlin')).toMatchObject([
      { text: '27 Mar 2026, 00:00' },
      { text: '29 Mar', x: 78 + (844 * 48) / 143 },
      { text: '30 Mar', x: 78 + (844 * 71) / 143 },
      { text: '31 Mar' },
      { text: '2 Apr 2026, 00:00' },
    ]);
  });

  it.each([
    ['skip', '2026-03-28T20:00Z', '2026-03-29T06:00Z', ['29 Mar 00:00', '29 Mar 03:00']],
    ['repeat', '2026-10-24T20:00Z', '2026-10-25T06:00Z', ['25 Oct 03:00']],
  ])('lie well where clocks %s an hour', (_, first, last, between) => {
    expect(
      labelsOf(first, last, 844, 'Europe/Berlin')
        .map(({ text }) => text)
        .slice(1, -1),
    ).toEqual(between);
  });

  it('never cover each other, whatever the span and the width', () => {
    const DIGIT = 7.64;
    const first = Date.UTC(2026, 1, 27, 23, 50);
    const widths = [204, 400, 844, 1_884];
    const zones = ['UTC', 'Europe/Berlin', 'Pacific/Apia'];
    const cases = widths.flatMap((pixels) => zones.map((zone) => ({ pixels, zone })));
    for (let span = 600_000; span < 4e12; span *= 1.37)
      for (const { pixels, zone } of cases) {
        const x = linear(first, first + span, 0, pixels);
        const boxes = timeLabels({ first, last: first + span, zone, x }).map(({ text, x: place, anchor }) => {
          const shift = { start: 0, middle: 0.5, end: 1 }[anchor] * text.length * DIGIT;
          return { from: place - shift, to: place - shift + text.length * DIGIT };
        });
        const covered = boxes.filter(({ from }, index) => index > 0 && from < (boxes[index - 1]?.to ?? 0));
        expect({ span, pixels, zone, covered }).toEqual({ span, pixels, zone, covered: [] });
      }
  });
});
