/** Give name: renames a file to its final name, so that an older file of that name is either there or replaced. */
import { pathIn } from './directories.ts';
import type { OutgoingUpload } from './outgoing.ts';
import { refusalOf, type SftpRequests } from './requests.ts';

/** The path of an older file while a newer file gets its name. It does not depend on the newer file, so any later push finds it. */
export const olderPath = ({ directory, name }: Pick<OutgoingUpload, 'directory' | 'name'>): string =>
  pathIn(directory, `.${name}.older.part`);

/** The file was closed, and is gone: a workflow of the server took it. */
export class FileTakenError extends Error {
  override readonly name = 'FileTakenError';

  constructor() {
    super('the file was gone once it was closed: the server takes files under their temporary name');
  }
}

interface Naming {
  readonly from: string;
  readonly to: string;
  /** Where an older file waits; `undefined` when nobody may look at files, so nothing tells an older file from none. */
  readonly aside: string | undefined;
}

/**
 * Renames a file, and replaces an older file with the name: in one step where the server can. Elsewhere the older file
 * is moved aside, and back if the newer file does not get the name. It is removed only once the newer file has its name.
 * If the process dies in between, `restoreOlder` of the next push repairs. Throws `SftpFailedError`, `FileTakenError`.
 */
export const giveName = async (
  sftp: SftpRequests,
  { from, to, aside }: Naming,
): Promise<'named' | 'older_left'> => {
  if (!(await refusalOf(sftp.replace(from, to)))) return 'named';
  const refusal = await refusalOf(sftp.rename(from, to));
  if (!refusal) return 'named';
  if (aside === undefined) throw refusal;
  if ((await sftp.sizeOf(from)) === undefined) throw new FileTakenError();
  if ((await sftp.sizeOf(to)) === undefined) throw refusal;
  if (await refusalOf(sftp.rename(to, aside))) throw refusal;
  const second = await refusalOf(sftp.rename(from, to));
  if (second) {
    await refusalOf(sftp.rename(aside, to));
    throw second;
  }
  return (await refusalOf(sftp.remove(aside))) ? 'older_left' : 'named';
};

/** Puts an older file back that an interrupted push moved aside; removes it if a newer file has its name. */
export const restoreOlder = async (
  sftp: SftpRequests,
  file: Pick<OutgoingUpload, 'directory' | 'name'>,
): Promise<void> => {
  const aside = olderPath(file);
  if ((await sftp.sizeOf(aside)) === undefined) return;
  const to = pathIn(file.directory, file.name);
  const isNamed = (await sftp.sizeOf(to)) !== undefined;
  await refusalOf(isNamed ? sftp.remove(aside) : sftp.rename(aside, to));
};
