/** Permissions in options and in what commands show. */
import { InvalidArgumentError } from 'commander';
import { permissions } from '../src/generated/permissions.ts';
import type { Permission } from '../src/index.ts';
import { nearest } from './segments/nearest.ts';

const isPermission = (word: string): word is Permission => Object.hasOwn(permissions, word);

const allPermissions = Object.keys(permissions).filter(isPermission);

/**
 * Reads an option that may be repeated: permissions with commas or spaces between them. Throws a fault that names a similar
 * permission in place of an unknown one.
 */
export const readPermissions = (text: string, others: readonly Permission[] = []): readonly Permission[] => {
  const words = text.split(/[\s,]+/).filter((word) => word !== '');
  if (words.length === 0) throw new InvalidArgumentError('It is empty.');
  return [...new Set([...others, ...words.map(permissionOf)])];
};

const permissionOf = (word: string): Permission => {
  if (isPermission(word)) return word;
  const [near] = nearest(word, allPermissions);
  const hint =
    near === undefined ? `The permissions are ${allPermissions.join(', ')}.` : `Did you mean ${near}?`;
  throw new InvalidArgumentError(`There is no permission "${word}". ${hint}`);
};

/** Whether a token has every permission. */
export const mayEverything = (held: readonly Permission[]): boolean =>
  allPermissions.every((permission) => held.includes(permission));

/** What a token may do. */
export const permissionsText = (held: readonly Permission[]): string => {
  if (mayEverything(held)) return 'everything';
  return held.length === 0 ? 'nothing' : held.join(', ');
};

/** The properties that a token reaches; `null` is all of the account. */
export const propertiesText = (properties: readonly number[] | null): string => {
  if (properties === null) return 'all properties, also later ones';
  return `only ${properties.length === 1 ? 'property' : 'properties'} ${properties.join(', ')}`;
};

/** The lines of a help that explain the permissions. */
export const permissionLines: readonly string[] = allPermissions.map(
  (name) => `  ${name.padEnd(Math.max(...allPermissions.map(({ length }) => length)))}  ${permissions[name]}`,
);
