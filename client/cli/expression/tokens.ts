/** Splits an expression into words, quoted names and parentheses. */
import { failed, ok, type Result } from '../result.ts';
import type { Span, SyntaxFault } from './types.ts';

export type Token = Span &
  (
    | { readonly kind: 'open' | 'close' | 'and' | 'or' | 'not' }
    /** A word without quotes, such as `Jazz`, `tag:Jazz` or `1001000000088`. */
    | { readonly kind: 'word'; readonly text: string }
    /** A name in quotes, and what stands in front of it: `tag` of `tag:"Jazz and Blues"`, `extra_data` of `extra_data."a b"`. */
    | { readonly kind: 'quoted'; readonly text: string; readonly prefix: string }
  );

const keywords = ['and', 'or', 'not'] as const;

/** Characters that end a word. Quotes inside a word belong to it: `Rock'n'Roll`. */
const endsWord = /[\s()]/;
const quotes = '"\'';

/** Behind a sign or a comma, a quote begins a value: `last_name="Berg"`. */
const beforeValue = /[<>=≤≥≠,]/;

/**
 * The tokens of a text. Fails at a quote without its partner.
 *
 * A backslash inside quotes takes the next character as it is.
 */
export const tokensOf = (text: string): Result<readonly Token[], SyntaxFault> => {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (/\s/.test(char)) {
      at += 1;
    } else if (char === '(' || char === ')') {
      tokens.push({ kind: char === '(' ? 'open' : 'close', start: at, end: at + 1 });
      at += 1;
    } else {
      const token = readName(text, at);
      if (!token.ok) return token;
      tokens.push(token.value);
      at = token.value.end;
    }
  }
  return ok(tokens);
};

const readName = (text: string, start: number): Result<Token, SyntaxFault> => {
  const prefix = prefixAt(text, start);
  const quote = text.charAt(start + prefix.length);
  if (quotes.includes(quote)) return readQuoted(text, start, prefix);
  let end = start;
  while (end < text.length && !endsWord.test(text.charAt(end)) && !beginsValue(text, start, end)) end += 1;
  const word = text.slice(start, end);
  const keyword = keywords.find((known) => known === word.toLowerCase());
  return ok(keyword === undefined ? { kind: 'word', text: word, start, end } : { kind: keyword, start, end });
};

/** What stands in front of a quoted name, with its sign. */
const prefixAt = (text: string, start: number): string => {
  const pattern = /(?:[A-Za-z]+:|extra_data\.)(?=["'])/y;
  pattern.lastIndex = start;
  return pattern.exec(text)?.[0] ?? '';
};

/** Whether a quoted value begins inside of what began as a word. */
const beginsValue = (text: string, start: number, at: number): boolean =>
  at > start && quotes.includes(text.charAt(at)) && beforeValue.test(text.charAt(at - 1));

const readQuoted = (text: string, start: number, prefix: string): Result<Token, SyntaxFault> => {
  const open = start + prefix.length;
  const quote = text.charAt(open);
  let name = '';
  for (let at = open + 1; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === quote)
      return ok({ kind: 'quoted', text: name, prefix: prefix.slice(0, -1), start, end: at + 1 });

    if (char === '\\') at += 1;
    name += text.charAt(at);
  }
  return failed({ message: `The quote ${quote} has no end.`, at: { start: open, end: text.length } });
};
