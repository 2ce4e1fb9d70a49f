import type { Entry } from './directories.ts';

const DIRECTORY = 0o40_755;
const FILE = 0o100_644;

/** Attributes of an entry as SFTP carries them; times in seconds. */
export const attributesOf = ({ directory, size, modified }: Entry) => {
  const seconds = Math.floor(modified / 1000);
  return { mode: directory ? DIRECTORY : FILE, uid: 0, gid: 0, size, atime: seconds, mtime: seconds };
};

/** A line as `ls -l` prints it: clients show it as it is. */
export const longName = ({ name, directory, size, modified }: Entry): string => {
  const time = new Date(modified).toISOString().slice(0, 16).replace('T', ' ');
  return `${directory ? 'drwxr-xr-x' : '-rw-r--r--'}   1 -        -        ${String(size).padStart(12)} ${time} ${name}`;
};
