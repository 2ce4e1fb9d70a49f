import { parseExpression } from '../../client/cli/expression/parse.ts';
import type { Expression } from '../../client/cli/expression/types.ts';

/** The expression without the places of its parts and without what helps in failures. */
export const bare = (expression: Expression): unknown => {
  switch (expression.kind) {
    case 'segment':
      return expression.segment;
    case 'condition':
      return expression.where;
    case 'not':
      return { not: bare(expression.of) };
    case 'all':
    case 'any':
      return { [expression.kind]: expression.of.map(bare) };
  }
};

/** What a text says, or the sentence about its fault. */
export const read = (text: string): unknown => {
  const parsed = parseExpression(text);
  return parsed.ok ? bare(parsed.value) : parsed.error.message;
};

/** The field of a key of the extra data. */
export const own = (key: string): string => `extra_data.${key}`;
