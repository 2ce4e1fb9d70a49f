import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outputWidth } from '../../client/cli/surroundings.ts';
import { barLine } from '../../client/cli/terminal/bar.ts';
import { liveLine } from '../../client/cli/terminal/live-line.ts';
import { hasColours, paintWith } from '../../client/cli/terminal/paint.ts';
import { type Column, factsOf, tableOf, treeOf } from '../../client/cli/terminal/table.ts';
import {
  asName,
  bytes,
  clip,
  counted,
  duration,
  plain,
  plainButColours,
  plainJson,
  quoted,
  widthOf,
  withMoments,
} from '../../client/cli/terminal/text.ts';

const bare = paintWith(false);

describe('texts for people', () => {
  it.each([
    [999, '999 bytes'],
    [1_000, '1.0 KB'],
    [9_949, '9.9 KB'],
    [9_950, '10 KB'],
    [812_345, '812 KB'],
    [999_499, '999 KB'],
    [999_500, '1.0 MB'],
    [5_000_000_000, '5.0 GB'],
  ])('%d bytes are %s', (value, text) => {
    expect(bytes(value)).toBe(text);
  });

  it.each([
    [0, '0.0 s'],
    [340, '0.3 s'],
    [9_949, '9.9 s'],
    [12_400, '12 s'],
    [59_600, '1:00 min'],
    [185_000, '3:05 min'],
    [7_207_000, '2:00:07 h'],
  ])('%d ms are %s', (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it('have the times of the service in the words of the command line', () => {
    expect(withMoments('The next moment may come at 2026-11-30T13:52:19.000Z.')).toBe(
      'The next moment may come at 2026-11-30 13:52:19 UTC.',
    );
  });

  it('fit a terminal that does not know its width', () => {
    expect([
      outputWidth({ columns: 0 }, 100),
      outputWidth({ columns: 40 }, 100),
      outputWidth({}, 100),
    ]).toEqual([80, 40, 100]);
  });

  it('count with their noun', () => {
    expect([counted(1, 'row'), counted(2_000, 'row'), counted(0, 'person', 'people')]).toEqual([
      '1 row',
      '2,000 rows',
      '0 people',
    ]);
  });

  it('have quotes around a name, unless it has its own', () => {
    expect([asName('Jazz'), asName('"Last visit" within 5 days')]).toEqual([
      '"Jazz"',
      '"Last visit" within 5 days',
    ]);
  });

  it('never contain what a terminal obeys', () => {
    expect(plain('a\x1b[2Jb\r\u009bc\u202ed\te\u2028')).toBe('a�[2Jb��c�d⇥e�');
  });

  it('may keep the colours of the command line, and no other sequence', () => {
    const [red, hidden] = [paintWith(true)('red', 'a\nb'), '\x1b[8mc\x1b[2Kd'];
    expect(plainButColours(red + hidden)).toBe('\x1b[31ma↵b\x1b[39m�[8mc�[2Kd');
  });

  it('have escapes in JSON, which keep their values', () => {
    const value = { 'a\u202e': ['\u009b2J\x7f\n'] };
    expect(plainJson(value)).toBe('{\n  "a\\u202e": [\n    "\\u009b2J\\u007f\\n"\n  ]\n}');
    expect(JSON.parse(plainJson(value))).toEqual(value);
  });

  it('are quoted in a command to copy, if a shell would divide them', () => {
    expect(['Käthe.rejects.csv', "Kim's list.csv"].map(quoted)).toEqual([
      'Käthe.rejects.csv',
      String.raw`'Kim'\''s list.csv'`,
    ]);
  });

  it('are measured in columns of the terminal', () => {
    expect(['abc', 'é', '日本', '🎷', '\x1b[1mab\x1b[22m'].map(widthOf)).toEqual([3, 1, 4, 2, 2]);
  });

  it('are clipped to any width', () => {
    expect(clip('Kammermusik', 6)).toBe('Kamme…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 20 }), (text, most) => {
        expect(widthOf(clip(text, most))).toBeLessThanOrEqual(most);
      }),
    );
  });
});

