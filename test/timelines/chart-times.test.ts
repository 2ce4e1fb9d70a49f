import { describe, expect, it } from 'vitest';
import { linear } from '../../shared/timelines/chart-scale.ts';
import { timeLabels } from '../../shared/timelines/chart-times.ts';

const labelsOf = (first: string, last: string, pixels = 844) => {
  const [from, to] = [Date.parse(first), Date.parse(last)];
  return timeLabels({ first: from, last: to, x: linear(from, to, 78, 78 + pixels) });
};
const texts = (first: string, last: string, pixels?: number) =>
  labelsOf(first, last, pixels).map(({ text }) => text);

describe('the times below a chart', () => {
  it.each([
    ['a year', '2025-11-20T06:00Z', '2026-11-20T06:00Z', ['2026-04', '2026-07']],
    ['three months', '2026-01-14T06:00Z', '2026-04-14T06:00Z', ['2026-03']],
    ['three weeks', '2026-01-01T06:00Z', '2026-01-25T06:00Z', ['2026-01-12', '2026-01-19']],
    [
      'half a week',
      '2026-01-01T03:00Z',
      '2026-01-05T02:00Z',
      ['01-02 12:00', '01-03 00:00', '01-03 12:00', '01-04 00:00'],
    ],
    [
      'nine days',
      '2026-01-01T03:00Z',
      '2026-01-10T02:00Z',
      ['2026-01-04', '2026-01-05', '2026-01-06', '2026-01-07'],
    ],
    [
      'a day',
      '2026-01-01T03:00Z',
      '2026-01-02T03:00Z',
      ['01-01 09:00', '01-01 12:00', '01-01 15:00', '01-01 18:00', '01-01 21:00'],
    ],
    ['decades', '2001-05-01T00:00Z', '2048-01-01T00:00Z', ['2015', '2020', '2025', '2030', '2035']],
  ])('have round ticks between the first and the last moment: %s', (_, first, last, between) => {
    const [start, end] = [first, last].map((time) => `${time.slice(0, 16).replace('T', ' ')} UTC`);
    expect(texts(first, last)).toEqual([start, ...between, end]);
  });

  it('name a single moment in the middle', () => {
    expect(labelsOf('2026-01-01T03:00Z', '2026-01-01T03:00Z')).toEqual([
      { text: '2026-01-01 03:00 UTC', x: 500, anchor: 'middle' },
    ]);
  });

  it('are short where the chart is narrow', () => {
    expect(texts('2026-01-01T03:00Z', '2026-03-01T03:00Z', 204)).toEqual(['2026-01-01', '2026-03-01']);
    expect(texts('2026-01-01T03:00Z', '2026-01-02T02:00Z', 204)).toEqual(['01-01 03:00', '01-02 02:00']);
  });

  it('never cover each other, whatever the span and the width', () => {
    const DIGIT = 7.64;
    const first = Date.UTC(2026, 1, 27, 23, 50);
    for (let span = 600_000; span < 4e12; span *= 1.37)
      for (const pixels of [204, 400, 844, 1_884]) {
        const x = linear(first, first + span, 0, pixels);
        const boxes = timeLabels({ first, last: first + span, x }).map(({ text, x: place, anchor }) => {
          const shift = { start: 0, middle: 0.5, end: 1 }[anchor] * text.length * DIGIT;
          return { from: place - shift, to: place - shift + text.length * DIGIT };
        });
        const covered = boxes.filter(({ from }, index) => index > 0 && from < (boxes[index - 1]?.to ?? 0));
        expect({ span, pixels, covered }).toEqual({ span, pixels, covered: [] });
      }
  });
});
