/** Lists: reads the lists that other systems write into one cell, for the transformation `list`. */
import * as v from 'valibot';
import type { Transformed } from './cell-fault.ts';

const brackets: Readonly<Record<string, string>> = { '[': ']', '{': '}' };
const separators: ReadonlySet<string> = new Set([',', ';', '|']);
const nothing: ReadonlySet<string> = new Set(['NULL', 'null', 'None']);

/**
 * The values of a list: `"a","b"`, JSON `["a","b"]`, PostgreSQL `{a,"b c"}`, Python `['a', 'b']`, `'a','b'`, or `a, b`. `undefined`
 * for a list that does not end or that contains other lists or objects.
 */
export const listIn = (text: string): readonly string[] | undefined => {
  const whole = text.trim();
  const close = brackets[whole.charAt(0)];
  if (close === undefined) {
    // Apostrophes of names are no quotes: all values must have them.
    const inApostrophes = /^'.*'$/su.test(whole) ? valuesIn(whole, true) : undefined;
    return inApostrophes ?? valuesIn(whole, false);
  }
  if (whole.length < 2 || !whole.endsWith(close)) return undefined;
  // A number of JSON keeps its digits as they are written.
  const json = close === ']' ? v.safeParse(strings, jsonIn(whole)) : undefined;
  return json?.success === true
    ? json.output.filter((value) => value !== null).map((value) => value.trim())
    : valuesIn(whole.slice(1, -1), true);
};

const strings = v.array(v.nullable(v.string()));

const jsonIn = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The values between separators, each with or without quotes. */
const valuesIn = (text: string, isInBrackets: boolean): readonly string[] | undefined => {
  const values: string[] = [];
  let separator: string | undefined;
  for (let at = 0; at <= text.length;) {
    at = afterSpaces(text, at);
    const quote = text.charAt(at);
    if (quote === '"' || (quote === "'" && isInBrackets)) {
      const quoted = quotedAt(text, at);
      if (!quoted) return undefined;
      values.push(quoted.value.trim());
      at = afterSpaces(text, quoted.end);
      if (at < text.length) {
        separator ??= separators.has(text.charAt(at)) ? text.charAt(at) : undefined;
        if (text.charAt(at) !== separator) return undefined;
      }
    } else {
      separator ??= firstSeparator(text, at);
      const found = separator === undefined ? -1 : text.indexOf(separator, at);
      const end = found === -1 ? text.length : found;
      const value = text.slice(at, end).trim();
      if (/["[\]{}]/u.test(value) || /^[ub]'/u.test(value)) return undefined;
      if (!(isInBrackets && nothing.has(value))) values.push(value);
      at = end;
    }
    at += 1;
  }
  return values.filter((value) => value !== '');
};

const firstSeparator = (text: string, from: number): string | undefined =>
  text.includes(',', from) ? ',' : [...separators].find((separator) => text.includes(separator, from));

const afterSpaces = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text.charAt(at).trim() === '') at += 1;
  return at;
};

/** A value in quotes, which are doubled or follow a backslash within it. */
const quotedAt = (
  text: string,
  from: number,
): { readonly value: string; readonly end: number } | undefined => {
  const quote = text.charAt(from);
  const parts: string[] = [];
  for (let at = from + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    const next = text.charAt(at + 1);
    if (character === '\\') {
      // `\n` is a line break in one system and an `n` in another.
      if (/[\p{L}\p{N}]/u.test(next)) return undefined;
      parts.push(next);
      at += 1;
    } else if (character !== quote) {
      parts.push(character);
    } else if (next === quote) {
      parts.push(quote);
      at += 1;
    } else {
      return { value: parts.join(''), end: at + 1 };
    }
  }
  return undefined;
};

/** Compiles the reader of lists, which writes their values with `separator` between them. */
export const listReader =
  (separator: string) =>
  (text: string): Transformed => {
    const values = listIn(text);
    if (values === undefined)
      return { code: 'not_a_list', predicate: 'is not a list such as "a","b" or ["a","b"] or {a,b}' };
    return values.some((value) => value.includes(separator))
      ? {
          code: 'not_a_list',
          predicate: 'has a value that contains the separator of the transformation list',
        }
      : values.join(separator);
  };
