/** SFTP probe: tests a server as a push uses it: connects, logs in, puts a small file there and removes it. */
import type { PrivateTargets } from '../webhooks/addresses.ts';
import type { Resolve } from '../webhooks/checked-addresses.ts';
import { putSteps } from './attempt.ts';
import { SftpRefusedError, type SftpSession } from './connect.ts';
import { pathIn } from './directories.ts';
import { failureOf, type SftpFailure, type SftpStep } from './failure.ts';
import { olderPath } from './give-name.ts';
import type { HostKeyPin } from './host-key.ts';
import type { OutgoingUpload, PutWay } from './outgoing.ts';
import { openPinned, type SftpTarget } from './pinned-session.ts';
import { putFile } from './put-file.ts';
import { NO_SUCH_FILE, refusalOf, requestsOf, type SftpRequests } from './requests.ts';
import { temporaryPath } from './temporary-file.ts';
import { sha256 } from '../runtime/hash.ts';

const sessionSteps = ['connect', 'host_key', 'login', 'session'] as const;

/** The steps of a probe, in order. */
const probeSteps = [...sessionSteps, ...putSteps, 'remove'] as const;
export type ProbeStep = (typeof probeSteps)[number];

/** The steps of a probe of a server that takes files in this way. */
export const probeStepsOf = ({ temporaryName, verify }: PutWay): readonly ProbeStep[] =>
  probeSteps.filter((step) => {
    if (step === 'rename') return temporaryName === 'rename';
    return (step !== 'look' && step !== 'verify') || verify === 'size';
  });

/** The outcome of a probe: the step that failed and its reason, and the host key that the server showed. */
export interface ProbeOutcome {
  readonly failed: (SftpFailure & { readonly step: ProbeStep }) | undefined;
  readonly hostKey: HostKeyPin | undefined;
  /** The server took the file once it was closed, as it will take the files of pushes. */
  readonly isTaken: boolean;
  /** The path of the file of the probe, if the server refused to remove it. */
  readonly left: string | undefined;
}

/** The file that a probe puts on the server and removes; a missing directory is made, as a push makes it. */
export interface ProbeFile extends Pick<OutgoingUpload, 'name' | 'directory'> {
  /** Whether files of later runs replace this file, so that the probe also replaces its file. */
  readonly isReplaced: boolean;
}

/** Tests a server. */
export type SftpProbe = (target: SftpTarget, file: ProbeFile) => Promise<ProbeOutcome>;

/** Longest waits (milliseconds). Four addresses, the login and one silent request stay below the 29 s of an HTTP request. */
const CONNECT_MS = 2_500;
const LOGIN_MS = 6_000;
const IDLE_MS = 6_000;

const content = Buffer.from('This file tests whether an export can be written here. It may be removed.\n');

const uploadOf = ({ name, directory }: ProbeFile): OutgoingUpload => ({
  name,
  directory,
  bytes: content.length,
  sha256: sha256(content),
  isSuperseded: () => Promise.resolve(false),
  async *read(from, to) {
    await Promise.resolve();
    yield content.subarray(from, to);
  },
});

/** A probe that connects only to checked addresses. */
export const sftpProbe =
  ({ resolve, privateTargets }: { resolve: Resolve; privateTargets: PrivateTargets }): SftpProbe =>
  async (target, file) => {
    const times = { connectMs: CONNECT_MS, loginMs: LOGIN_MS, idleMs: IDLE_MS };
    const upload = uploadOf(file);
    let session: SftpSession | undefined;
    let step: SftpStep = 'connect';
    try {
      session = await openPinned(target, { resolve, privateTargets, ...times });
      const sftp = requestsOf(session.sftp);
      const put = () =>
        putFile(sftp, upload, {
          way: target.way,
          clock: () => 0,
          until: Infinity,
          random: () => 0,
          onReadBack: () => undefined,
          onStep: (next) => (step = next),
        });
      try {
        const outcome = await put();
        // A server that takes files leaves nothing to replace.
        if (file.isReplaced && outcome === 'sent') await put();
        step = 'remove';
        const left = await leftOf(sftp, pathIn(upload.directory, upload.name));
        return { failed: undefined, hostKey: session.hostKey, isTaken: outcome === 'taken', left };
      } catch (error) {
        if (step !== 'remove') await clearUp(sftp, upload);
        throw error;
      }
    } catch (error) {
      const hostKey = session?.hostKey ?? (error instanceof SftpRefusedError ? error.hostKey : undefined);
      const failure = failureOf(error, step);
      const at = failure.step === 'address' ? 'connect' : failure.step;
      return { failed: { ...failure, step: at }, hostKey, isTaken: false, left: undefined };
    } finally {
      session?.close();
    }
  };

/** Removes a file; returns its path if the server refuses. */
const leftOf = async (sftp: SftpRequests, path: string): Promise<string | undefined> => {
  const refusal = await refusalOf(sftp.remove(path));
  return refusal === undefined || refusal.code === NO_SUCH_FILE ? undefined : path;
};

/** Removes what a failed probe left, as far as the server lets it. */
const clearUp = async (sftp: SftpRequests, upload: OutgoingUpload): Promise<void> => {
  const paths = [temporaryPath(upload), olderPath(upload), pathIn(upload.directory, upload.name)];
  // A connection that broke has failed the probe already.
  await Promise.allSettled(paths.map((path) => sftp.remove(path)));
};
