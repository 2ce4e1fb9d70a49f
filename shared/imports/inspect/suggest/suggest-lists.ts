/** Suggest lists: the text between the values of a list. */
import { type Advice, type ColumnValues, none } from './advice.ts';

const separators = [';', '|', ',', '/'] as const;

/** The separator that most cells contain, if it is not the default. */
export const suggestSplit = ({ values, target }: ColumnValues): Advice => {
  const counted = separators.map((separator) => ({
    separator,
    count: values.filter((value) => value.includes(separator)).length,
  }));
  const [best] = counted.toSorted((a, b) => b.count - a.count);
  const usual = target === 'source' ? ',' : ';';
  if (!best || best.count === 0 || best.separator === usual) return none;
  return {
    options: { split: best.separator },
    why: [`${best.count} of ${values.length} cells contain "${best.separator}" between values.`],
  };
};
