import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { differencesOf, placeOf } from '../../client/src/difference.ts';
import { readDefinitions } from '../../client/cli/definitions/documents.ts';
import { readDocument } from '../../client/cli/files/documents.ts';
import { paintWith } from '../../client/cli/terminal/paint.ts';
import { widthOf } from '../../client/cli/terminal/text.ts';
import { chartLines } from '../../client/cli/timelines/chart.ts';
import { inMemory } from './run-cli.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const newFolder = newFolders();

const refusal = (content: unknown): string => {
  const read = readDefinitions(content);
  return read.ok ? 'no refusal' : read.error;
};

describe('a file of definitions', () => {
  it('has lists by kind, each of which may be missing', () => {
    expect(readDefinitions({ segments: [{ name: 'a', expression: 'b' }] })).toEqual({
      ok: true,
      value: { segments: [{ name: 'a', expression: 'b' }], imports: [], exports: [], timelines: [] },
    });
  });

  it.each<readonly [unknown, string]>([
    [[], 'The file must have the members segments, imports, exports, timelines, each with a list.'],
    [{ segment: [] }, 'there is no "segment"; did you mean "segments"?'],
    [{ segments: [{ name: 'a' }] }, 'segments[0]: "expression" is missing.'],
    [
      { segments: [{ name: 'a', expresion: 'b' }] },
      'segments[0]: there is no "expresion"; did you mean "expression"?',
    ],
    [
      { timelines: [{ name: 'a', segment: 'b', ever: 'day 03:00' }] },
      'timelines[0]: there is no "ever"; did you mean "every"?',
    ],
    [{ segments: [{ name: 'a', expression: 1 }] }, 'segments[0]: "expression" must be a text.'],
    [{ segments: [{ name: '', expression: 'a' }] }, 'segments[0]: "name" must be a text that is not empty.'],
    [{ imports: {} }, '"imports" must be a list.'],
    [{ imports: ['a'] }, 'imports: "0" must be an object with members.'],
    [{ x: [] }, 'there is no "x".'],
    [{ imports: [{ name: 'a' }, { name: 'a' }] }, 'imports: the name "a" appears twice.'],
  ])('%j is refused', (content, message) => {
    expect(refusal(content)).toBe(message);
  });

  it('is read as the page and the help write it', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/command-line.md'), 'utf8');
    const { stdout } = await inMemory(['plan', '--help']);
    const examples = [/```yaml\n(.*?)```/s.exec(page)?.[1], /\nExample:\n(.*?)\n\n/s.exec(stdout)?.[1]];
    const folder = newFolder();
    for (const example of examples) {
      const file = join(folder, 'definitions.yaml');
      await writeFile(file, example ?? '');
      expect(readDefinitions(await readDocument(file))).toMatchObject({
        ok: true,
        value: {
          segments: [
            { name: 'Jazz, under 65', expression: 'Jazz and not "Age: 65+"' },
            { name: 'Win back', expression: 'Umsatz >= 500 and not seen within 90 days' },
          ],
        },
      });
    }
  });

  it('is YAML or JSON, and a fault has its place', async () => {
    const file = join(newFolder(), 'definitions.yaml');
    await writeFile(file, 'segments:\n  - name: "Age: 65+"\n');
    expect(await readDocument(file)).toEqual({ segments: [{ name: 'Age: 65+' }] });
    await writeFile(file, '{"segments": []}');
    expect(await readDocument(file)).toEqual({ segments: [] });
    await writeFile(file, 'segments:\n  - name: "open\n');
    await expect(readDocument(file)).rejects.toThrow(/is neither YAML nor JSON: line \d+, column \d+: /);
  });
});

describe('the chart of a timeline', () => {
  const moments = [
    { created_date: '2026-11-21T06:00:00.000Z', count: 1_000, added: null, removed: null },
    { created_date: '2026-11-22T06:00:00.000Z', count: 1_255, added: 300, removed: 45 },
    { created_date: '2026-11-23T06:00:00.000Z', count: 0, added: 0, removed: 1_255 },
  ];

  it('has a bar, the members, and the people who joined and left', () => {
    expect(chartLines(moments, 50, paintWith(false))).toEqual([
      '2026-11-21 06:00  █████████▌    1,000',
      '2026-11-22 06:00  ████████████  1,255 +300    −45',
      '2026-11-23 06:00                    0   +0 −1,255',
    ]);
  });

  it.each([45, 60, 80, 200])('fits a terminal of %d columns', (width) => {
    for (const line of chartLines(moments, width, paintWith(false)))
      expect(widthOf(line)).toBeLessThan(width);
  });
});

describe('the difference of two definitions', () => {
  const places = (wanted: unknown, is: unknown): readonly string[] =>
    differencesOf(wanted, is).map(({ path }) => placeOf(path));

  it('ignores what the service adds', () => {
    expect(places({ name: 'a', list: [{ x: 1 }] }, { id: 7, name: 'a', list: [{ x: 1, y: 2 }] })).toEqual([]);
    expect(places({ webhook_url: null }, {})).toEqual([]);
  });

  it('names each place', () => {
    expect(places({ a: { b: [1, 2, 3] }, c: 1, d: null }, { a: { b: [1, 9] }, d: 'x' })).toEqual([
      'a.b[1]',
      'a.b[2]',
      'c',
      'd',
    ]);
    expect(places({ a: [1] }, { a: [1, 2] })).toEqual(['a[1]']);
    expect(places({ a: [] }, { a: {} })).toEqual(['a']);
  });
});