describe('colours', () => {
  const terminal = { isTTY: true };
  const pipe = {};

  it.each([
    [terminal, {}, true],
    [pipe, {}, false],
    [terminal, { NO_COLOR: '1' }, false],
    [terminal, { NO_COLOR: '' }, true],
    [terminal, { TERM: 'dumb' }, false],
    [pipe, { FORCE_COLOR: '1' }, true],
    [terminal, { FORCE_COLOR: '0' }, false],
    [pipe, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
  ])('of %j with %j: %j', (stream, env, expected) => {
    expect(hasColours(stream, env)).toBe(expected);
  });

  it('are escape sequences only when they are on', () => {
    expect([paintWith(true)('red', 'no'), bare('red', 'no')]).toEqual(['\x1b[31mno\x1b[39m', 'no']);
  });
});

describe('tables', () => {
  const columns: readonly Column<Record<'column' | 'rows' | 'why', string>>[] = [
    { heading: 'Column', cell: ({ column }) => column },
    { heading: 'Rows', align: 'right', cell: ({ rows: size }) => size },
    { heading: 'Why', least: 6, cell: ({ why }) => why },
  ];
  const rows = [
    { column: 'Geburtsdatum', rows: '1,440', why: 'The name of the column means birthday.' },
    { column: 'Alter', rows: '93', why: 'x\x1by' },
  ];

  it('align their cells', () => {
    expect(tableOf(columns, rows, bare)).toEqual([
      'Column         Rows  Why',
      'Geburtsdatum  1,440  The name of the column means birthday.',
      'Alter            93  x�y',
    ]);
  });

  it('clip the columns that may be clipped when the terminal is narrow', () => {
    expect(tableOf(columns, rows, bare, 32)).toEqual([
      'Column         Rows  Why',
      'Geburtsdatum  1,440  The name o…',
      'Alter            93  x�y',
    ]);
    expect(tableOf(columns, rows, bare, 5)[1]).toBe('Geburtsdatum  1,440  The n…');
  });

  it('show a long reason in further lines', () => {
    const wrapping = columns.map((column) => (column.heading === 'Why' ? { ...column, wrap: true } : column));
    expect(tableOf(wrapping, rows, bare, 33)).toEqual([
      'Column         Rows  Why',
      'Geburtsdatum  1,440  The name of',
      '                     the column',
      '                     means',
      '                     birthday.',
      'Alter            93  x�y',
    ]);
    expect(tableOf(wrapping, rows, bare, 5)).toContain('                     birth…');
  });

  it('show facts and trees', () => {
    expect(
      factsOf(
        [
          ['id', '7'],
          ['name', 'a\nb'],
        ],
        bare,
      ),
    ).toEqual(['id    7', 'name  a↵b']);
    const leaf = (label: string) => ({ label, below: [] });
    expect(treeOf([{ label: 'Tags', below: [leaf('a'), leaf('b')] }, leaf('Custom')], bare)).toEqual([
      '├ Tags',
      '│ ├ a',
      '│ └ b',
      '└ Custom',
    ]);
  });
});

describe('a progress bar', () => {
  const line = (share: number, elapsed: number, width = 80): string =>
    barLine('Rows', { share, text: '3,797 of 5,100 rows' }, elapsed, { width, paint: bare });

  it('shows share, figures and the remaining time', () => {
    expect(line(0.75, 3_000)).toBe('Rows  ██████████████████░░░░░░   75 %  3,797 of 5,100 rows  1.0 s left');
  });

  it('makes no estimate too early, and none at the end', () => {
    expect([line(0.5, 500), line(0, 5_000), line(1, 5_000)].filter((text) => text.includes('left'))).toEqual(
      [],
    );
  });

  it('never wraps in a terminal of 45 columns or more', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -1, max: 2, noNaN: true }),
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 45, max: 200 }),
        (share, elapsed, width) => {
          expect(widthOf(line(share, elapsed, width))).toBeLessThan(width);
        },
      ),
    );
  });
});

describe('a live line', () => {
  const drawing = (isTTY: boolean) => {
    const written: string[] = [];
    let clock = 0;
    const line = liveLine({ isTTY, write: (text) => written.push(text) }, () => clock);
    return { written, line, pass: (ms: number) => (clock += ms) };
  };

  it('is drawn at most every 80 ms, and cleared once', () => {
    const { written, line, pass } = drawing(true);
    line.draw('a');
    pass(79);
    line.draw('b');
    pass(1);
    line.draw('c');
    line.clear();
    line.clear();
    expect(written).toEqual(['\r\x1b[2Ka', '\r\x1b[2Kc', '\r\x1b[2K']);
  });

  it('is never written to a file or a pipe', () => {
    const { written, line } = drawing(false);
    line.draw('a');
    line.clear();
    expect(written).toEqual([]);
  });
});
