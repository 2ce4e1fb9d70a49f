import 'ssh2';

/** A part of ssh2 without public types: the channel of an SFTP session, which carries the exit status. */
declare module 'ssh2' {
  interface SFTPWrapper {
    readonly outgoing: { readonly id: number; readonly state: string };
    readonly _protocol: { exitStatus(channel: number, code: number): void };
  }
}
