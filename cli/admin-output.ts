/** Answers of operator commands on the terminal: facts as rows, lists as columns. */
import { styleText } from 'node:util';
import { isObject } from '../shared/http/json.ts';
import type { AdminAnswer } from './admin-service.ts';
import { table } from './terminal.ts';

/** Prints a sentence in red, and lets the process end with an exit code of failure. */
export const fail = (sentence: string): void => {
  console.error(styleText('red', sentence));
  process.exitCode = 1;
};

/** Prints an answer. */
export const show = (answer: AdminAnswer): void => {
  if (!answer.ok) {
    fail(answer.error.message);
    for (const { pointer, detail } of answer.error.errors) console.error(`  ${placeOf(pointer)}${detail}`);
    return;
  }
  const facts = Object.entries(answer).filter(([name]) => name !== 'ok');
  const rows = facts.flatMap(([name, value]) => (isList(value) ? [] : rowsOf(name, value)));
  if (rows.length > 0) table(rows);
  const lists = facts.flatMap(([name, value]) => (isList(value) ? [{ name, value }] : []));
  for (const { name, value } of lists) {
    if (facts.length > 1) console.log(styleText('dim', `\n  ${name.replaceAll('_', ' ')}`));
    for (const line of columns(value)) console.log(`  ${line}`);
  }
};

/** The option that a fault is about: `/first_name` is `--first-name`, `/tiers/0` is `--tiers`. */
const placeOf = (pointer: string): string => {
  const [, member = ''] = pointer.split('/');
  return member === '' ? '' : `${member.replaceAll('_', '-')}: `;
};

type Row = Readonly<Record<string, unknown>>;

/** Whether a value is a list of things with facts of their own, which are shown in columns. */
const isList = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => isObject(one));

/** A fact as rows. A list of texts gets one row per element. */
const rowsOf = (name: string, value: unknown): readonly (readonly [string, string])[] => {
  const label = name.replaceAll('_', ' ');
  if (!Array.isArray(value)) return [[label, textOf(value)]];
  return value.length === 0 ? [[label, 'none']] : value.map((one) => [label, textOf(one)]);
};

const textOf = (value: unknown): string => {
  if (value === null) return 'none';
  if (typeof value === 'object') return Object.values(value).map(textOf).join('  ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** A list as lines: a header with the names of the facts, and a line per thing, aligned. */
export const columns = (list: readonly Row[]): readonly string[] => {
  const names = [...new Set(list.flatMap((row) => Object.keys(row)))];
  const header = names.map((name) => name.replaceAll('_', ' ').toUpperCase());
  const lines = [header, ...list.map((row) => names.map((name) => cellOf(row[name])))];
  const widths = names.map((_, column) => Math.max(...lines.map((cells) => cells[column]?.length ?? 0)));
  return lines.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
};

const cellOf = (value: unknown): string => (value === undefined || value === null ? '-' : textOf(value));
