/** Shape of a condition: what a client sends, and what is stored, as one schema for each kind of operator. */
import * as v from 'valibot';
import { limits } from '../../config/limits.ts';
import { described, shownAs } from '../../http/described.ts';
import { rule } from '../../http/rule.ts';
import { isCalendarDate } from '../../http/text.ts';
import { isBlank } from '../../runtime/visible-text.ts';

/** The operators that each kind of comparison has, in the order in which sentences name them. */
export const operators = {
  text: ['exists', 'eq', 'in', 'starts_with', 'contains'],
  number: ['exists', 'eq', 'in', 'lt', 'lte', 'gt', 'gte', 'between'],
  day: ['exists', 'before', 'after', 'on', 'between', 'within_days', 'older_than_days', 'within_next_days'],
  birthday: ['anniversary_within_days'],
} as const;

const text = v.pipe(
  v.string(),
  rule<string>('blank', (sent) => !isBlank(sent), 'Must not be blank.'),
);
const day = v.pipe(
  v.string(),
  rule('not_a_date', isCalendarDate, 'Must be a date such as 2026-05-17.'),
  shownAs(v.pipe(v.string(), v.isoDate())),
);
/** Beyond this two numbers of a request may be one: JSON has no other numbers. */
const amount = v.pipe(
  v.number(),
  rule<number>(
    'out_of_range',
    (sent) => Math.abs(sent) <= Number.MAX_SAFE_INTEGER,
    `Must be between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}.`,
  ),
);
/** A text that is looked for inside others, of so many characters at most. */
const part = (most: number) => v.pipe(text, v.maxLength(most));
const days = (most: number) => v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(most));
const listOf = <const Item extends v.GenericSchema>(item: Item, most: number) =>
  v.pipe(v.array(item), v.minLength(1), v.maxLength(most));

const inOrder = 'Must not have the larger value first.';
/** Two bounds. The document shows a list of two, because generators of clients know no tuples. */
const boundsOf = <const Bound extends v.GenericSchema<string | number>>(bound: Bound) =>
  v.pipe(
    v.strictTuple([bound, bound]),
    rule('out_of_range', ([low, high]) => low <= high, inOrder),
    shownAs(v.pipe(v.array(bound), v.length(2))),
  );

const tagField = v.strictObject({
  tag: described('The name of a tag, as `GET segments` shows it. Upper and lower case differ.', text),
});

const field = {
  field: described(
    'What is compared. A field of a profile by its name in lookups, such as `zipcode` or `birthday`; `country`, `age`, `tag` or `source`; `created`, the day on which the profile was stored first; `extra_data.` and a key; or `{"tag": "Concert"}`, the newest time of a tag.',
    v.union(
      [v.string(), tagField],
      'Must be the name of a field, or an object like {"tag": "Concert"}, for the time of a tag.',
    ),
  ),
};

const exists = v.strictObject({
  ...field,
  op: described('The person has a value of the field.', v.literal('exists')),
});

const equal = v.strictObject({
  ...field,
  op: described('The value is this one. A text is compared without case.', v.literal('eq')),
  value: described(
    'A text or a number. A number is compared with numbers, and with texts that are plain decimal numbers.',
    v.union([text, amount], 'Must be a text or a number.'),
  ),
});

const oneOf = (values: number) =>
  v.strictObject({
    ...field,
    op: described('The value is one of these.', v.literal('in')),
    value: described(
      'Texts or numbers, compared as `eq` does.',
      v.union(
        [listOf(text, values), listOf(amount, values)],
        `Must be a list of 1 to ${values} texts, or of numbers.`,
      ),
    ),
  });

const compared = v.strictObject({
  ...field,
  op: described(
    'The number is less than this one, at most this one, greater, or at least this one.',
    v.picklist(['lt', 'lte', 'gt', 'gte']),
  ),
  value: described('The number to compare with.', amount),
});

const between = v.strictObject({
  ...field,
  op: described('The number or the day is one of these two or between them.', v.literal('between')),
  value: described(
    'The lower and the upper bound: two numbers, or two days in UTC.',
    v.union([boundsOf(amount), boundsOf(day)], 'Must be two numbers, or two days (YYYY-MM-DD).'),
  ),
});

const ofDay = v.strictObject({
  ...field,
  op: described(
    'The day is before this one, after this one, or this one.',
    v.picklist(['before', 'after', 'on']),
  ),
  value: described('A day in UTC.', day),
});

const windowOf = (most: number) =>
  v.strictObject({
    ...field,
    op: described(
      'With `within_days`, the day is at most so many days ago; with `older_than_days`, it was before that; with `within_next_days`, it is today or comes in so many days. People enter and leave as days pass, in UTC.',
      v.picklist(['within_days', 'older_than_days', 'within_next_days']),
    ),
    value: described('A number of days.', days(most)),
  });

const anniversary = (most: number) =>
  v.strictObject({
    ...field,
    op: described(
      'The birthday is celebrated today or in at most so many days; 29 February on 1 March where the year lacks it. For `birthday` only.',
      v.literal('anniversary_within_days'),
    ),
    value: described('A number of days.', days(most)),
  });

const search = (most: number) =>
  v.strictObject({
    ...field,
    op: described(
      'The text begins with this one, or has it anywhere, compared without case.',
      v.picklist(['starts_with', 'contains']),
    ),
    value: described('The text to look for.', part(most)),
  });

/** What the value of a condition may have at most: see `limits.conditions`. */
type Bounds = Readonly<Record<'values' | 'windowDays' | 'anniversaryDays' | 'searchedCharacters', number>>;

const shapeWithin = ({ values, windowDays, anniversaryDays, searchedCharacters }: Bounds) =>
  v.variant(
    'op',
    [
      exists,
      equal,
      oneOf(values),
      compared,
      between,
      ofDay,
      windowOf(windowDays),
      anniversary(anniversaryDays),
      search(searchedCharacters),
    ],
    `Must be an object like {"field": "zipcode", "op": "starts_with", "value": "80"}. The operators are ${[
      ...new Set(Object.values(operators).flat()),
    ].join(', ')}.`,
  );

/** The schema of a condition by the kind of its value. Which fields fit is another question: see `where.ts`. */
export const whereShape = shapeWithin(limits.conditions);

const unbounded = Number.POSITIVE_INFINITY;

/** The same for a condition that is stored, within any limits that a release may have. */
export const storedShape: typeof whereShape = shapeWithin({
  values: unbounded,
  windowDays: unbounded,
  anniversaryDays: unbounded,
  searchedCharacters: unbounded,
});

/** A condition, as a client sent it. */
export type Where = Readonly<v.InferOutput<typeof whereShape>>;

/** The name of an operator. */
export type Operator = Where['op'];
