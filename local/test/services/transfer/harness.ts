import * as v from 'valibot';
import type { Faults } from '../../../core/faults.ts';
import type { BusEvent } from '../../../services/events/object-created.ts';
import { createS3 } from '../../../services/s3/s3.ts';
import { hostKeyIn } from '../../../services/transfer/host-key.ts';
import { Answer, permitOf, type Identity, type Question } from '../../../services/transfer/identity.ts';
import { openTransfer } from '../../../services/transfer/transfer.ts';
import { sessionOf } from './session.ts';
import { sftpClient } from '../../support/sftp-client.ts';

export const BUCKET = 'uploads';

/** The directory of definition 5, which account 1 sees as `/imports/5`. */
export const DIRECTORY = 'sftp/1/1001/imports/5/';

/** A file of account 2. */
export const THEIRS = 'sftp/2/1002/imports/6/theirs.csv';

/**
 * Starts a server whose users have account 1, with a record of its calls and events. It admits any user with the password
 * `secret` or the key. `faults` loses events.
 */
export const transferHarness = async (publicKey: string, faults?: Faults) => {
  const events: BusEvent[] = [];
  const asked: Question[] = [];
  const logged: Readonly<Record<string, string>>[] = [];
  const s3 = createS3();
  s3.createBucket(BUCKET);
  await s3.put(BUCKET, DIRECTORY, Buffer.alloc(0));
  await s3.put(BUCKET, THEIRS, Buffer.from('theirs'));
  const session = sessionOf(BUCKET);
  const ask = (question: Question): Promise<Identity | undefined> => {
    asked.push(question);
    const known = question.password === 'secret' ? session : {};
    const answer = question.password === undefined ? { ...session, PublicKeys: [publicKey] } : known;
    return Promise.resolve(v.parse(Answer, answer));
  };
  const transfer = await openTransfer({
    serverId: 's-1',
    hostKey: hostKeyIn(undefined),
    s3,
    ask,
    permitOf: (identity) => permitOf(identity, { requireRole: () => undefined, keyUsesOf: () => [] }),
    publish: (event) => void events.push(event),
    log: (_, line) => void logged.push(line),
    now: Date.now,
    faults,
  });
  return {
    s3,
    transfer,
    events,
    asked,
    /** The lines of the structured log. */
    logged,
    /** The events of files, without their common fields. */
    told: () => events.map((event) => event['detail-type'].replace('SFTP Server File ', '')),
    login: () => sftpClient({ port: transfer.port, username: 'demo', password: 'secret' }),
    [Symbol.asyncDispose]: async () => {
      await transfer.close();
      s3.close();
    },
  };
};
export type TransferHarness = Awaited<ReturnType<typeof transferHarness>>;
