/** Operator commands: the words and options of each command on the command line. */

/** One option of a command. */
export interface OptionUse {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  readonly required?: boolean;
  /** Passed to the service as a number. */
  readonly number?: boolean;
  /** Several values, separated by commas; passed to the service as a list. */
  readonly list?: boolean;
  /** Takes no value; passed to the service as true. */
  readonly flag?: boolean;
  readonly fallback?: string;
  /** Names a file. The service receives its text under this name. */
  readonly fileOf?: string;
  /** A flag. The service receives standard input under this name. */
  readonly stdinOf?: string;
}

/** One command, of one to three words. */
export interface CommandUse {
  readonly words: string;
  readonly about: string;
  readonly options: readonly OptionUse[];
  /** Options of which the user must give exactly one. */
  readonly oneOf?: readonly string[];
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
const confirm = (thing: string): OptionUse => ({
  name: 'confirm',
  value: 'text',
  about: `number or name of the ${thing}, once more`,
  required: true,
});
const importDefinition: readonly OptionUse[] = [
  property,
  { name: 'import', value: 'number', about: 'number of the import definition', required: true, number: true },
];

const enricher: readonly OptionUse[] = [property, name('name of the enricher: a-z, 0-9, _ and -')];

const passwordStdin: OptionUse = {
  name: 'password-stdin',
  value: '',
  about: 'read the password, 15 to 1,024 characters, from standard input, or ask for it',
  flag: true,
  stdinOf: 'password',
};

const username: OptionUse = { name: 'username', value: 'name', about: 'the user', required: true };

/** All commands, in the order of the help. */
export const commands: readonly CommandUse[] = [
  {
    words: 'account create',
    about: 'Make an account; with a user it also gets a property and a client id, ready to sign in',
    options: [
      name('name of the account, and of its property'),
      { name: 'with-user', value: 'name', about: 'user name: 3 to 100 letters, digits and _ @ . -' },
      { name: 'email', value: 'address', about: 'e-mail address of the user' },
      { name: 'first-name', value: 'text', about: 'first name of the user, "API" if not given' },
      { name: 'last-name', value: 'text', about: 'last name of the user, "User" if not given' },
      passwordStdin,
    ],
  },
  { words: 'account show', about: 'Show an account with all it has', options: [account] },
  {
    words: 'account delete',
    about: 'Delete an account that has no properties, with its users, tokens and client id',
    options: [account, confirm('account')],
  },
  {
    words: 'property create',
    about: 'Make a property of an account',
    options: [account, name('name of the property')],
  },
  {
    words: 'property delete',
    about: 'Delete a property with all it has, for good; it tells when to run it once more',
    options: [property, confirm('property')],
  },
  { words: 'client create', about: 'Give an account its one client id', options: [account] },
  {
    words: 'client rotate',
    about: 'Give an account another client id; nobody signs in with the old one any more',
    options: [account],
  },
  {
    words: 'user create',
    about: 'Make an API user; a password is made and shown once, unless it is given',
    options: [
      account,
      { name: 'username', value: 'name', about: '3 to 100 letters, digits and _ @ . -', required: true },
      { name: 'email', value: 'address', about: 'e-mail address', required: true },
      { name: 'first-name', value: 'text', about: 'first name, "API" if not given', fallback: 'API' },
      { name: 'last-name', value: 'text', about: 'last name, "User" if not given', fallback: 'User' },
      passwordStdin,
    ],
  },
  {
    words: 'user password',
    about:
      'Give a user another password, made and shown once unless it is given; tokens die within 30 seconds',
    options: [username, passwordStdin],
  },
  {
    words: 'user disable',
    about: 'Shut a user out: no new login; tokens die within 30 seconds',
    options: [username],
  },
  {
    words: 'user enable',
    about: 'Let a disabled user sign in again',
    options: [username],
  },
  {
    words: 'user delete',
    about: 'Delete a user for good; tokens die within 30 seconds',
    options: [username],
  },
  {
    words: 'user key add',
    about: 'Let a user log in over SFTP with an SSH key; with several, one a line',
    options: [
      username,
      { name: 'key', value: 'text', about: 'public key, as in authorized_keys' },
      { name: 'key-file', value: 'path', about: 'file that holds it: ~/.ssh/id_ed25519.pub', fileOf: 'key' },
    ],
    oneOf: ['key', 'key-file'],
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
  { words: 'enricher list', about: 'Show the enrichers of a property', options: [property] },
  { words: 'enricher remove', about: 'Ask an enricher no more', options: enricher },
  {
    words: 'audit',
    about: 'Compare the segments of a property with its profiles',
    options: [property, { name: 'repair', value: '', about: 'set right what differs', flag: true }],
  },
  {
    words: 'forgettings replay',
    about: 'After a restore, forget again who was forgotten since',
    options: [
      {
        name: 'since',
        value: 'time',
        about: 'time to which the table was restored (ISO 8601)',
        required: true,
      },
    ],
  },
  {
    words: 'brands load',
    about: 'Load a catalogue of brands: page_id,brand,category, where a category is "A > B"',
    options: [{ name: 'file', value: 'path', about: 'CSV file; the one of the project if not given' }],
  },
  { words: 'brands show', about: 'Show which catalogue is in use, and how far the next one is', options: [] },
  {
    words: 'token list',
    about: 'Show the tokens of a user or an account that are good: their ids, never the tokens',
    options: [
      { name: 'username', value: 'name', about: 'the user' },
      { name: 'account', value: 'number', about: 'number of the account', number: true },
    ],
    oneOf: ['username', 'account'],
  },
  {
    words: 'token revoke',
    about: 'Revoke one token, or all of a user or an account; they are dead within 30 seconds',
    options: [
      { name: 'username', value: 'name', about: 'the user' },
      { name: 'account', value: 'number', about: 'number of the account', number: true },
      { name: 'id', value: 'id', about: 'as "token list" shows it' },
      { name: 'token', value: 'token', about: 'the token' },
    ],
    oneOf: ['username', 'account', 'id', 'token'],
  },
];
