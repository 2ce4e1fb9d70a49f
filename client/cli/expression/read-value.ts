/** Reads what follows the operator of a condition. */
import { failed, ok, type Result } from '../result.ts';
import { spellingsFor } from './operators.ts';
import {
  type Found,
  found,
  gapAt,
  isQuotedNext,
  nameOf,
  operatorSpan,
  type Place,
  type Taking,
  unfit,
  unjoined,
  wordsBehind,
} from './place.ts';
import { readList, readText, type Text } from './read-text.ts';
import { isExact, looksLikeDay, looksLikeNumber, readDay, readNumber } from './values.ts';
import { type Kind, kindOf, type Where } from './where.ts';
import { sliceOf, wordsFrom } from './words.ts';

/** Reads the condition of an operator. Fails if its value or its field does not fit. */
export const readValue = (place: Place): Found<Where> => {
  const { field, operator, subject } = place;
  const kind = kindOf(field);
  if (!operator.kinds.includes(kind)) {
    const message =
      operator.op === 'anniversary_within_days'
        ? `${nameOf(place)} goes only with birthday.`
        : `"${subject}" goes with ${spellingsFor(kind)}, not with ${nameOf(place)}.`;
    return unfit(message, operatorSpan(place), true);
  }
  switch (operator.takes) {
    case 'nothing':
      return readNothing(place, { field, op: operator.op });
    case 'value':
      return mapped(readEqual(place), (value) => ({ field, op: operator.op, value }));
    case 'list':
      return mapped(readMany(place), (value) => ({ field, op: operator.op, value }));
    case 'text':
      return mapped(readText(place), ({ text }) => ({ field, op: operator.op, value: text }));
    case 'number':
      return mapped(readOneNumber(place), (value) => ({ field, op: operator.op, value }));
    case 'two':
      return mapped(readTwo(place), (value) => ({ field, op: operator.op, value }));
    case 'day':
      return mapped(readOneDay(place), (value) => ({ field, op: operator.op, value }));
    case 'days':
      return mapped(readDays({ ...place, operator }), (value) => ({ field, op: operator.op, value }));
  }
};

const mapped = <Value>(one: Found<Value>, whereOf: (value: Value) => Where): Found<Where> =>
  one.ok ? found(whereOf(one.value.value), one.value) : one;

const readNothing = (place: Place, where: Where): Found<Where> => {
  const { words, from, text } = place;
  const more = words.pieces[from];
  if (more !== undefined) return unfit(unjoined(text, more), more);
  return found(where, { end: operatorSpan(place).end, next: words.next });
};

const readEqual = (place: Place): Found<string | number> => {
  const kind = kindOf(place.field);
  if (kind === 'age') return readOneNumber(place);
  const text = readText(place);
  if (!text.ok || kind === 'text' || text.value.value.isQuoted)
    return text.ok ? found(text.value.value.text, text.value) : text;
  const value = ownValue(text.value.value);
  return value.ok ? found(value.value.value, text.value) : value;
};

/** A value of the extra data without quotes: a number if it has the form of one. */
const ownValue = ({ text, ...at }: Text): Found<string | number> => {
  const end = { end: at.end, next: 0 };
  if (looksLikeDay(text)) {
    const message = 'For a day, write "on 2026-01-31"; put a text that looks like a day into quotes.';
    return unfit(message, at, true);
  }
  const number = readNumber(text);
  if (!number.ok && number.error !== undefined)
    return unfit(`${number.error} Put a text that looks like a number into quotes.`, at, true);
  return found(number.ok && isExact(text) ? number.value : text, end);
};

/** The values of a list: numbers if all are numbers, otherwise texts. */
const readMany = (place: Place): Found<readonly string[] | readonly number[]> => {
  const list = readList(place);
  if (!list.ok) return list;
  const { value: texts } = list.value;
  const kind = kindOf(place.field);
  const numbers: number[] = [];
  for (const one of kind === 'text' ? [] : texts) {
    const value = one.isQuoted ? found<string | number>(one.text, { end: 0, next: 0 }) : ownValue(one);
    if (!value.ok) return value;
    if (typeof value.value.value === 'number') numbers.push(value.value.value);
    else if (kind === 'age') return unfit(`${nameOf(place)} needs numbers, such as in (17, 18).`, one, true);
  }
  return found(numbers.length === texts.length ? numbers : texts.map(({ text }) => text), list.value);
};

