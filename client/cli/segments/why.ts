/** Explains a membership in words. */
import type { Tidemark } from '../../src/index.ts';
import { isRecord } from '../../src/json.ts';
import { unlessMissing } from '../problems.ts';
import type { Branch } from '../terminal/table.ts';

/** The source of a value that an import brought. */
const importSource = /^import:([1-9]\d*)$/;

/** Import definitions that are named, with one request each. */
const NAMED = 20;

/** The names of the sources in an explanation: of each import definition its name. A deleted definition has none. */
export const importNames = async (client: Tidemark, why: unknown): Promise<ReadonlyMap<string, string>> => {
  const sources = [...new Set(sourcesIn(why))].filter((source) => importSource.test(source));
  const names = new Map<string, string>();
  for (const source of sources.slice(0, NAMED)) {
    const path = { import_id: Number(importSource.exec(source)?.[1]) };
    const found = await unlessMissing(client.getImport({ path }));
    if (found) names.set(source, found.name);
  }
  return names;
};

const sourcesIn = (condition: unknown): readonly string[] => {
  if (!isRecord(condition)) return [];
  const { of, because, instead } = condition;
  const own = [...listOf(because), ...listOf(instead)].map((value) => textOf(value['source']));
  return [...own, ...(Array.isArray(of) ? of.flatMap((part: unknown) => sourcesIn(part)) : [])];
};

/**
 * The tree of an explanation. Each condition that holds has `✓`, the others `✗`; the values that decide stand behind it.
 * The answer is read loosely, because conditions nest without an end. `names` has the names of sources.
 */
export const whyBranch = (condition: unknown, names: ReadonlyMap<string, string> = new Map()): Branch => {
  if (!isRecord(condition)) return { label: '?', below: [] };
  const { kind, holds, of, segment, because, instead } = condition;
  const parts = Array.isArray(of) ? of : [];
  const mark = holds === true ? '✓' : '✗';
  return {
    label: `${mark} ${titleOf(kind, segment)}${valuesOf({ because, instead }, names)}`,
    below: parts.map((part: unknown) => whyBranch(part, names)),
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

const valuesOf = (
  { because, instead }: { readonly because: unknown; readonly instead: unknown },
  names: ReadonlyMap<string, string>,
): string => {
  const reasons = listOf(because).map((value) => {
    const source = textOf(value['source']);
    const name = names.get(source);
    const from = name === undefined ? source : `the import "${name}"`;
    const { until } = value;
    const end = typeof until === 'string' ? ` until ${until}` : '';
    return `${textOf(value['field'])} "${textOf(value['value'])}" from ${from}${end}`;
  });
  if (reasons.length > 0) return `  because of ${reasons.join(', ')}`;
  const others = listOf(instead).map((value) => `"${textOf(value['value'])}"`);
  return others.length > 0 ? `  has ${others.join(', ')} instead` : '';
};

const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter((one: unknown) => isRecord(one)) : [];

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
