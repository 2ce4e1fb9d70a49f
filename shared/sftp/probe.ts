/** SFTP probe: tests a server as a push would use it: connects, logs in, writes a small file and removes it. */
import type { PrivateTargets } from '../webhooks/addresses.ts';
import type { Resolve } from '../webhooks/checked-addresses.ts';
import { SftpRefusedError, UNREACHABLE, type SftpSession } from './connect.ts';
import { openIn, pathIn } from './directories.ts';
import type { OutgoingUpload } from './outgoing.ts';
import type { HostKeyPin } from './host-key.ts';
import { openPinned, type SftpTarget } from './pinned-session.ts';
import { requestsOf, SftpFailedError } from './requests.ts';

/** The steps of a probe, in order. */
export const probeSteps = ['connect', 'host_key', 'login', 'session', 'write', 'remove'] as const;
export type ProbeStep = (typeof probeSteps)[number];

/** The outcome of a probe: the step that failed and its reason, and the host key that the server showed. */
export interface ProbeOutcome {
  readonly failed: { readonly step: ProbeStep; readonly reason: string } | undefined;
  readonly hostKey: HostKeyPin | undefined;
}

/** The file that a probe writes and removes; a missing directory is made, as a push makes it. */
export type ProbeFile = Pick<OutgoingUpload, 'name' | 'directory'>;

/** Tests a server. */
export type SftpProbe = (target: SftpTarget, file: ProbeFile) => Promise<ProbeOutcome>;

/** Longest waits (milliseconds). Four addresses, the login and one silent request stay below the 29 s of an HTTP request. */
const CONNECT_MS = 2_500;
const LOGIN_MS = 6_000;
const IDLE_MS = 6_000;

const content = Buffer.from('This file tests whether an export can be written here. It may be removed.\n');

/** A probe that connects only to checked addresses. */
export const sftpProbe =
  ({ resolve, privateTargets }: { resolve: Resolve; privateTargets: PrivateTargets }): SftpProbe =>
  async (target, { name, directory }) => {
    const path = pathIn(directory, name);
    const times = { connectMs: CONNECT_MS, loginMs: LOGIN_MS, idleMs: IDLE_MS };
    let session: SftpSession | undefined;
    let step: ProbeStep = 'connect';
    try {
      session = await openPinned(target, { resolve, privateTargets, ...times });
      const sftp = requestsOf(session.sftp);
      step = 'write';
      const handle = await openIn(sftp, directory, { path, flags: 'w' });
      await sftp.write(handle, content, 0);
      await sftp.close(handle);
      step = 'remove';
      await sftp.remove(path);
      return { failed: undefined, hostKey: session.hostKey };
    } catch (error) {
      const hostKey = session?.hostKey ?? (error instanceof SftpRefusedError ? error.hostKey : undefined);
      return { failed: failureOf(error, step), hostKey };
    } finally {
      session?.close();
    }
  };

/** The failure of an expected error. Other errors are thrown: they are bugs, or failures of our own stores. */
const failureOf = (error: unknown, step: ProbeStep): { step: ProbeStep; reason: string } => {
  if (error instanceof SftpRefusedError)
    return { step: error.step === 'address' ? 'connect' : error.step, reason: error.message };
  if (error instanceof SftpFailedError) return { step, reason: error.message };
  if (error instanceof Error && 'syscall' in error && error.syscall === 'getaddrinfo')
    return { step: 'connect', reason: UNREACHABLE };
  throw error;
};
