/** JSON fault: finds the place where a text stops to be JSON. `JSON.parse` tells the place only for some faults. */

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'next';

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/** The number of bytes of UTF-8 before the first character that does not belong to JSON (RFC 8259). */
export const jsonFaultAt = (text: string): number => Buffer.byteLength(text.slice(0, faultIndex(text)));

/** One pass without recursion: `open` holds the brackets that are open. */
const faultIndex = (text: string): number => {
  const open: string[] = [];
  let expected: Expected = 'value';
  for (let index = skip(text, space, 0); index < text.length; index = skip(text, space, index)) {
    const char = text.charAt(index);
    if (expected === 'next') {
      const isClosing = char === (open.at(-1) === '{' ? '}' : ']');
      if (open.length === 0 || (char !== ',' && !isClosing)) return index;
      if (isClosing) open.pop();
      else expected = open.at(-1) === '{' ? 'name' : 'value';
      index += 1;
    } else if (expected === ':') {
      if (char !== ':') return index;
      expected = 'value';
      index += 1;
    } else if ((expected === 'name or }' && char === '}') || (expected === 'value or ]' && char === ']')) {
      open.pop();
      expected = 'next';
      index += 1;
    } else if (char === '"') {
      const end = endOfString(text, index + 1);
      if (!end.ok) return end.index;
      expected = takesName(expected) ? ':' : 'next';
      index = end.index;
    } else if (takesName(expected)) {
      return index;
    } else if (char === '{' || char === '[') {
      open.push(char);
      expected = char === '{' ? 'name or }' : 'value or ]';
      index += 1;
    } else {
      const end = skip(text, scalar, index);
      if (end === index) return index;
      expected = 'next';
      index = end;
    }
  }
  return text.length;
};

const takesName = (expected: Expected): boolean => expected === 'name' || expected === 'name or }';

const skip = (text: string, form: RegExp, index: number): number => {
  form.lastIndex = index;
  return form.test(text) ? form.lastIndex : index;
};

const escape = /["\\/bfnrt]|u[\dA-Fa-f]{4}/y;

/** The index behind a text in quotes, or that of its first faulty character. */
const endOfString = (text: string, from: number): { readonly ok: boolean; readonly index: number } => {
  let index = from;
  while (index < text.length) {
    const char = text.charAt(index);
    if (char === '"') return { ok: true, index: index + 1 };
    if (char < ' ') return { ok: false, index };
    const next = char === '\\' ? skip(text, escape, index + 1) : index + 1;
    if (char === '\\' && next === index + 1) return { ok: false, index };
    index = next;
  }
  return { ok: false, index: text.length };
};
