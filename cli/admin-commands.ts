/** Operator command line: turns arguments into the payload of the operator function. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { nearest } from '../shared/http/did-you-mean.ts';
import { commandGroups, commands } from './admin-command-list.ts';
import type { Loss } from './admin-losses.ts';
import type { CommandUse, OptionUse } from './admin-options.ts';

/** The payload of the operator function. */
export type Payload = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** The meaning of a command line. */
export type AdminRequest =
  | {
      readonly kind: 'help';
      /** The first words of the commands to explain; empty for an overview of all commands. */
      readonly words: string;
    }
  | { readonly kind: 'wrong'; readonly message: string }
  | {
      readonly kind: 'run';
      readonly payload: Payload;
      readonly stage: string | undefined;
      readonly region: string | undefined;
      readonly profile: string | undefined;
      readonly json: boolean;
      readonly words: string;
      /** What the command would take away for good; undefined if it takes away nothing. */
      readonly loss: Loss | undefined;
      /** Whether the operator agrees to a destructive command in advance. */
      readonly yes: boolean;
      /** Member of the payload that comes from standard input. */
      readonly stdin?: string;
    };

/** Options of every command. */
const common = {
  stage: { type: 'string' },
  region: { type: 'string' },
  profile: { type: 'string' },
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** Reads the arguments behind `npm run admin --`. */
export const readArguments = (args: readonly string[]): AdminRequest => {
  const own = Object.fromEntries(
    commands.flatMap(({ options }) =>
      options.map(({ name, value }) => [name, { type: value === undefined ? 'boolean' : 'string' } as const]),
    ),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { ...own, ...common },
      allowPositionals: true,
    });
    const given = new Map(Object.entries(values).map(([key, value]) => [key, String(value)]));
    for (const name of Object.keys(common)) given.delete(name);
    const asked = positionals.join(' ');
    if (values.help === true || asked === '') return { kind: 'help', words: asked };
    const command = commands.find(({ words }) => words === asked);
    if (!command) return { kind: 'wrong', message: noCommand(asked) };
    const payload = payloadOf(command, given);
    if (typeof payload === 'string') return { kind: 'wrong', message: payload };
    const stdin = command.options.find(
      ({ name, stdinOf }) => stdinOf !== undefined && given.has(name),
    )?.stdinOf;
    const { stage, region, profile } = values;
    const run = {
      kind: 'run',
      payload,
      stage,
      region,
      profile,
      json: values.json === true,
      words: command.words,
      loss: command.loss,
      yes: values.yes === true,
    } as const;
    return stdin === undefined ? run : { ...run, stdin };
  } catch (error) {
    return { kind: 'wrong', message: sentenceOf(error, args) };
  }
};

const noCommand = (asked: string): string => {
  const all = commands.map(({ words }) => words);
  const meant = all.find((words) => words.startsWith(`${asked} `)) ?? nearest(asked, all);
  const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return `There is no command "${asked}"; --help lists them.${hint}`;
};

/** A sentence for an error of the parser, which explains unknown options with rules of its own syntax. */
const sentenceOf = (error: unknown, args: readonly string[]): string => {
  if (!(error instanceof Error)) return String(error);
  const unknown = /^Unknown option '--?([^']+)'/.exec(error.message)?.[1];
  if (unknown === undefined) return error.message;
  const words = args
    .slice(
      0,
      args.findIndex((word) => word.startsWith('-')),
    )
    .join(' ');
  const command = commands.find((one) => one.words === words);
  const names = [...(command?.options.map(({ name }) => name) ?? []), ...Object.keys(common)];
  const meant = nearest(unknown, names);
  const hint = meant === undefined ? '--help lists its options' : `did you mean --${meant}?`;
  return `${command ? `"${words}"` : 'admin'} has no option --${unknown}; ${hint}`.replace(/[^?]$/, '$&.');
};

/** The payload of the operator function, or a sentence about the mistake. */
const payloadOf = (command: CommandUse, given: ReadonlyMap<string, string>): Payload | string => {
  const { words, options, oneOf } = command;
  const stray = [...given.keys()].find((key) => !options.some((option) => option.name === key));
  if (stray !== undefined) return `"${words}" has no option --${stray}; --help lists its options.`;
  const missing = options.find((option) => option.required === true && !given.has(option.name));
  if (missing) return `"${words}" needs ${usageOf(missing)}: ${missing.about}.`;
  const notNumber = options.find(({ name, value, mayBeZero = false }) => {
    const form = mayBeZero ? /^(?:0|[1-9]\d*)$/ : /^[1-9]\d*$/;
    return value === 'number' && given.has(name) && !form.test(given.get(name) ?? '');
  });
  if (notNumber) return `--${notNumber.name} takes a number.`;
  if (oneOf && oneOf.filter((name) => given.has(name)).length !== 1)
    return `"${words}" needs one of ${oneOf.map((name) => `--${name}`).join(', ')}.`;
  const fields = options.flatMap((option) => {
    const value = given.get(option.name) ?? option.fallback;
    if (value === undefined || option.stdinOf !== undefined) return [];
    if (option.fileOf !== undefined) return [[option.fileOf, readFileSync(value, 'utf8')] as const];
    return [[option.name.replaceAll('-', '_'), valueOf(option, value)] as const];
  });
  return { command: words.replaceAll(' ', '.'), ...Object.fromEntries(fields) };
};

const valueOf = ({ value }: OptionUse, text: string): Payload[string] => {
  if (value === undefined) return true;
  if (value === 'number') return Number(text);
  return value === 'names' ? text.split(',').map((part) => part.trim()) : text;
};

/** The help: an overview of all commands, or the commands that begin with some words, with their options. */
export const help = (words: string): string => {
  const asked = commands.filter((one) => one.words === words || one.words.startsWith(`${words} `));
  const lines = asked.length > 0 ? asked.flatMap(withOptions) : overview();
  return [
    'Usage: npm run admin -- <command> [options]',
    '',
    ...lines,
    'For every command:',
    '    --stage <name>           a stage in AWS, such as dev or prod; without it the running local service',
    '    --region <name>          region of the stage; without it that of AWS_REGION or the profile',
    '    --profile <name>         profile of the AWS configuration',
    '    --yes                    go on without a question where a command in AWS cannot be undone',
    '    --json                   answer as JSON',
    '    --help                   this text; behind a command, the options of the command',
  ].join('\n');
};

const overview = (): readonly string[] =>
  commandGroups.flatMap((group) => [
    `${group.title}:`,
    ...group.commands.map(({ words, about }) => `  ${words.padEnd(20)} ${about}`),
    '',
  ]);

const withOptions = ({ words, about, options }: CommandUse): readonly string[] => [
  `  ${words.padEnd(20)} ${about}`,
  ...options.map(
    (option) =>
      `    ${usageOf(option).padEnd(24)} ${option.about}${option.required === true ? '' : ' (optional)'}`,
  ),
  '',
];

const usageOf = ({ name, value }: OptionUse): string =>
  value === undefined ? `--${name}` : `--${name} <${value}>`;
