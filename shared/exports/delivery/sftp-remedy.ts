/** SFTP remedy: what a client can do about a failure of its SFTP server, for tests and deliveries alike. */
import type { SftpFailure } from '../../sftp/failure.ts';
import type { Destination } from '../model/items.ts';

/** What to do, and the line of a file that it is about. */
export interface SftpRemedy {
  readonly what: string;
  /** A line to add as it stands. */
  readonly line?: string;
}

/** The remedy of a failure. */
export const sftpRemedy = (failure: SftpFailure, destination: Destination): SftpRemedy => {
  const { domain, client_id, temporary_name } = destination;
  if (failure.isTaken) return { what: takenRemedy };
  switch (failure.step) {
    case 'address':
    case 'connect':
      return {
        what: `check that ${domain} is the public address of an SSH server, and that its firewall lets this service in`,
      };
    case 'host_key':
      return { what: 'compare the fingerprint with the server, and name it with PUT host-key' };
    case 'login':
      return loginRemedy(failure, destination);
    case 'session':
      return { what: `check that the server offers SFTP to ${client_id}` };
    case 'look':
      return {
        what: `let ${client_id} look at files (stat), or set verify of destination_credentials to none`,
      };
    case 'write':
      return {
        what: `check that ${client_id} may write to the directory of the export${temporary_name === 'none' ? ' and over an older file of the same name' : ''}, and that the disk has room`,
      };
    case 'verify':
      return { what: `check that ${client_id} may look at files, and that the disk has room` };
    case 'rename':
      return {
        what: `let ${client_id} rename files and replace an older file of the same name, or set temporary_name of destination_credentials to none`,
      };
    case 'remove':
      return { what: `check that ${client_id} may remove files` };
  }
};

const takenRemedy =
  'set temporary_name of destination_credentials to none, so that the server takes the file once and under its own name, and run the export again';

const loginRemedy = (
  { fault }: SftpFailure,
  { client_id, public_key, authentication }: Destination,
): SftpRemedy => {
  if (fault === undefined) return { what: `check that the server lets ${client_id} log in in this way` };
  switch (fault) {
    case 'key_refused':
    case 'key_wrong':
    case 'both_refused':
      return public_key === null
        ? { what: `check the login of ${client_id}` }
        : { what: `add this line to ~/.ssh/authorized_keys of ${client_id} on the server`, line: public_key };
    case 'password_refused':
    case 'password_wrong':
      return { what: `check client_id (${client_id}), and send the right password with PUT` };
    case 'password_missing':
      return {
        what: `send the password of ${client_id} too, with authentication ${authentication}_and_password`,
      };
    case 'key_missing':
      return {
        what: 'use authentication service_key_and_password, and add its public_key to authorized_keys on the server',
      };
    case 'no_keys':
      return {
        what: `send a password with authentication password, or let the server take keys of ${client_id}`,
      };
    case 'no_passwords':
      return {
        what: 'use authentication service_key, and add its public_key to authorized_keys on the server',
      };
    case 'more_asked':
      return { what: `let ${client_id} log in with a key, a password, or both` };
    case 'password_expired':
      return { what: `set a new password of ${client_id} on the server, and send it with PUT` };
  }
};
