import 'ssh2';

/** What ssh2 does not tell of its SFTP server: the channel, over which the end of a session is told. */
declare module 'ssh2' {
  interface SFTPWrapper {
    readonly outgoing: { readonly id: number; readonly state: string };
    readonly _protocol: { exitStatus(channel: number, code: number): void };
  }
}
