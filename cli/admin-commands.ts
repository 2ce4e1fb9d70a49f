/** The operator's commands: what may be written on the command line, and what is asked of the service for it. */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** One option of a command. */
interface OptionUse {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  readonly required?: boolean;
  /** Given to the service as a number. */
  readonly number?: boolean;
  /** Several, with commas between them; given to the service as a list. */
  readonly list?: boolean;
  /** Takes no value: given to the service as true. */
  readonly flag?: boolean;
  readonly fallback?: string;
  /** Names a file whose text is given to the service under this name. */
  readonly fileOf?: string;
}

/** One command, of one to three words. */
interface CommandUse {
  readonly words: string;
  readonly about: string;
  readonly options: readonly OptionUse[];
}

const account: OptionUse = {
  name: 'account',
  value: 'number',
  about: 'number of the account',
  required: true,
  number: true,
};
const name = (about: string): OptionUse => ({ name: 'name', value: 'text', about, required: true });
const property: OptionUse = {
  name: 'property',
  value: 'number',
  about: 'number of the property',
  required: true,
  number: true,
};
const importDefinition: readonly OptionUse[] = [
  property,
  { name: 'import', value: 'number', about: 'number of the import definition', required: true, number: true },
];

const enricher: readonly OptionUse[] = [property, name('name of the enricher: a-z, 0-9, _ and -')];

const username: OptionUse = { name: 'username', value: 'name', about: 'the user', required: true };

const commands: readonly CommandUse[] = [
  { words: 'account create', about: 'Make an account', options: [name('name of the account')] },
  { words: 'account show', about: 'Show an account with all it has', options: [account] },
  {
    words: 'property create',
    about: 'Make a property of an account',
    options: [account, name('name of the property')],
  },
  { words: 'client create', about: 'Give an account its one client id', options: [account] },
  {
    words: 'user create',
    about: 'Make an API user; without --password one is made and shown once',
    options: [
      account,
      { name: 'username', value: 'name', about: '3 to 100 letters, digits and _ @ . -', required: true },
      { name: 'email', value: 'address', about: 'e-mail address', required: true },
      { name: 'first-name', value: 'text', about: 'first name, "API" if not given', fallback: 'API' },
      { name: 'last-name', value: 'text', about: 'last name, "User" if not given', fallback: 'User' },
      { name: 'password', value: 'text', about: '1 to 1,024 characters' },
    ],
  },
  {
    words: 'user key add',
    about: 'Let a user log in over SFTP with an SSH key; with several, one a line',
    options: [
      username,
      { name: 'key', value: 'text', about: 'public key, as in authorized_keys' },
      { name: 'key-file', value: 'path', about: 'file that holds it: ~/.ssh/id_ed25519.pub', fileOf: 'key' },
    ],
  },
  {
    words: 'user key remove',
    about: 'Take an SSH key from a user; it opens nothing from the next login on',
    options: [
      username,
      { name: 'fingerprint', value: 'SHA256:…', about: 'as "user key list" shows it', required: true },
    ],
  },
  { words: 'user key list', about: 'Show the SSH keys of a user', options: [username] },
  {
    words: 'import grant',
    about: 'Trust what an import brings as much as a source that clients cannot name',
    options: [
      ...importDefinition,
      {
        name: 'tier',
        value: 'name',
        about: 'professional_network, social_network, provider_1, provider_2 or provider_3',
        required: true,
      },
    ],
  },
  {
    words: 'import revoke',
    about: 'Trust what an import brings no more than its definition says',
    options: importDefinition,
  },
  {
    words: 'enricher set',
    about: 'Have people enriched by a service of yours; the secret of a new one is shown once',
    options: [
      ...enricher,
      { name: 'url', value: 'address', about: 'https address that is called', required: true },
      { name: 'asks', value: 'what', about: 'social_token or identity', required: true },
      {
        name: 'tiers',
        value: 'names',
        about: 'trust of its answers, one or more of those of "import grant", with commas',
        required: true,
        list: true,
      },
    ],
  },
  { words: 'enricher remove', about: 'Ask an enricher no more', options: enricher },
  {
    words: 'audit',
    about: 'Compare the segments of a property with its profiles',
    options: [property, { name: 'repair', value: '', about: 'set right what differs', flag: true }],
  },
  { words: 'enricher list', about: 'Show the enrichers of a property', options: [property] },
  {
    words: 'brands load',
    about: 'Load a catalogue of brands: page_id,brand,category, where a category is "A > B"',
    options: [{ name: 'file', value: 'path', about: 'CSV file; the one of the project if not given' }],
  },
  { words: 'brands show', about: 'Show which catalogue is in use, and how far the next one is', options: [] },
  {
    words: 'token revoke',
    about: 'Revoke all tokens of a user, or one; they are dead within 30 seconds',
    options: [
      { name: 'username', value: 'name', about: 'the user' },
      { name: 'token', value: 'token', about: 'the token' },
    ],
  },
];

