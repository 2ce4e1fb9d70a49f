/** Operator commands: the shape of a command and the options that many commands have. */
import type { Loss } from './admin-losses.ts';

/** One option of a command. */
export interface OptionUse {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  readonly required?: boolean;
  /** Passed to the service as a number. */
  readonly number?: boolean;
  /** A number that may be 0. */
  readonly mayBeZero?: boolean;
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
  /** What no other command brings back. On a stage in AWS the command line asks first, in these words. */
  readonly loss?: Loss;
}

/** Commands of one topic, as the help shows them. */
export interface CommandGroup {
  readonly title: string;
  readonly commands: readonly CommandUse[];
}

export const account: OptionUse = {
  name: 'account',
  value: 'number',
  about: 'number of the account',
  required: true,
  number: true,
};

export const name = (about: string): OptionUse => ({ name: 'name', value: 'text', about, required: true });

export const property: OptionUse = {
  name: 'property',
  value: 'number',
  about: 'number of the property',
  required: true,
  number: true,
};

export const confirm = (thing: string): OptionUse => ({
  name: 'confirm',
  value: 'text',
  about: `number or name of the ${thing}, once more`,
  required: true,
});

export const username: OptionUse = { name: 'username', value: 'name', about: 'the user', required: true };
export const ofAccount: OptionUse = {
  name: 'account',
  value: 'number',
  about: 'number of the account; all accounts if not given',
  number: true,
};
