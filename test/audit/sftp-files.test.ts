import * as v from 'valibot';
import { beforeEach, describe, expect, it } from 'vitest';
import { fileTransferEvent } from '../../local/services/events/file-transfer.ts';
import { userHash } from '../../shared/auth/credential-items.ts';
import {
  fileEvent,
  type FileAccessed,
  type FileRenamed,
  type FileUploaded,
} from '../../shared/imports/files/file-events.ts';
import { startImport } from '../../shared/imports/files/start-import.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { logTo } from '../../shared/runtime/log.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { importHarness, simpleDefinition, type ImportHarness } from '../imports/import-harness.ts';
import { scope } from '../profiles/harness.ts';
import { inLogOf, trailThatIsDown } from './audit-log.ts';

const ACCOUNT = 1;
const END = '2026-01-15T12:00:00.250Z';
const who = { username: 'demo', 'client-ip': '192.0.2.7', 'session-id': 's1', 'end-timestamp': END };

let harness: ImportHarness;
let id: number;
beforeEach(async () => {
  harness = importHarness();
  harness.uploads.clock = () => Date.parse(END);
  ({ id } = await harness.define({ ...simpleDefinition, file_match_rule: '*.csv' }));
  await addUser('demo', { id: 5, account: ACCOUNT });
});

const addUser = (username: string, more: { id: number; account: number }) =>
  harness.credentials.put(credentialKeys.user(userHash(username)), {
    ...{ username, email: `${username}@example.org`, first_name: 'A', last_name: 'B' },
    ...{ password: 'none', epoch: 'e', disabled: false, ssh_keys: [], ...more },
  });
const directory = () => `sftp/${ACCOUNT}/${scope.id}/imports/${id}`;

/** Puts a file as an SFTP session does; returns Transfer Family's answer. */
const sent = async (key: string, more: object = {}): Promise<FileUploaded> => {
  const { detail } = await harness.put(key, Buffer.from('email,first_name\na@x.org,A\n'));
  const { etag, size: bytes } = detail.object;
  return {
    source: 'aws.transfer',
    'detail-type': 'SFTP Server File Upload Completed',
    detail: { ...who, 'file-path': `/bucket/${key}`, bytes, etag, ...more },
  };
};
const renamed = async (from: string, to: string): Promise<FileRenamed> => {
  await harness.uploads.put(to, (await harness.uploads.get(from)) ?? '');
  const paths = { 'original-file-path': `/bucket/${from}`, 'renamed-file-path': `/bucket/${to}` };
  return {
    source: 'aws.transfer',
    'detail-type': 'SFTP Server File Rename Completed',
    detail: { ...who, ...paths },
  };
};
const entries = () => harness.auditLog.items();
const file = () => ({ import_id: id });
const common = { pk: inLogOf(ACCOUNT), time: Date.parse(END), user: 5, source: '192.0.2.7' };

describe('a file sent over SFTP', () => {
  it('the audit log records a file with its sender, its directory and its job, and without its name', async () => {
    await harness.startImport(await sent(`${directory()}/ada-lovelace.csv`));
    const job = Number(harness.started[0]?.split('-').at(-1));
    expect(entries()).toEqual([
      expect.objectContaining({
        ...common,
        action: 'sftp.upload',
        outcome: 'accepted',
        property: scope.id,
        ids: { ...file(), job_id: job },
      }),
    ]);
    expect(JSON.stringify(entries())).not.toMatch(/lovelace|demo/);
  });

  it.each([
    ['not_matched', () => `${directory()}/people.xml`],
    ['waiting', () => `${directory()}/people.csv.filepart`],
    ['bad_name', () => `${directory()}/a\\b.csv`],
    ['elsewhere', () => `sftp/${ACCOUNT}/${scope.id}/imports/${id + 1}/people.csv`],
  ])('the audit log records a file that starts no job, with the reason %s', async (outcome, key) => {
    await harness.startImport(await sent(key()));
    expect(entries()).toEqual([
      expect.objectContaining({ ...common, action: 'sftp.upload', outcome, property: scope.id }),
    ]);
    expect(JSON.stringify(entries())).not.toContain('job_id');
  });

  it('five events of one file make one entry, and a second upload of the file makes another', async () => {
    const event = await sent(`${directory()}/people.csv`);
    for (let delivery = 0; delivery < 5; delivery += 1) await harness.startImport(event);
    expect(entries()).toHaveLength(1);
    await harness.startImport({
      ...event,
      detail: { ...event.detail, 'end-timestamp': '2026-01-15T12:00:00.251Z' },
    });
    await harness.startImport({ ...event, detail: { ...event.detail, 'session-id': 's2' } });
    expect(entries()).toHaveLength(3);
  });

  it('a rename makes a second entry with the job that the final name started', async () => {
    const part = `${directory()}/people.csv.filepart`;
    await harness.startImport(await sent(part));
    await harness.startImport(await renamed(part, `${directory()}/people.csv`));
    expect(entries().map(({ action, outcome }) => [action, outcome])).toEqual(
      expect.arrayContaining([
        ['sftp.upload', 'waiting'],
        ['sftp.rename', 'accepted'],
      ]),
    );
  });

  it('the entry has no user when the name is unknown or belongs to another account', async () => {
    await addUser('other', { id: 6, account: ACCOUNT + 1 });
    for (const username of ['gone', 'other', undefined])
      await harness.startImport(await sent(`${directory()}/${username}.csv`, { username }));
    expect(entries().map(({ pk, user, outcome }) => [pk, user, outcome])).toEqual(
      Array.from({ length: 3 }, () => [inLogOf(ACCOUNT), undefined, 'accepted']),
    );
  });

  it('a file outside the account folders makes no entry', async () => {
    await harness.startImport(await sent('people.csv'));
    expect([entries(), harness.ignored]).toEqual([[], ['elsewhere']]);
  });
});

