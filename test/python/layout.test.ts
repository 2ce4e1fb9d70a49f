import { expect, it } from 'vitest';
import { docstring, laidOut, literal } from '../../client/python/layout.ts';

/** Names that fill a line. */
const names = Array.from({ length: 9 }, (_, index) => `argument_${index}`);

it('leaves code that fits in a line', () => {
  expect(laidOut(`call(${names.slice(0, 5).join(', ')})`, '    ')).toMatch(/^ {4}call\(.*\)$/);
});

it('puts what fits in a second line there, and otherwise one item in each line', () => {
  expect(laidOut(`return self.call(${names.slice(0, 6).join(', ')})`, '    ').split('\n')).toEqual([
    '    return self.call(',
    `        ${names.slice(0, 6).join(', ')}`,
    '    )',
  ]);
  expect(laidOut(`call(${names.join(', ')})`)).toBe(
    ['call(', ...names.map((name) => `    ${name},`), ')'].join('\n'),
  );
});

it('breaks the parameters of a method, not its result', () => {
  const method = laidOut(`def call(${names.join(', ')}) -> Pages[Page, Item]:`);
  expect(method.split('\n').at(0)).toBe('def call(');
  expect(method.split('\n').at(-1)).toBe(') -> Pages[Page, Item]:');
});

it('writes no comma after the only type, which would make a tuple of it', () => {
  const type = laidOut(`extra: Optional[Union[${names.join(', ')}]]`);
  expect(type.split('\n').at(-2)).toBe('    ]');
  expect(type.split('\n').at(-3)).toBe('        argument_8,');
});

it('reads no brackets and commas in texts', () => {
  const texts = names.map((name) => `"${name}, \\"(["`);
  expect(laidOut(`call(${texts.join(', ')})`).split('\n')).toHaveLength(names.length + 2);
});

it('keeps a line at its width with the comma after it', () => {
  const item = `word_of_code(${'x'.repeat(40)}, ${'y'.repeat(27)})`;
  const lines = laidOut(`call(${item}, ${item})`).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(88);
});

it('wraps a docstring', () => {
  expect(docstring(['Says it.'], '    ')).toBe('    """Says it."""');
  const long = docstring(['word '.repeat(30).trim(), 'More.'], '    ').split('\n');
  expect(long.at(-1)).toBe('    """');
  expect(Math.max(...long.map((line) => line.length))).toBeLessThanOrEqual(88);
});

it('writes values of JSON as Python does', () => {
  expect([null, true, false, 1, 'a"b'].map(literal)).toEqual(['None', 'True', 'False', '1', '"a\\"b"']);
});
