/** Not identities: the values that an import definition lists as nobody's identity. */
import { canonicalEmail } from '../../profiles/email-form.ts';
import { visibleText } from '../../runtime/visible-text.ts';

/** Whether a value is one of those that a definition lists. */
export type NotIdentities = (value: string) => boolean;

/**
 * Compiles a list of values: `*` stands for any characters, also none; every other character for itself. Case, white
 * space at the ends and invisible characters do not matter. A definition compiles its list once. A value costs one
 * look-up, and at most one pass for each pattern, because the parts of a pattern are looked for from left to right.
 */
export const compileNotIdentities = (listed: readonly string[]): NotIdentities | undefined => {
  if (listed.length === 0) return undefined;
  const keys = listed.map(keyOf);
  const plain = new Set(keys.filter((key) => !key.includes('*')));
  const patterns = keys.filter((key) => key.includes('*')).map(patternOf);
  return (value) => {
    const key = keyOf(value);
    return plain.has(key) || patterns.some((matches) => matches(key));
  };
};

/** The form in which identities are compared, whatever their case. */
const keyOf = (text: string): string => canonicalEmail(visibleText(text).toLowerCase());

const patternOf = (pattern: string): NotIdentities => {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.at(-1) ?? '';
  const middle = rest.slice(0, -1).filter((part) => part !== '');
  return (key) => {
    if (!key.startsWith(first)) return false;
    let from = first.length;
    for (const part of middle) {
      const at = key.indexOf(part, from);
      if (at === -1) return false;
      from = at + part.length;
    }
    return key.length - last.length >= from && key.endsWith(last);
  };
};
