/**
 * SFTP paths: keys of dropped files in the uploads bucket, `sftp/<account>/<property>/imports/<import>/<file name>`.
 * The file name is the client's own text, because SFTP shows it again.
 */
import { propertyDropsOf } from '../properties/folders.ts';

const dropKey = /^sftp\/(\d{1,16})\/(\d{1,16})\/imports\/(\d{1,16})\/([^/]+)$/;

/** Prefix of the import directories of a property. */
export const importsPrefix = (account: number, property: number): string =>
  `${propertyDropsOf(account, property)}imports/`;

/** Directory of a definition. An empty object with this key makes an empty directory visible. */
export const importPrefix = (account: number, property: number, importId: number): string =>
  `${importsPrefix(account, property)}${importId}/`;

/** A file in the directory of a definition. */
export interface DroppedFile {
  readonly account: number;
  readonly property: number;
  readonly import: number;
  readonly name: string;
}

/**
 * Parses the key of a file; `undefined` for a key outside the directories of definitions, and for the directories
 * themselves.
 */
export const parseDropKey = (key: string): DroppedFile | undefined => {
  const [, account, property, importId, name] = dropKey.exec(key) ?? [];
  if (name === undefined) return undefined;
  return { account: Number(account), property: Number(property), import: Number(importId), name };
};

/** The account of a key; `undefined` for keys outside the folders of accounts. */
export const accountOfKey = (key: string): number | undefined => {
  const [, account] = /^sftp\/(\d{1,16})\//.exec(key) ?? [];
  return account === undefined ? undefined : Number(account);
};

/** The key in a path of Transfer Family's events, `/<bucket>/<key>`. */
export const keyOfPath = (path: string): string => path.replace(/^\/[^/]+\//, '');

/**
 * Whether a file name is temporary, as clients name a file during the upload: it begins with a dot, has an ending of
 * WinSCP, browsers or rsync-like tools, or ends with the `~` of editors. Such a file waits until the client renames it.
 */
export const isTemporaryName = (name: string): boolean =>
  /^\.|\.(filepart|part|partial|tmp|temp)$|~$/i.test(name);
