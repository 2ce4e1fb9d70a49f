import { describe, expect, it } from 'vitest';
import { figureOf } from '../support/format.ts';
import { interleaved, median, spreadOf } from '../support/measure.ts';
import { pageOf } from '../support/page.ts';
import { startReport } from '../support/reporting.ts';
import { type Measured, parseResult } from '../support/results.ts';
import { runScenario } from '../support/run-scenario.ts';
import { scenario } from '../support/scenario.ts';

const seconds = (each: number) => ({ calls: 1, seconds: each, latencies: [each * 1000] });

describe('ratios', () => {
  it('are the median of the pairs, with the least and the greatest', async () => {
    const own: readonly number[] = [99, 2, 6, 4];
    const others: readonly number[] = [1, 1, 1, 2];
    const { ratio } = await interleaved(
      3,
      (round) => Promise.resolve(seconds(own[round] ?? NaN)),
      (round) => Promise.resolve(seconds(others[round] ?? NaN)),
    );
    expect(ratio).toEqual({ median: 2, least: 2, most: 6 });
  });

  it('have the mean of the middle two of an even number of pairs', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
  });

  it('show a spread only of several pairs', () => {
    const report = startReport('test');
    report.ratio('pairs', spreadOf([1, 2, 4]));
    report.ratio('one pair', spreadOf([2]));
    report.ratio('a number', 3);
    expect(report.figures.map(figureOf)).toEqual(['2 (1 to 4)', '2', '3']);
  });
});

describe('a stored result of 0.2.0', () => {
  const stored = parseResult({
    name: 'old',
    title: 'Old',
    about: 'Old.',
    ci: {
      date: '2026-11-25',
      commit: 'd921e75c12',
      machine: { processor: 'x', cores: 2, memoryGb: 24, system: 'linux', node: 'v24.21.0' },
      sizes: { rows: 10 },
      seconds: 1,
      figures: [
        { kind: 'ratio', name: 'a call', value: 2, unit: '× the floor' },
        { kind: 'count', name: 'processor time, functions', value: 0.5, unit: 'ms a row' },
        { kind: 'count', name: 'read units', value: 3, unit: 'a row' },
      ],
    },
  });

  it('has processor time as a kind of its own, and no spread', () => {
    expect(stored.ci?.figures.map(({ kind }) => kind)).toEqual(['ratio', 'cpu', 'count']);
    const rows = pageOf(stored)
      .split('\n')
      .filter((line) => /^(#|\| a|\| p|\| r)/.test(line));
    expect(rows).toEqual([
      '# Old',
      '## Ratios',
      '| a call | 2 | × the floor |',
      '## Counts',
      '| read units | 3 | a row |',
      '## Processor time',
      '| processor time, functions | 0.5 | ms a row |',
    ]);
  });
});

describe('a scenario that lacks something', () => {
  const run = async (lacking: string | undefined) => {
    const [lines, stored]: [string[], Measured[]] = [[], []];
    const one = scenario({
      name: 'one',
      title: 'One',
      about: 'One.',
      lacks: () => lacking,
      sizes: { ci: { rows: 1 }, full: { rows: 2 } },
      run: (_, report) => {
        report.count('rows', 1, 'rows');
        return Promise.resolve();
      },
    });
    await runScenario(one, 'ci', {
      say: (line) => void lines.push(line),
      store: (_, __, measured) => void stored.push(measured),
    });
    return { lines, stored };
  };

  it('says so, and keeps the stored result', async () => {
    const { lines, stored } = await run('There is no server.');
    expect(lines).toEqual(['\none: skipped. There is no server.']);
    expect(stored).toEqual([]);
  });

  it('runs where nothing is missing', async () => {
    expect((await run(undefined)).stored).toMatchObject([{ figures: [{ name: 'rows', value: 1 }] }]);
  });
});
