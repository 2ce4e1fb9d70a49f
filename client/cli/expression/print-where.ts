/** Writes a condition in words, so that `parseExpression` reads the same condition again. */
import { operators, spellingOf } from './operators.ts';
import { quoted } from './types.ts';
import { looksLikeDay, looksLikeNumber, printNumber } from './values.ts';
import { type Field, fieldLike, kindOf, OWN, type Where } from './where.ts';

/** The text of a condition: `Umsatz >= 500`, `tag "Concert" older than 30 days`. */
export const printWhere = (where: Where): string => {
  const operator = operators.find(({ op }) => op === where.op);
  const subject = `${printField(where.field)} ${operator === undefined ? where.op : spellingOf(operator)}`;
  switch (where.op) {
    case 'exists':
      return subject;
    case 'between':
      return `${subject} ${where.value.map(printBare).join(' and ')}`;
    case 'in':
      return `${subject} (${where.value.map((value) => printValue(where.field, value)).join(', ')})`;
    case 'within_days':
    case 'older_than_days':
    case 'within_next_days':
    case 'anniversary_within_days':
      return `${subject} ${where.value} ${where.value === 1 ? 'day' : 'days'}`;
    case 'before':
    case 'after':
    case 'on':
      return `${subject} ${where.value}`;
    case 'eq':
    case 'starts_with':
    case 'contains':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return `${subject} ${printValue(where.field, where.value)}`;
  }
};

/** The text of a field: `zipcode`, `Umsatz`, `"Letzter Besuch"`, `tag "Concert"`. */
export const printField = (field: Field): string => {
  if (typeof field === 'object') return `tag ${quoted(field.tag)}`;
  if (!field.startsWith(OWN)) return field;
  const key = field.slice(OWN.length);
  const isPlain = isWord(key) && !key.startsWith(OWN);
  // A key with the name of a field, in whatever capitals, needs all that tells them apart.
  const prefix = fieldLike(key) === undefined ? '' : OWN;
  return `${prefix}${isPlain ? key : quoted(key)}`;
};

const printBare = (value: string | number): string =>
  typeof value === 'number' ? printNumber(value) : value;

const printValue = (field: Field, value: string | number): string => {
  if (typeof value === 'number') return printNumber(value);
  const isText = kindOf(field) === 'text' || !(looksLikeNumber(value) || looksLikeDay(value));
  return isText && isWord(value) ? value : quoted(value);
};

/** Whether a text is one word that needs no quotes. */
const isWord = (text: string): boolean =>
  /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(text) && !/^(?:and|or|not)$/i.test(text);
