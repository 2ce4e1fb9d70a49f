/** JSON bodies: parses a request body within bounds of depth and width, for every route with a body. */
import { limits } from '../config/limits.ts';
import { ok, err, type Result } from '../runtime/result.ts';
import { problems, type Problem } from './problem.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** Names that would reach an object's prototype in careless code. No field of the API has such a name. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/**
 * Reads a JSON body: an object in valid UTF-8, neither nested too deep nor too wide (checked before any recursion),
 * without a forbidden key. Any other body is 400. The last value of a repeated key counts.
 */
export const parseJsonBody = (bytes: Uint8Array): Result<Readonly<Record<string, unknown>>, Problem> => {
  const text = decode(bytes);
  if (text === undefined) return err(problems.badRequest('The body is not valid UTF-8.'));
  if (isOversized(text, { depth: limits.http.jsonDepth, members: limits.http.jsonMembers }))
    return err(problems.badRequest('The body is nested too deep, or an object in it has too many members.'));
  const parsed = parse(text);
  if (!parsed.ok) {
    return err(
      problems.badRequest(`The body is not valid JSON: it goes wrong at byte ${jsonFaultAt(text)}.`),
    );
  }
  if (!isObject(parsed.value)) return err(problems.badRequest('The body must be a JSON object.'));
  if (hasForbiddenKey(parsed.value))
    return err(problems.badRequest('The body has a key that is not allowed anywhere.'));
  return ok(parsed.value);
};

/** Whether a value is a JSON object, not null and not an array. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
};

const parse = (text: string): Result<unknown, 'not-json'> => {
  try {
    const value: unknown = JSON.parse(text);
    return ok(value);
  } catch {
    return err('not-json');
  }
};

/**
 * Whether brackets outside strings nest deeper than `depth`, or an object has more than `members` members. One pass
 * over the text, without recursion or allocation.
 */
const isOversized = (text: string, most: { readonly depth: number; readonly members: number }): boolean => {
  const members: number[] = [];
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (inString) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) inString = false;
    } else if (code === QUOTE) {
      inString = true;
    } else if (opening.has(code)) {
      if (members.push(0) > most.depth) return true;
    } else if (closing.has(code)) {
      members.pop();
    } else if (code === COLON) {
      const count = (members.pop() ?? 0) + 1;
      if (count > most.members) return true;
      members.push(count);
    }
  }
  return false;
};

/** The depth has been checked, so the recursion is bounded. */
const hasForbiddenKey = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(hasForbiddenKey);
  if (!isObject(value)) return false;
  return Object.keys(value).some((key) => forbidden.has(key) || hasForbiddenKey(value[key]));
};

type Expected = 'value' | 'value or ]' | 'name' | 'name or }' | ':' | 'next';

const space = /[ \t\n\r]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

/**
 * The number of bytes of UTF-8 before the first character that does not belong to JSON (RFC 8259). `JSON.parse` tells the
 * place only for some faults.
 */
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
