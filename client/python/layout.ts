/** Writes Python as its formatters do: in lines of at most 88 characters, with one item a line where a line is too long. */

const WIDTH = 88;

/** The brackets of a text, each with its partner. */
const partners: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

/** Code at an indentation, with the comma after it. A line that is too long is broken at brackets of the outermost level. */
export const laidOut = (code: string, indent = '', comma = ''): string => {
  const line = `${indent}${code}${comma}`;
  const span = line.length > WIDTH ? broken(code, indent) : undefined;
  if (!span) return line;
  const items = itemsIn(code, span);
  const inner = `${indent}    `;
  // A comma after the only type would make a tuple of it.
  const mark = code.charAt(span.start) === '[' && items.length === 1 ? '' : ',';
  const joined = `${inner}${items.join(', ')}`;
  const body = joined.length <= WIDTH ? joined : items.map((item) => laidOut(item, inner, mark)).join('\n');
  const end = code.charAt(span.end);
  const rest = laidOut(code.slice(span.end + 1), `${indent}${end}`, comma);
  return `${indent}${code.slice(0, span.start + 1)}\n${body}\n${rest.replaceAll(`\n${indent}${end}`, `\n${indent}`)}`;
};

/** Brackets of the outermost level, and the commas directly in them. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly commas: readonly number[];
}

/** The brackets at which code is broken: the parameters of a method; otherwise the last that can be. */
const broken = (code: string, indent: string): Span | undefined => {
  const spans = spansIn(code);
  if (code.startsWith('def ')) return spans[0];
  return spans.findLast(({ start }) => indent.length + start < WIDTH) ?? spans[0];
};

const spansIn = (code: string): readonly Span[] => {
  const spans: Span[] = [];
  let start = 0;
  let commas: number[] = [];
  scan(code, (character, index, depth) => {
    if (partners.has(character) && depth === 1) [start, commas] = [index, []];
    if (character === ',' && depth === 1) commas.push(index);
    if (closing.has(character) && depth === 1 && index > start + 1) spans.push({ start, end: index, commas });
  });
  return spans;
};

const itemsIn = (code: string, { start, end, commas }: Span): readonly string[] =>
  [...commas, end].map((cut, index) =>
    code.slice((index === 0 ? start : (commas[index - 1] ?? 0)) + 1, cut).trim(),
  );

const closing: ReadonlySet<string> = new Set(partners.values());

/** Visits the characters of code that are in no text, with the number of brackets around each, its own included. */
const scan = (code: string, visit: (character: string, index: number, depth: number) => void): void => {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < code.length; index += 1) {
    const character = code.charAt(index);
    if (character === '"') isText = !isText;
    if (character === '\\' && isText) index += 1;
    if (isText) continue;
    if (partners.has(character)) depth += 1;
    visit(character, index, depth);
    if (closing.has(character)) depth -= 1;
  }
};

/** Paragraphs as a docstring at an indentation. */
export const docstring = (paragraphs: readonly string[], indent: string): string => {
  const [first = '', ...more] = paragraphs.map((text) =>
    text.replaceAll(/\s+/g, ' ').replaceAll('\\', '\\\\'),
  );
  if (more.length === 0 && `${indent}"""${first}"""`.length <= WIDTH) return `${indent}"""${first}"""`;
  const lines = [wrapped(`"""${first}`, indent), ...more.map((text) => wrapped(text, indent))];
  return `${lines.join('\n\n')}\n${indent}"""`;
};

const wrapped = (text: string, indent: string): string => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= WIDTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines.join('\n');
};

/** A JSON value as Python writes it. */
export const literal = (value: unknown): string => {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
};
