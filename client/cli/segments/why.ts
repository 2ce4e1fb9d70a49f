/** Explains a membership in words. */
import { isRecord } from '../json.ts';
import type { Branch } from '../terminal/table.ts';

/**
 * The tree of an explanation. Each condition that holds has `✓`, the others `✗`; the values that decide stand behind it.
 * The answer is read loosely, because conditions nest without an end.
 */
export const whyBranch = (condition: unknown): Branch => {
  if (!isRecord(condition)) return { label: '?', below: [] };
  const { kind, holds, of, segment, because, instead } = condition;
  const parts = Array.isArray(of) ? of : [];
  const mark = holds === true ? '✓' : '✗';
  return {
    label: `${mark} ${titleOf(kind, segment)}${valuesOf(because, instead)}`,
    below: parts.map((part: unknown) => whyBranch(part)),
  };
};

const titles: Readonly<Record<string, string>> = {
  all: 'all of',
  any: 'any of',
  not: 'not',
  everyone: 'everyone',
};

const titleOf = (kind: unknown, segment: unknown): string => {
  if (isRecord(segment)) return textOf(segment['name'] ?? segment['id']);
  return titles[textOf(kind)] ?? textOf(kind);
};

const valuesOf = (because: unknown, instead: unknown): string => {
  const reasons = listOf(because).map(
    (value) => `${textOf(value['field'])} "${textOf(value['value'])}" from ${textOf(value['source'])}`,
  );
  if (reasons.length > 0) return `  because of ${reasons.join(', ')}`;
  const others = listOf(instead).map((value) => `"${textOf(value['value'])}"`);
  return others.length > 0 ? `  has ${others.join(', ')} instead` : '';
};

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((one: unknown) => isRecord(one)) : [];

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
