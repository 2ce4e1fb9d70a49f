/** Writes an expression in words, so that `parseExpression` reads the same expression again. */
import { parseExpression } from './parse.ts';
import { printWhere } from './print-where.ts';
import { type Expression, quoted, type SegmentRef } from './types.ts';

const strength = { any: 0, all: 1, not: 2, segment: 3, condition: 3 } as const;

/** The text of an expression, with as few quotes and parentheses as it needs. */
export const printExpression = (expression: Expression): string => {
  switch (expression.kind) {
    case 'segment':
      return printSegment(expression.segment);
    case 'condition':
      return printWhere(expression.where);
    case 'not':
      return `not ${inner(expression.of, strength.not)}`;
    case 'all':
    case 'any': {
      const word = expression.kind === 'all' ? ' and ' : ' or ';
      return expression.of.map((part) => inner(part, strength[expression.kind] + 1)).join(word);
    }
  }
};

const inner = (part: Expression, least: number): string =>
  strength[part.kind] < least ? `(${printExpression(part)})` : printExpression(part);

/** The text of one segment: `Jazz`, `"Age: 65+"`, `tag:Jazz` or an id. */
export const printSegment = (segment: SegmentRef): string => {
  if (segment.kind === 'id') return String(segment.id);
  const { name, type } = segment;
  const prefix = type === undefined ? '' : `${type}:`;
  const bare = `${prefix}${name}`;
  return isPlain(name) && isName(bare) ? bare : `${prefix}${quoted(name)}`;
};

/** Whether a name needs no quotes: words of letters and digits, none of them a keyword, and not an id. */
const isPlain = (name: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N}.&+/|-]*(?: [\p{L}\p{N}&+/|-][\p{L}\p{N}.&+/|-]*)*$/u.test(name) &&
  !/(?:^|[ ])(?:and|or|not)(?:[ ]|$)/i.test(name) &&
  !/^[0-9]+$/.test(name);

/** Whether words are the name of a segment wherever they stand: not a condition, and not one behind "not". */
const isName = (words: string): boolean => {
  const parsed = parseExpression(`not ${words}`);
  return parsed.ok && parsed.value.kind === 'not' && parsed.value.of.kind === 'segment';
};
