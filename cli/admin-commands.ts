/** Operator command line: turns arguments into the payload of the operator function. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { commands, type CommandUse, type OptionUse } from './admin-command-list.ts';

/** The payload of the operator function. */
export type Payload = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The meaning of a command line. */
export type AdminRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | {
      readonly kind: 'run';
      readonly payload: Payload;
      readonly stage: string | undefined;
      readonly json: boolean;
      /** Member of the payload that comes from standard input. */
      readonly stdin?: string;
    };

/** Reads the arguments behind `npm run admin --`. */
export const readArguments = (args: readonly string[]): AdminRequest => {
  const common = { stage: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const own = Object.fromEntries(
    commands.flatMap(({ options }) =>
      options.map(({ name, flag }) => [name, { type: flag === true ? 'boolean' : 'string' } as const]),
    ),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...own, ...common },
      allowPositionals: true,
    });
    if (values.help === true || positionals.length === 0) return { kind: 'help' };
    const given = new Map(Object.entries(values).map(([key, value]) => [key, String(value)]));
    for (const name of Object.keys(common)) given.delete(name);
    const command = commands.find(({ words }) => words === positionals.join(' '));
    if (!command) {
      return {
        kind: 'wrong',
        message: `There is no command "${positionals.join(' ')}"; --help lists them.`,
      };
    }
    const payload = payloadOf(command, given);
    if (typeof payload === 'string') return { kind: 'wrong', message: payload };
    const stdin = command.options.find(
      ({ name, stdinOf }) => stdinOf !== undefined && given.has(name),
    )?.stdinOf;
    const run = { kind: 'run', payload, stage: values.stage, json: values.json === true } as const;
    return stdin === undefined ? run : { ...run, stdin };
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) };
  }
};

/** The payload of the operator function, or a sentence about the mistake. */
const payloadOf = (command: CommandUse, given: ReadonlyMap<string, string>): Payload | string => {
  const { words, options, oneOf } = command;
  const stray = [...given.keys()].find((key) => !options.some((option) => option.name === key));
  if (stray !== undefined) return `"${words}" takes no --${stray}.`;
  const missing = options.find((option) => option.required === true && !given.has(option.name));
  if (missing) return `"${words}" needs --${missing.name} <${missing.value}>.`;
  const notNumber = options.find(
    ({ name, number }) => number === true && given.has(name) && !/^[1-9]\d*$/.test(given.get(name) ?? ''),
  );
  if (notNumber) return `--${notNumber.name} takes a number.`;
  if (oneOf && oneOf.filter((name) => given.has(name)).length !== 1)
    return `"${words}" needs one of ${oneOf.map((name) => `--${name}`).join(', ')}.`;
  const fields = options.flatMap((option) => {
    const value = given.get(option.name) ?? option.fallback;
    if (value === undefined || option.stdinOf !== undefined) return [];
    if (option.fileOf !== undefined) return [[option.fileOf, readFileSync(value, 'utf8')] as const];
    return [[option.name.replace('-', '_'), valueOf(option, value)] as const];
  });
  return { command: words.replaceAll(' ', '.'), ...Object.fromEntries(fields) };
};

const valueOf = ({ number, list, flag }: OptionUse, text: string): Payload[string] => {
  if (flag === true) return true;
  if (number === true) return Number(text);
  return list === true ? text.split(',').map((part) => part.trim()) : text;
};

/** All commands with their options. */
export const help = (): string => {
  const lines = commands.flatMap(({ words, about, options }) => [
    `  ${words.padEnd(16)} ${about}`,
    ...options.map(
      (option) =>
        `    ${`--${option.name}${option.flag === true ? '' : ` <${option.value}>`}`.padEnd(24)} ${option.about}${option.required === true ? '' : ' (optional)'}`,
    ),
    '',
  ]);
  return [
    'Usage: npm run admin -- <command> [options]',
    '',
    ...lines,
    'For every command:',
    '    --stage <name>           local, dev or prod; without it the running local service',
    '    --json                   answer as JSON',
    '    --help                   this text',
  ].join('\n');
};
