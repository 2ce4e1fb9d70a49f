/** Operator commands for accounts, properties, users and tokens. */
import { allRoles } from '../shared/http/permissions.ts';
import { allOf } from '../shared/runtime/shortened.ts';
import {
  accountLoss,
  clientLoss,
  erasureLoss,
  keyLoss,
  propertyLoss,
  rulesLoss,
  userLoss,
} from './admin-losses.ts';
import {
  account,
  confirm,
  flag,
  name,
  needed,
  ofAccount,
  optional,
  property,
  username,
  type CommandGroup,
} from './admin-options.ts';

const passwordStdin = flag(
  'password-stdin',
  'read the password, 15 to 1,024 characters, from standard input, or ask for it',
  { stdinOf: 'password' },
);

const keepLinks = flag('keep-links', 'leave locations of files and links to charts open');

const roleWords = allOf(allRoles, 'or');

const ofUser = [
  optional('username', 'name', 'the user'),
  optional('account', 'number', 'number of the account'),
];

/** Commands for accounts and their properties. */
export const accountCommands: CommandGroup = {
  title: 'Accounts and properties',
  commands: [
    {
      words: 'account create',
      about: 'Make an account; with a user it also gets a property and a client id, ready to sign in',
      options: [
        name('name of the account, and of its property'),
        optional('with-user', 'name', 'user name: 3 to 100 letters, digits and _ @ . -'),
        optional('email', 'address', 'e-mail address of the user'),
        optional('first-name', 'text', 'first name of the user, "API" if not given'),
        optional('last-name', 'text', 'last name of the user, "User" if not given'),
        passwordStdin,
      ],
    },
    { words: 'account list', about: 'Show all accounts', options: [] },
    { words: 'account show', about: 'Show an account with all it has', options: [account] },
    {
      words: 'account rename',
      about: 'Give an account another name',
      options: [account, name('the new name')],
    },
    {
      words: 'account limit',
      about: 'Set how many requests a second an account may send, within 30 seconds',
      options: [
        account,
        optional('requests-per-second', 'number', 'without it, as many as every account of the stage'),
      ],
    },
    {
      words: 'account delete',
      about: 'Delete an account that has no properties, with its users, tokens and client id',
      options: [account, confirm('account')],
      loss: accountLoss,
    },
    {
      words: 'property create',
      about: 'Make a property of an account',
      options: [account, name('name of the property')],
    },
    { words: 'property list', about: 'Show the properties of all accounts, or of one', options: [ofAccount] },
    {
      words: 'property rename',
      about: 'Give a property another name',
      options: [property, name('the new name')],
    },
    { words: 'property show', about: 'Show a property with its rules', options: [property] },
    {
      words: 'property set',
      about: 'Set what a property keeps of people, and for how long; 0 ends a rule',
      options: [
        property,
        optional('profile-months', 'number', 'forget profiles that nothing has renewed for so many months', {
          mayBeZero: true,
        }),
        optional('file-days', 'number', 'delete files and reports after so many days, instead of 30', {
          mayBeZero: true,
        }),
        optional(
          'special-categories',
          'on|off',
          'off: ethnicity and ages under 18 make no segments, and exports leave them empty',
        ),
        optional(
          'search-names',
          'on|off',
          'on: people are found by last name, for a write unit a new person',
        ),
      ],
      loss: rulesLoss,
    },
    {
      words: 'property delete',
      about: 'Delete a property with all it has, for good; it tells when to run it once more',
      options: [property, confirm('property')],
      loss: propertyLoss,
    },
    { words: 'client create', about: 'Give an account its one client id', options: [account] },
    {
      words: 'client rotate',
      about: 'Give an account another client id; nobody signs in with the old one any more',
      options: [account],
      loss: clientLoss,
    },
  ],
};

/** Commands for users, their SSH keys, and their tokens; a token with a name is a key. */
export const userCommands: CommandGroup = {
  title: 'Users, keys and tokens',
  commands: [
    {
      words: 'user create',
      about: 'Make an API user; a password is made and shown once, unless it is given',
      options: [
        account,
        needed('username', 'name', '3 to 100 letters, digits and _ @ . -'),
        needed('email', 'address', 'e-mail address'),
        optional('first-name', 'text', 'first name, "API" if not given', { fallback: 'API' }),
        optional('last-name', 'text', 'last name, "User" if not given', { fallback: 'User' }),
        optional('role', 'role', `${roleWords}; "owner" if not given`),
        passwordStdin,
      ],
    },
    {
      words: 'user role',
      about: 'Give a user another role; within 30 seconds no token may do more than it',
      options: [username, needed('role', 'role', roleWords)],
    },
    {
      words: 'user show',
      about: 'Show a user, and the imports and exports that the user made or that mail the user',
      options: [username],
    },
    { words: 'user list', about: 'Show the users of all accounts, or of one', options: [ofAccount] },
    {
      words: 'user password',
      about:
        'Give a user another password, made and shown once unless it is given; ends tokens, keys, mail and links',
      options: [username, passwordStdin, keepLinks],
    },
    {
      words: 'user disable',
      about: 'Shut a user out: no new login; tokens die within 30 seconds; ends mail and links',
      options: [username, keepLinks],
    },
    {
      words: 'user enable',
      about: 'Let a disabled user sign in again',
      options: [username],
    },
    {
      words: 'user delete',
      about:
        'Delete a user for good; tokens die within 30 seconds; ends mail and links, and erases the names',
      options: [username, keepLinks],
      loss: userLoss,
    },
    {
      words: 'user erase',
      about: 'After a restore, take back again what a user who is gone has left: mail, links and names',
      options: [
        account,
        needed('user', 'number', 'id of the user, as the audit log has it'),
        needed('email', 'address', 'address that the user had'),
        keepLinks,
      ],
      loss: erasureLoss,
    },
    {
      words: 'user key add',
      about: 'Let a user log in over SFTP with an SSH key; with several, one a line',
      options: [
        username,
        optional('key', 'text', 'public key, as in authorized_keys'),
        optional('key-file', 'path', 'file that holds it: ~/.ssh/id_ed25519.pub', { fileOf: 'key' }),
      ],
      oneOf: ['key', 'key-file'],
    },
    { words: 'user key list', about: 'Show the SSH keys of a user', options: [username] },
    {
      words: 'user key remove',
      about: 'Take an SSH key from a user; it opens nothing from the next login on',
      options: [username, needed('fingerprint', 'SHA256:…', 'as "user key list" shows it')],
      loss: keyLoss,
    },
    {
      words: 'token list',
      about: 'Show the tokens and keys of a user or an account that are good: their ids, never the tokens',
      options: ofUser,
      oneOf: ['username', 'account'],
    },
    {
      words: 'token revoke',
      about: 'Revoke one token or key, or all of a user or an account; they are dead within 30 seconds',
      options: [
        ...ofUser,
        optional('id', 'id', 'as "token list" shows it'),
        optional('token', 'token', 'the token'),
      ],
      oneOf: ['username', 'account', 'id', 'token'],
    },
  ],
};
