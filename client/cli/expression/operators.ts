/** The operators of conditions: how they are written, what follows them, and for which fields they are. */
import type { Kind, Where } from './where.ts';

/** An operator as it is written. `takes` is what follows it. */
export type Operator = {
  /** Its words in small letters, or its sign. */
  readonly words: readonly string[];
  readonly kinds: readonly Kind[];
} & (
  | Taking<'nothing', 'exists'>
  | (Taking<'value', 'eq'> & { readonly negates?: true })
  | Taking<'list', 'in'>
  | Taking<'text', 'starts_with' | 'contains'>
  | Taking<'number', 'lt' | 'lte' | 'gt' | 'gte'>
  | Taking<'two', 'between'>
  | Taking<'day', 'before' | 'after' | 'on'>
  | (Taking<'days', Where['op'] & `${string}_days`> & { readonly afterNot?: true })
);
interface Taking<Takes, Op extends Where['op']> {
  readonly takes: Takes;
  readonly op: Op;
}

const texts: readonly Kind[] = ['text', 'own'];
const numbers: readonly Kind[] = ['age', 'own'];
const days: readonly Kind[] = ['birthday', 'created', 'tag', 'own'];
const values: readonly Kind[] = ['text', 'age', 'own'];
const all: readonly Kind[] = ['text', 'age', 'created', 'birthday', 'tag', 'own'];

/** The first spelling of an operation is the one in which it is printed. A longer spelling stands before its beginning. */
export const operators: readonly Operator[] = [
  { words: ['exists'], op: 'exists', takes: 'nothing', kinds: all },
  { words: ['='], op: 'eq', takes: 'value', kinds: values },
  { words: ['!='], op: 'eq', takes: 'value', kinds: values, negates: true },
  { words: ['≠'], op: 'eq', takes: 'value', kinds: values, negates: true },
  { words: ['in'], op: 'in', takes: 'list', kinds: values },
  { words: ['starts', 'with'], op: 'starts_with', takes: 'text', kinds: texts },
  { words: ['contains'], op: 'contains', takes: 'text', kinds: texts },
  { words: ['<'], op: 'lt', takes: 'number', kinds: numbers },
  { words: ['<='], op: 'lte', takes: 'number', kinds: numbers },
  { words: ['≤'], op: 'lte', takes: 'number', kinds: numbers },
  { words: ['>'], op: 'gt', takes: 'number', kinds: numbers },
  { words: ['>='], op: 'gte', takes: 'number', kinds: numbers },
  { words: ['≥'], op: 'gte', takes: 'number', kinds: numbers },
  { words: ['between'], op: 'between', takes: 'two', kinds: [...numbers, 'birthday', 'created', 'tag'] },
  { words: ['before'], op: 'before', takes: 'day', kinds: days },
  { words: ['after'], op: 'after', takes: 'day', kinds: days },
  { words: ['on'], op: 'on', takes: 'day', kinds: days },
  { words: ['within', 'next'], op: 'within_next_days', takes: 'days', kinds: days },
  { words: ['within'], op: 'within_days', takes: 'days', kinds: days },
  { words: ['older', 'than'], op: 'older_than_days', takes: 'days', kinds: days },
  { words: ['anniversary', 'within'], op: 'anniversary_within_days', takes: 'days', kinds: ['birthday'] },
  // "not seen for 90 days" says the same as "not seen within 90 days".
  { words: ['for'], op: 'within_days', takes: 'days', kinds: days, afterNot: true },
];

/** How an operator is printed. */
export const spellingOf = ({ words }: Pick<Operator, 'words'>): string => words.join(' ');

/** The spellings of the operators that are for a kind of fields, in words: `exists, = and in`. */
export const spellingsFor = (kind: Kind): string => {
  const fit = operators.filter(
    ({ kinds, words: [word = ''] }) => kinds.includes(kind) && !/[≤≥≠]|^for$/.test(word),
  );
  const spellings = fit.map(spellingOf);
  return `${spellings.slice(0, -1).join(', ')} and ${spellings.at(-1) ?? ''}`;
};

/** The operations whose values are numbers of days. */
export const spanOps: ReadonlySet<Where['op']> = new Set(
  operators.filter(({ takes }) => takes === 'days').map(({ op }) => op),
);
