/** Suggest lists: the text between the values of a list, and the quotes and brackets around them. */
import { listIn } from '../../mapping/read-lists.ts';
import { doubtsAbout } from '../doubt.ts';
import { type Advice, type ColumnValues, dropped, none } from './advice.ts';

/** Separators, those first that contain others. Spaces around values are no part of them. */
const separators = [':::', '::', '\n', ';', '|', ',', '/'] as const;

/** How a separator is called in sentences. */
const shown = (separator: string): string => (separator === '\n' ? 'line breaks' : `"${separator}"`);

/** Quotes or brackets in which other systems put values. A tag in one pair of brackets may be a tag with brackets. */
const quoted = /^\s*(?:"(?:[^"]|"")*"|'[^']*'\s*(?:$|[,;|]\s*')|[[{].*[\]}]\s*$)/su;

/** Quotes of printed text. No system writes lists with them. */
const printed = /^\s*(?:[“„”][^“„”]+[“”]|[«»][^«»]+[«»])/u;

/** The separator that most cells contain, if it is not the default, or the reader of quoted lists. */
export const suggestSplit = (column: ColumnValues): Advice => {
  const { name, values, target } = column;
  const inQuotes = values.filter((value) => quoted.test(value));
  // A tag may have brackets of its own, like `[VIP]`.
  const isList = inQuotes.length >= values.length / 2 || inQuotes.some((value) => value.includes('"'));
  if (inQuotes.length > 0 && isList) return suggestQuoted(column, inQuotes);
  const counted = separators.map((separator) => ({
    separator,
    count: values.filter((value) => value.includes(separator)).length,
  }));
  const [best] = counted.toSorted((a, b) => b.count - a.count);
  const usual = target === 'source' ? ',' : ';';
  const kept = doubtsAbout(name, [...inQuotes, ...values.filter((value) => printed.test(value))], {
    saw: 'Quotes or brackets around values.',
    does: 'They stay part of the values.',
  });
  const group = values.filter((value) => value.includes('* '));
  const isGoogle = best?.separator === ':::' || (target === 'tags' && group.length === values.length);
  const options = isGoogle && group.length > 0 ? { transformations: [withoutStar] } : {};
  if (!best || best.count === 0) return { ...none, options, doubts: kept };
  const strays = values.filter(
    (value) => !value.includes(best.separator) && separators.some((other) => value.includes(other)),
  );
  return {
    options: {
      ...options,
      ...(best.separator === usual ? {} : { split: best.separator }),
    },
    why:
      best.separator === usual
        ? []
        : [`${best.count} of ${values.length} cells contain ${shown(best.separator)} between values.`],
    doubts: [
      ...kept,
      ...doubtsAbout(name, strays, {
        saw: `Cells without ${shown(best.separator)} that may have other separators.`,
        does: 'Each of them is one value.',
      }),
    ],
  };
};

/** Google marks its own groups with an asterisk. */
const withoutStar = { name: 'replace', from: '* ', to: '' } as const;

const suggestQuoted = ({ name, values, target }: ColumnValues, inQuotes: readonly string[]): Advice => {
  const lists = values.map(listIn);
  const unread = values.filter((_, index) => lists[index] === undefined);
  const all = lists.flatMap((list) => list ?? []);
  const usual = target === 'source' ? ',' : ';';
  // A separator that no value contains keeps each value whole.
  const separator = [usual, '|', '\n'].find((one) => all.every((value) => !value.includes(one))) ?? '\n';
  const isPlain = separator === ';';
  return {
    options: {
      transformations: [isPlain ? { name: 'list' } : { name: 'list', separator }],
      ...(separator === usual ? {} : { split: separator }),
      on_bad_value: 'drop_cell',
    },
    why: [`${inQuotes.length} of ${values.length} cells are lists with quotes or brackets.`, dropped],
    doubts: [
      ...doubtsAbout(name, inQuotes, {
        saw: 'Lists with quotes or brackets around the values.',
        does: 'The values lose the quotes and brackets.',
      }),
      ...doubtsAbout(name, unread, {
        saw: 'Cells with quotes or brackets that are no such list.',
        does: 'They are dropped with a warning.',
      }),
    ],
  };
};
