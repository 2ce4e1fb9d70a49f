/** Operator commands: the shape of a command and the options that many commands have. */
import type { Loss } from './admin-losses.ts';

/** One option of a command. */
export interface OptionUse {
  readonly name: string;
  /**
   * The value of the option, as the help shows it. The service receives a `number` as a number. Commas separate `names`, and
   * the service receives a list of them. An option without a value is passed as true.
   */
  readonly value?: string;
  readonly about: string;
  readonly required?: boolean;
  /** A number that may be 0. */
  readonly mayBeZero?: boolean;
  readonly fallback?: string;
  /** Names a file. The service receives its text under this name. */
  readonly fileOf?: string;
  /** The service receives standard input under this name. */
  readonly stdinOf?: string;
}

type Further = Pick<OptionUse, 'mayBeZero' | 'fallback' | 'fileOf' | 'stdinOf'>;

/** An option that a command needs. */
export const needed = (name: string, value: string, about: string): OptionUse => ({
  name,
  value,
  about,
  required: true,
});

/** An option that may be left out. */
export const optional = (name: string, value: string, about: string, further: Further = {}): OptionUse => ({
  name,
  value,
  about,
  ...further,
});

/** An option without a value. */
export const flag = (name: string, about: string, further: Further = {}): OptionUse => ({
  name,
  about,
  ...further,
});

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

export const account = needed('account', 'number', 'number of the account');
export const property = needed('property', 'number', 'number of the property');
export const username = needed('username', 'name', 'the user');
export const name = (about: string): OptionUse => needed('name', 'text', about);
export const ofAccount = optional('account', 'number', 'number of the account; all accounts if not given');

export const confirm = (thing: string): OptionUse =>
  needed('confirm', 'text', `number or name of the ${thing}, once more`);