/** What a function of the operator is called with. */
export type Payload = Readonly<Record<string, string | number | boolean | readonly string[]>>;

/** What a command line asks for. */
export type AdminRequest =
  | { readonly kind: 'help' }
  | { readonly kind: 'wrong'; readonly message: string }
  | {
      readonly kind: 'run';
      readonly payload: Payload;
      readonly stage: string | undefined;
      readonly json: boolean;
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
    for (const common of ['stage', 'json']) given.delete(common);
    const payload = payloadOf(positionals.join(' '), given);
    if (typeof payload === 'string') return { kind: 'wrong', message: payload };
    return { kind: 'run', payload, stage: values.stage, json: values.json === true };
  } catch (error) {
    return { kind: 'wrong', message: error instanceof Error ? error.message : String(error) };
  }
};

/** The payload of the operator function, or a sentence saying what is wrong. */
const payloadOf = (words: string, given: ReadonlyMap<string, string>): Payload | string => {
  const command = commands.find((known) => known.words === words);
  if (!command) return `There is no command "${words}"; --help lists them.`;
  const stray = [...given.keys()].find((key) => !command.options.some((option) => option.name === key));
  if (stray !== undefined) return `"${words}" takes no --${stray}.`;
  const missing = command.options.find((option) => option.required === true && !given.has(option.name));
  if (missing) return `"${words}" needs --${missing.name} <${missing.value}>.`;
  const notNumber = command.options.find(
    (option) => option.number === true && !/^[1-9]\d*$/.test(given.get(option.name) ?? ''),
  );
  if (notNumber) return `--${notNumber.name} takes a number.`;
  if (words === 'token revoke' && given.size !== 1)
    return '"token revoke" needs either --username or --token.';
  if (words === 'user key add' && given.has('key') === given.has('key-file'))
    return '"user key add" needs either --key or --key-file.';
  const fields = command.options.flatMap((option) => {
    const value = given.get(option.name) ?? option.fallback;
    if (value === undefined) return [];
    if (option.fileOf !== undefined) return [[option.fileOf, readFileSync(value, 'utf8')] as const];
    return [[option.name.replace('-', '_'), valueOf(option, value)] as const];
  });
  return { command: commandName(words, given), ...Object.fromEntries(fields) };
};

const valueOf = ({ number, list, flag }: OptionUse, text: string): Payload[string] => {
  if (flag === true) return true;
  if (number === true) return Number(text);
  return list === true ? text.split(',').map((part) => part.trim()) : text;
};

const commandName = (words: string, given: ReadonlyMap<string, string>): string =>
  words === 'token revoke' && given.has('username') ? 'tokens.revoke' : words.replaceAll(' ', '.');

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
    '    --stage <name>           local, dev or prod; without it the running local service, else dev',
    '    --json                   answer as JSON',
    '    --help                   this text',
  ].join('\n');
};
