import type { Entry } from './directories.ts';

const DIRECTORY = 0o40_755;
const FILE = 0o100_644;

/** SFTP attributes of an entry. Times are in seconds. */
export const attributesOf = ({ directory, size, modified }: Entry) => {
  const seconds = Math.floor(modified / 1000);
  return { mode: directory ? DIRECTORY : FILE, uid: 0, gid: 0, size, atime: seconds, mtime: seconds };
};

/** The answer to a directory listing: one entry with its name and attributes. */
export const nameOf = (entry: Entry) => ({
  filename: entry.name,
  longname: longName(entry),
  attrs: attributesOf(entry),
});

/** A line as `ls -l` prints it. Clients show the line unchanged. */
const longName = ({ name, directory, size, modified }: Entry): string => {
  const time = new Date(modified).toISOString().slice(0, 16).replace('T', ' ');
  return `${directory ? 'drwxr-xr-x' : '-rw-r--r--'}   1 -        -        ${String(size).padStart(12)} ${time} ${name}`;
};
