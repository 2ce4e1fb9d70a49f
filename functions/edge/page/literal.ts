/** Literal: writes a JSON value as code of a language, in one line if it fits, else with a line for each member. */
import { isObject } from '../../../shared/http/json.ts';

/** How a language writes values. */
export interface Notation {
  /** A text, a number, a truth value or null. */
  readonly scalar: (value: unknown) => string;
  readonly key: (name: string) => string;
  /** What stands inside the braces of an object in one line. */
  readonly padding: '' | ' ';
  readonly indent: '  ' | '    ';
}

/** The characters of a value that stays in one line. */
const WIDTH = 70;

/** A value in a notation. */
export const literal = (notation: Notation, value: unknown): string => {
  const flat = inOneLine(notation, value);
  if (flat.length <= WIDTH) return flat;
  const write = (part: unknown): string => literal(notation, part);
  if (Array.isArray(value)) return inLines(notation, '[', value.map(write), ']');
  return isObject(value) ? inLines(notation, '{', membersOf(notation, value, write), '}') : flat;
};

/** Parts in brackets, with a line for each. */
export const inLines = (
  { indent }: Pick<Notation, 'indent'>,
  open: string,
  parts: readonly string[],
  close: string,
): string =>
  `${open}\n${parts.map((part) => `${indent}${part.replaceAll('\n', `\n${indent}`)},\n`).join('')}${close}`;

/** Arguments in brackets, in one line if they fit. */
export const fitted = (
  notation: Pick<Notation, 'indent'>,
  open: string,
  parts: readonly string[],
): string => {
  const flat = `${open}${parts.join(', ')})`;
  return flat.length <= WIDTH || parts.length === 0 ? flat : inLines(notation, open, parts, ')');
};

const inOneLine = (notation: Notation, value: unknown): string => {
  const write = (part: unknown): string => inOneLine(notation, part);
  if (Array.isArray(value)) return `[${value.map(write).join(', ')}]`;
  if (!isObject(value)) return notation.scalar(value);
  const parts = membersOf(notation, value, write);
  return parts.length === 0 ? '{}' : `{${notation.padding}${parts.join(', ')}${notation.padding}}`;
};

const membersOf = (
  { key }: Notation,
  value: Readonly<Record<string, unknown>>,
  write: (part: unknown) => string,
): readonly string[] => Object.entries(value).map(([name, part]) => `${key(name)}: ${write(part)}`);