describe('actions on a file over SFTP', () => {
  const touched = (detailType: FileAccessed['detail-type'], more: object = {}): FileAccessed => ({
    source: 'aws.transfer',
    'detail-type': detailType,
    time: '2026-01-15T12:00:00Z',
    detail: { ...who, 'file-path': `/bucket/${directory()}/ada-lovelace.csv`, ...more },
  });

  it.each([
    ['SFTP Server File Download Completed', 'sftp.download', 'completed'],
    ['SFTP Server File Download Failed', 'sftp.download', 'broken_off'],
    ['SFTP Server File Delete Completed', 'sftp.delete', 'completed'],
  ] as const)(
    'the audit log records %s once, and the action starts no job',
    async (detailType, action, outcome) => {
      const event = touched(detailType);
      for (let delivery = 0; delivery < 3; delivery += 1) await harness.startImport(event);
      const told = { ...common, time: Date.parse('2026-01-15T12:00:00Z'), action, outcome };
      expect(entries()).toEqual([expect.objectContaining({ ...told, property: scope.id, ids: file() })]);
      expect(JSON.stringify(entries())).not.toMatch(/lovelace|demo/);
      expect([harness.started, harness.ignored]).toEqual([[], []]);
    },
  );

  it('an action without a time of its own is recorded each time', async () => {
    for (const start of ['2026-01-15T11:59:58.1Z', '2026-01-15T11:59:59.2Z'])
      await harness.startImport(
        touched('SFTP Server File Download Failed', {
          'start-timestamp': start,
          'end-timestamp': undefined,
        }),
      );
    expect(entries()).toHaveLength(2);
  });

  it('the audit log reads the events in the form of the SFTP server', () => {
    const story = {
      serverId: 's',
      username: 'demo',
      sessionId: 'x',
      clientIp: '192.0.2.7',
      started: 1,
      ended: 2,
    };
    for (const kind of ['read', 'partly_read', 'removed'] as const)
      expect(v.is(fileEvent, fileTransferEvent(story, { kind, path: '/b/k', bytes: 1 }))).toBe(true);
  });
});

it('a file is imported while the audit log cannot record it, and its event is redelivered until it is recorded', async () => {
  const audit = trailThatIsDown({ ...harness.deps, log: logTo(() => undefined) });
  const event = await sent(`${directory()}/people.csv`);
  await expect(startImport({ ...harness.deps, audit }, event)).rejects.toThrow(UnavailableError);
  expect(harness.started).toHaveLength(1);
  await harness.startImport(event);
  expect(new Set(harness.started).size).toBe(1);
  expect(entries()).toEqual([expect.objectContaining({ outcome: 'accepted' })]);
});

it('only the request for a pre-signed address is recorded, not the upload to it', async () => {
  await harness.startImport(await harness.put(`${directory()}/people.csv`, Buffer.from('email\n')));
  expect(entries()).toEqual([]);
});