/** A number behind an operator. */
const readOneNumber = (place: Place): Found<number> => {
  const { words, text, from } = place;
  const behind = wordsBehind(place);
  const needs = `${nameOf(place)} needs a number, such as 500 or 500.5.`;
  if (behind === undefined) return unfit(needs, gapAt(place, words.next), isQuotedNext(place));
  if (looksLikeDay(behind.text))
    return unfit(`${needs} Days go with before, after, on and between.`, behind, true);
  const number = readNumber(behind.text);
  if (number.ok) return found(number.value, { end: behind.end, next: words.next });
  const [first, second] = words.pieces.slice(from, from + 2);
  if (second !== undefined && number.error === undefined && readNumber(first?.text ?? '').ok)
    return unfit(unjoined(text, second), second);
  return unfit(number.error ?? needs, behind, looksLikeNumber(behind.text));
};

/** A day behind an operator. */
const readOneDay = (place: Place): Found<string> => {
  const { words, from, text } = place;
  const behind = wordsBehind(place);
  const needs = `${nameOf(place)} needs a day, such as 2026-01-31.`;
  if (behind === undefined) return unfit(needs, gapAt(place, words.next), isQuotedNext(place));
  const day = readDay(behind.text);
  if (day.ok) return found(day.value, { end: behind.end, next: words.next });
  const [first, second] = words.pieces.slice(from, from + 2);
  if (second !== undefined && readDay(first?.text ?? '').ok) return unfit(unjoined(text, second), second);
  return unfit(day.error ?? needs, behind, looksLikeDay(behind.text));
};

/** A number of days behind an operator. */
const readDays = (place: Taking<'days'>): Found<number> => {
  const { words, from, text, subject, operator } = place;
  const [count, unit, more] = words.pieces.slice(from, from + 3);
  const isSpan = /^[1-9]\d{0,6}$/.test(count?.text ?? '') && /^days?$/i.test(unit?.text ?? '');
  if (count === undefined || unit === undefined || !isSpan) {
    const spelling = operator.words.join(' ');
    const message = `"${spelling}" needs a number of days: ${spelling} 90 days.`;
    return unfit(message, wordsBehind(place) ?? gapAt(place, words.next), isQuotedNext(place));
  }
  if (more !== undefined) return unfit(unjoined(text, more), more);
  if (operator.afterNot && !place.isAfterNot)
    return unfit(`"for" goes with "not": not ${subject} for ${count.text} days.`, operatorSpan(place));
  return found(Number(count.text), { end: unit.end, next: words.next });
};

type Two = readonly [number, number] | readonly [string, string];

/** Two numbers or two days with "and" between them. */
const readTwo = (place: Place): Found<Two> => {
  const { words, text, tokens } = place;
  const kind = kindOf(place.field);
  const behind = wordsBehind(place);
  const after = wordsFrom(tokens, words.next + 1);
  const [first, last] = [after.pieces[0], after.pieces.at(-1)];
  const needs = `${nameOf(place)} needs ${twoOf[kind]}.`;
  const low = behind?.text ?? '';
  const isMeant = looksLikeNumber(low) || looksLikeDay(low);
  const isJoined = tokens[words.next]?.kind === 'and';
  if (behind === undefined || !isJoined || first === undefined || last === undefined)
    return unfit(needs, behind ?? gapAt(place, words.next), isMeant);
  const high = sliceOf(text, { start: first.start, end: last.end });
  const days = kind !== 'age' && (kind !== 'own' || looksLikeDay(low));
  const two = days ? both(readDay, low, high) : both(readNumber, low, high);
  if (!two.ok) return unfit(two.error ?? needs, { start: behind.start, end: last.end }, isMeant);
  return found(two.value, { end: last.end, next: after.next });
};

/** What `between` takes. */
const twoOf: Readonly<Record<Kind, string>> = {
  text: 'two values',
  age: 'two numbers, such as 18 and 25',
  own: 'two numbers or two days, such as 100 and 500',
  birthday: 'two days, such as 2026-01-01 and 2026-01-31',
  created: 'two days, such as 2026-01-01 and 2026-01-31',
  tag: 'two days, such as 2026-01-01 and 2026-01-31',
};

const both = <Value extends string | number>(
  readOne: (text: string) => Result<Value, string | undefined>,
  low: string,
  high: string,
): Result<readonly [Value, Value], string | undefined> => {
  const [from, to] = [readOne(low), readOne(high)];
  if (!from.ok) return from;
  if (!to.ok) return to;
  if (from.value > to.value) return failed(`The smaller value comes first: ${high} and ${low}.`);
  return ok([from.value, to.value]);
};
