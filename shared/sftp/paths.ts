/**
 * Where files of SFTP lie in the uploads bucket: `sftp/<account>/<property>/imports/<import>/<file name>`. The account comes
 * first, so that one prefix is all that its users may touch. The name is the client's own text: SFTP shows it again.
 */

const dropKey = /^sftp\/(\d{1,16})\/(\d{1,16})\/imports\/(\d{1,16})\/([^/]+)$/;

/** Everything an account's users can see. */
export const accountPrefix = (account: number): string => `sftp/${account}/`;

/** Everything that lies in the directories of a property. */
export const propertyPrefix = (account: number, property: number): string =>
  `${accountPrefix(account)}${property}/`;

/** The import directories of a property. */
export const importsPrefix = (account: number, property: number): string =>
  `${propertyPrefix(account, property)}imports/`;

/** The directory of a definition. An empty object of this name makes it show while no file is in it. */
export const importPrefix = (account: number, property: number, importId: number): string =>
  `${importsPrefix(account, property)}${importId}/`;

/** A file in the directory of a definition. */
export interface DroppedFile {
  readonly account: number;
  readonly property: number;
  readonly import: number;
  readonly name: string;
}

/** The file of a key; `undefined` for what is in no directory of a definition, and for the directories themselves. */
export const parseDropKey = (key: string): DroppedFile | undefined => {
  const [, account, property, importId, name] = dropKey.exec(key) ?? [];
  if (name === undefined) return undefined;
  return { account: Number(account), property: Number(property), import: Number(importId), name };
};

/** The account in whose folder a key is; `undefined` for keys outside the folders of accounts. */
export const accountOfKey = (key: string): number | undefined => {
  const [, account] = /^sftp\/(\d{1,16})\//.exec(key) ?? [];
  return account === undefined ? undefined : Number(account);
};

/** The key in a path of Transfer Family's events, `/<bucket>/<key>`. */
export const keyOfPath = (path: string): string => path.replace(/^\/[^/]+\//, '');

/**
 * Whether a name is one that clients give a file they are still sending: with a dot before it, or with one of the endings of
 * WinSCP, browsers and rsync-like tools, or the `~` of editors. Such a file waits until it is renamed.
 */
export const isTemporaryName = (name: string): boolean =>
  /^\.|\.(filepart|part|partial|tmp|temp)$|~$/i.test(name);
