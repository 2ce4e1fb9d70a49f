/** Conditions in words of the reader. */
import type { components } from '../../../../client/src/generated/schema.ts';
import type { Format } from '../../format.ts';
import type { Texts } from '../../texts/en.ts';
import { wordFor } from '../../words.ts';

/** A condition: what a field of a person must be. */
export type Where = components['schemas']['Where'];

/** What stands before a key of the extra data. */
export const OWN = 'extra_data.';

/** The name of a field in words. A key of the extra data is as the file has it. */
export const fieldWords = (field: Where['field'], texts: Texts): string => {
  if (typeof field !== 'string') return texts.segments.conditions.timeOfTag(field.tag);
  if (field.startsWith(OWN)) return field.slice(OWN.length);
  return wordFor(texts, 'field', field);
};

/** A condition in words: "Age is under 65", "Letzter Besuch is older than 90 days". */
export const whereWords = (where: Where, texts: Texts, format: Pick<Format, 'day' | 'number'>): string => {
  const { operators, days, and } = texts.segments.conditions;
  const subject = `${fieldWords(where.field, texts)} ${operators[where.op]}`;
  const one = (value: string | number): string => (typeof value === 'number' ? format.number(value) : value);
  switch (where.op) {
    case 'exists':
      return subject;
    case 'between':
      return `${subject} ${where.value.map(one).join(` ${and} `)}`;
    case 'in':
      return `${subject} ${where.value.map(one).join(', ')}`;
    case 'within_days':
    case 'older_than_days':
    case 'within_next_days':
    case 'anniversary_within_days':
      return `${subject} ${days(where.value)}`;
    case 'before':
    case 'after':
    case 'on':
      return `${subject} ${format.day(where.value)}`;
    case 'eq':
    case 'starts_with':
    case 'contains':
    case 'lt':
    case 'lte':
    case 'gt':
    case 'gte':
      return `${subject} ${one(where.value)}`;
  }
};
