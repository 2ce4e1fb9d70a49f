import { existsSync, readFileSync } from 'node:fs';
import type { FunctionEntry, Trigger } from '../../functions/entry.ts';

/** A handler to copy, by kind of trigger. */
const examples: Readonly<Record<Trigger['kind'], string>> = {
  http: 'functions/collections/get-collection.ts',
  queue: 'functions/enrichment/enrich.ts',
  workflow: 'functions/exports/plan-export.ts',
  schedule: 'functions/segments/sweep.ts',
  invoke: 'functions/auth/operator.ts',
  identity: 'functions/sftp/authorize-sftp.ts',
  log: 'functions/sftp/record-sftp-login.ts',
};

/** The wrappers that open the deadline of an invocation (see `Deadline`), by kind of trigger. */
const wrappers: Readonly<Record<Trigger['kind'], string>> = {
  http: 'apiHandler',
  queue: 'queueHandler',
  workflow: 'taskHandler',
  schedule: 'withinInvocation',
  invoke: 'withinInvocation',
  identity: 'withinInvocation',
  log: 'withinInvocation',
};

/** Wrapper of a function's handler. */
export const wrapperOf = ({ trigger }: FunctionEntry): string => {
  if (trigger.kind !== 'http') return wrappers[trigger.kind];
  if (trigger.auth === 'none') return 'publicHandler';
  return trigger.path.includes('{property_id}') ? 'apiHandler' : 'callerHandler';
};

/** Path of the file that holds the handler of an entry. */
const handlerPath = ({ source }: FunctionEntry): string => `functions/${source}.ts`;

/** Message for a developer whose handler is missing or has no wrapper: the file and the line to write. */
export const howToWriteHandler = (name: string, entry: FunctionEntry): string => {
  const isOpen = entry.trigger.kind === 'http' && entry.trigger.auth === 'none';
  const example = isOpen ? 'functions/edge/health.ts' : examples[entry.trigger.kind];
  const route = entry.trigger.kind === 'http' ? `entries.${name}, ` : '';
  const line = `export const handler = ${wrapperOf(entry)}(${route}…`;
  return `${name}: write \`${line}\` in ${handlerPath(entry)}; copy ${example}`;
};

/**
 * Text of the file that holds the handler of an entry.
 * @throws Error with the file and the line to write when the file is missing.
 */
export const handlerSource = (name: string, entry: FunctionEntry): string => {
  const file = new URL(`../../${handlerPath(entry)}`, import.meta.url);
  if (!existsSync(file)) throw new Error(howToWriteHandler(name, entry));
  return readFileSync(file, 'utf8');
};
