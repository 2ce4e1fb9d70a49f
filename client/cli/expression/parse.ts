/**
 * Reads an expression of segments and conditions in words: `Jazz and not ("Age: 65+" or Umsatz >= 500)`.
 *
 * `not` binds closer than `and`, and `and` closer than `or`. Several words in a row are one name or one condition.
 */
import { failed, ok, type Result } from '../result.ts';
import { unjoined } from './place.ts';
import { readCondition } from './read-condition.ts';
import { type Token, tokensOf } from './tokens.ts';
import {
  type Expression,
  type SegmentPart,
  type SegmentRef,
  type SegmentType,
  segmentTypes,
  type Span,
  type SyntaxFault,
} from './types.ts';

/** Parentheses and `not` may be nested as deep as the API lets definitions be. */
const DEPTH_MOST = 16;

/** Reads a text. Fails with the first fault and its place. */
export const parseExpression = (text: string): Result<Expression, SyntaxFault> => {
  const tokens = tokensOf(text);
  return tokens.ok ? new Parser(text, tokens.value).whole() : tokens;
};

type Parsed = Result<Expression, SyntaxFault>;

class Parser {
  readonly #text: string;
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(text: string, tokens: readonly Token[]) {
    this.#text = text;
    this.#tokens = tokens;
  }

  whole(): Parsed {
    const parsed = this.#combination('or');
    const rest = this.#tokens[this.#next];
    if (!parsed.ok || rest === undefined) return parsed;
    return rest.kind === 'close'
      ? failed({ message: 'This parenthesis was never opened.', at: rest })
      : failed(this.#unjoined(rest));
  }

  #combination(word: 'or' | 'and'): Parsed {
    const parts: Expression[] = [];
    for (;;) {
      const part = word === 'or' ? this.#combination('and') : this.#part();
      if (!part.ok) return part;
      parts.push(part.value);
      if (this.#tokens[this.#next]?.kind !== word) break;
      this.#next += 1;
    }
    const [only, ...others] = parts;
    if (only !== undefined && others.length === 0) return ok(only);
    return ok({ kind: word === 'or' ? 'any' : 'all', of: parts });
  }

  #part(isAfterNot = false): Parsed {
    const token = this.#tokens[this.#next];
    switch (token?.kind) {
      case undefined:
      case 'and':
      case 'or':
      case 'close':
        return failed(this.#missing(token));
      case 'word':
      case 'quoted':
        return this.#phrase(isAfterNot);
      case 'not':
      case 'open':
        return this.#nested(token);
    }
  }

  #nested(token: Token): Parsed {
    if (this.#depth === DEPTH_MOST) return failed(tooDeep(token));
    this.#next += 1;
    this.#depth += 1;
    const parsed = token.kind === 'not' ? this.#part(true) : this.#inParentheses(token);
    this.#depth -= 1;
    return parsed.ok && token.kind === 'not' ? ok({ kind: 'not', of: parsed.value }) : parsed;
  }

  #inParentheses(open: Span): Parsed {
    const parsed = this.#combination('or');
    if (!parsed.ok) return parsed;
    const token = this.#tokens[this.#next];
    if (token === undefined) return failed({ message: 'This parenthesis is never closed.', at: open });
    if (token.kind !== 'close') return failed(this.#unjoined(token));
    this.#next += 1;
    return parsed;
  }

  /** A condition or a segment. */
  #phrase(isAfterNot: boolean): Parsed {
    const from = this.#next;
    const found = readCondition({ text: this.#text, tokens: this.#tokens, from, isAfterNot });
    if (found.kind === 'fault') return failed(found.fault);
    if (found.kind === 'none') {
      const segment = this.#segment();
      const { noCondition } = found;
      return segment.ok && noCondition !== undefined ? ok({ ...segment.value, noCondition }) : segment;
    }
    this.#next = found.next;
    const { expression } = found;
    // An unequal sign is a "not", too.
    return expression.kind === 'not' && this.#depth === DEPTH_MOST
      ? failed(tooDeep(this.#tokens[from] ?? { start: 0, end: 0 }))
      : ok(expression);
  }

  /** A quoted name, or words up to the next keyword, parenthesis or quote. */
  #segment(): Result<SegmentPart, SyntaxFault> {
    const first = this.#tokens[this.#next];
    if (first?.kind === 'quoted') {
      this.#next += 1;
      return this.#named(first.text, first.prefix, first);
    }
    const words: string[] = [];
    let end = first?.end ?? 0;
    for (let token: Token | undefined = first; token?.kind === 'word'; token = this.#tokens[this.#next]) {
      words.push(token.text);
      end = token.end;
      this.#next += 1;
    }
    const at = { start: first?.start ?? 0, end };
    const text = words.join(' ');
    if (/^[1-9][0-9]{9,15}$/.test(text))
      return ok({ kind: 'segment', segment: { kind: 'id', id: Number(text) }, at });
    const [, prefix, rest] = /^([A-Za-z]+):(\S.*)$/.exec(text) ?? [];
    return this.#named(rest ?? text, prefix ?? '', at);
  }

  #named(name: string, prefix: string, { start, end }: Span): Result<SegmentPart, SyntaxFault> {
    const at = { start, end };
    if (name.trim() === '') return failed({ message: 'A segment has a name.', at });
    if (prefix === '') return ok({ kind: 'segment', segment: { kind: 'name', name }, at });
    const type = typeNamed(prefix);
    if (type === undefined) {
      return failed({
        message: `There is no type "${prefix}" of segments, only ${segmentTypes.join(', ')}. Put a name with a colon into quotes.`,
        at: { start, end: start + prefix.length },
      });
    }
    const segment: SegmentRef = { kind: 'name', name, type };
    return ok({ kind: 'segment', segment, at });
  }

  /** The fault of a name behind a name: `Jazz "Abo"`. */
  #unjoined({ start, end }: Span): SyntaxFault {
    return { message: unjoined(this.#text, { start, end }), at: { start, end } };
  }

  #missing(token: Token | undefined): SyntaxFault {
    const before = this.#tokens[this.#next - 1];
    const place = before === undefined ? '' : ` after ${this.#quote(before)}`;
    const end = this.#text.length;
    return { message: `A segment is missing${place}.`, at: token ?? { start: end, end: end + 1 } };
  }

  #quote({ start, end }: Span): string {
    const text = this.#text.slice(start, end);
    return text.startsWith('"') ? text : `"${text}"`;
  }
}

const tooDeep = ({ start, end }: Span): SyntaxFault => ({
  message: `Only ${DEPTH_MOST} levels of parentheses and "not" are possible.`,
  at: { start, end },
});

const typeNamed = (prefix: string): SegmentType | undefined =>
  segmentTypes.find((type) => type.toLowerCase() === prefix.toLowerCase());

/** The text of an expression with carets below the faulty part. */
export const underline = (text: string, { start, end }: Span): string => {
  // A tab or a line break would move the carets away from their place.
  const line = text.replaceAll(/\s/g, ' ');
  return `${line}\n${' '.repeat(start)}${'^'.repeat(Math.max(1, end - start))}`;
};
