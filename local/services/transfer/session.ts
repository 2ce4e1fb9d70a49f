/** SFTP session: answers the requests of one client in order, as Transfer Family does on S3. */
import type { SFTPWrapper } from 'ssh2';
import {
  realPath,
  setHandleAttributes,
  setPathAttributes,
  statHandle,
  statPath,
} from './attribute-requests.ts';
import { closeFile, closeUnfinished, openFile, readFile, writeFile } from './file-requests.ts';
import { Handles } from './handles.ts';
import { refuse } from './refusal.ts';
import type { Session, SessionDeps } from './session-context.ts';
import {
  makeDirectory,
  openDirectory,
  readDirectory,
  removeDirectory,
  removeFile,
  renameFile,
} from './tree-requests.ts';

/** Runs the answer to a request once all earlier requests are answered. */
type Answer = (id: number, act: () => Promise<void> | void) => void;

/**
 * Serves one SFTP session. An upload becomes an object when the client closes the file, and the session publishes it.
 * Resolves once the session is over. Unfinished uploads become objects with the bytes so far, and the session publishes
 * them as broken.
 */
export const serveSession = (sftp: SFTPWrapper, deps: SessionDeps): Promise<void> => {
  const session: Session = { ...deps, sftp, handles: new Handles() };
  let queue = Promise.resolve();
  const answer: Answer = (id, act) => {
    queue = queue.then(act).catch((error: unknown) => refuse(sftp, id, error));
  };
  answerFiles(session, answer);
  answerAttributes(session, answer);
  answerTree(session, answer);
  return ended(sftp).then(async () => {
    await queue;
    await closeUnfinished(session);
  });
};

const answerFiles = (session: Session, answer: Answer): void => {
  const { sftp } = session;
  sftp.on('OPEN', (id, path, flags) => answer(id, () => openFile(session, id, path, flags)));
  sftp.on('CLOSE', (id, handle) => answer(id, () => closeFile(session, id, handle)));
  sftp.on('WRITE', (id, handle, offset, data) =>
    answer(id, () => writeFile(session, id, handle, offset, data)),
  );
  sftp.on('READ', (id, handle, offset, length) =>
    answer(id, () => readFile(session, id, handle, offset, length)),
  );
};

const answerAttributes = (session: Session, answer: Answer): void => {
  const { sftp } = session;
  sftp.on('STAT', (id, path) => answer(id, () => statPath(session, id, path)));
  sftp.on('LSTAT', (id, path) => answer(id, () => statPath(session, id, path)));
  sftp.on('FSTAT', (id, handle) => answer(id, () => statHandle(session, id, handle)));
  sftp.on('SETSTAT', (id, path, attributes) =>
    answer(id, () => setPathAttributes(session, id, path, attributes)),
  );
  sftp.on('FSETSTAT', (id, handle, attributes) =>
    answer(id, () => setHandleAttributes(session, id, handle, attributes)),
  );
  sftp.on('REALPATH', (id, path) => answer(id, () => realPath(session, id, path)));
};

const answerTree = (session: Session, answer: Answer): void => {
  const { sftp } = session;
  sftp.on('OPENDIR', (id, path) => answer(id, () => openDirectory(session, id, path)));
  sftp.on('READDIR', (id, handle) => answer(id, () => readDirectory(session, id, handle)));
  sftp.on('REMOVE', (id, path) => answer(id, () => removeFile(session, id, path)));
  sftp.on('RENAME', (id, from, to) => answer(id, () => renameFile(session, id, from, to)));
  sftp.on('MKDIR', (id, path) => answer(id, () => makeDirectory(session, id, path)));
  sftp.on('RMDIR', (id, path) => answer(id, () => removeDirectory(session, id, path)));
};

/** Resolves when the channel ends or closes. A lost connection closes the channel without an end. */
const ended = (sftp: SFTPWrapper): Promise<void> =>
  new Promise((resolve) => {
    sftp.once('end', resolve);
    sftp.once('close', resolve);
  });
