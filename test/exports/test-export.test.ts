import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { createdExportAnswer } from '../../shared/exports/model/answers.ts';
import { textLike } from '../support/answers.ts';
import { openSftpServer, type Mischief, type SftpServer } from '../support/sftp-server.ts';
import { answered, begun, path, withPeople } from './steps.ts';
import { callTest, tested } from './tested.ts';
import { bodyOf, exportsHarness, segment } from './harness.ts';

const exportTo = (server: SftpServer, more: Record<string, unknown> = {}) => {
  const destination_credentials = { domain: `127.0.0.1:${server.port}`, client_id: 'receiver' };
  return begun({ start: false, destination_credentials, ...more });
};

const ok = (step: string) => ({ step, result: 'ok', message: null });
const skipped = (step: string) => ({ step, result: 'skipped', message: null });
const steps = ['connect', 'host_key', 'login', 'session', 'look', 'write', 'verify', 'rename', 'remove'];

describe('POST exports/{export_id}/test', () => {
  it('writes a file, removes it, shows and pins the host key, and starts no job', async () => {
    await using server = await openSftpServer();
    const harness = await exportTo(server);
    const answer = await tested(harness);
    expect(answer).toEqual({
      ok: true,
      steps: steps.map(ok),
      host_key: { fingerprint: textLike(/^SHA256:/), type: 'ssh-ed25519' },
    });
    expect(server.received()).toBeGreaterThan(0);
    expect(server.files.size).toBe(0);
    expect(bodyOf(await harness.readHostKey(path))).toMatchObject({
      fingerprint: answer.host_key?.fingerprint,
      pinned_by: 'first_use',
    });
    expect(harness.started).toEqual([]);
  });

  it.each<[string, Mischief, RegExp]>([
    [
      'login',
      { refusesKeys: true },
      /^The server does not take our key\. Add this line to ~\/\.ssh\/authorized_keys of receiver on the server: ssh-ed25519 AAAA\S+ tidemark-export-\d+$/,
    ],
    [
      'write',
      { isReadOnly: true },
      /^The server refused to open the file \(3\)\. Check that receiver may write/,
    ],
    ['write', { diskBytes: 0 }, /^The server refused a write \(4\)\..* the disk has room\.$/],
  ])('says that %s failed and what to do (%j)', async (step, mischief, message) => {
    await using server = await openSftpServer();
    Object.assign(server.mischief, mischief);
    const answer = await tested(await exportTo(server));
    const at = steps.indexOf(step);
    expect(answer.ok).toBe(false);
    expect(answer.steps).toEqual([
      ...steps.slice(0, at).map(ok),
      { step, result: 'failed', message: textLike(message) },
      ...steps.slice(at + 1).map(skipped),
    ]);
  });

  it.each<[string, Mischief, Record<string, unknown>, string]>([
    [
      'rename',
      { refuses: ['RENAME'] },
      {},
      'The server refused the rename (3). Let receiver rename files and replace an older file of the same name, or set temporary_name of destination_credentials to none.',
    ],
    [
      'look',
      { refuses: ['STAT'] },
      { file_name: 'people-{counter}.csv' },
      'The server refused a look at the file (3). Let receiver look at files (stat), or set verify of destination_credentials to none.',
    ],
    [
      'verify',
      { takesFiles: true },
      {},
      'The file was gone once it was closed: the server takes files under their temporary name. Set temporary_name of destination_credentials to none, so that the server takes the file once and under its own name, and run the export again.',
    ],
  ])(
    'says that %s failed as it would in a push, and is ok with the setting that it names',
    async (step, mischief, more, message) => {
      await using server = await openSftpServer();
      Object.assign(server.mischief, mischief);
      const harness = await exportTo(server, { file_name: 'people.csv', ...more });
      const answer = await tested(harness);
      expect(answer.ok).toBe(false);
      expect(answer.steps.find(({ result }) => result === 'failed')).toEqual({
        step,
        result: 'failed',
        message,
      });
      const way = step === 'look' ? { verify: 'none' } : { temporary_name: 'none' };
      const destination_credentials = { domain: `127.0.0.1:${server.port}`, client_id: 'receiver', ...way };
      bodyOf(
        await harness.replace(path, {
          segment: [segment(2)],
          file_name: 'people.csv',
          ...more,
          destination_credentials,
        }),
      );
      const after = await tested(harness);
      expect(after.ok).toBe(true);
      expect(after.steps.map((tried) => tried.step)).not.toContain(step === 'verify' ? 'rename' : step);
      expect(server.files.size).toBe(0);
    },
  );

  it('says which file stays where nobody may remove files, and is ok', async () => {
    await using server = await openSftpServer();
    server.mischief.refuses = ['REMOVE'];
    const answer = await tested(await exportTo(server));
    expect(answer.ok).toBe(true);
    expect(answer.steps.at(-1)).toMatchObject({
      step: 'remove',
      result: 'skipped',
      message: textLike(
        /^The server refused receiver to remove the file\. .* remove \.tidemark-test-\S+ yourself\.$/,
      ),
    });
  });

  it('does not log in to a server with another host key, and shows both keys', async () => {
    await using server = await openSftpServer();
    const harness = await exportTo(server);
    const known = (await tested(harness)).host_key?.fingerprint ?? '';
    server.changeHostKey();
    const { steps: after, host_key } = await tested(harness);
    expect(after[1]).toMatchObject({ step: 'host_key', result: 'failed' });
    expect(after[1]?.message).toContain(`${known} was expected, ${host_key?.fingerprint}`);
    expect(server.logins()).toBe(1);
  });

  it('tells apart nothing about a network: a closed port and a private address have one message', async () => {
    await using server = await openSftpServer();
    const harness = await exportTo(server);
    harness.fakes.privateTargets = 'none';
    const { steps: of } = await tested(harness);
    expect(of[0]?.message).toMatch(/^No SSH server can be reached there\. Check that 127\.0\.0\.1:\d+ is/);
    expect(server.logins()).toBe(0);
  });

  it('calls the receiver of changes with a signed test that changes nothing, beside the webhook', async () => {
    const harness = await begun({
      ...{ start: false, scope: 'delta', data_format: 'jsonl' },
      webhook_url: 'https://hooks.example.com/x',
      changes: { url: 'https://crm.example.com/hooks' },
    });
    harness.fakes.send = ({ url }) => Promise.resolve(answered(url.includes('crm') ? 404 : 204));
    const message = 'The receiver answered 404. It must answer a signed POST with a status from 200 to 299.';
    expect(await tested(harness)).toMatchObject({
      ok: false,
      steps: [{ step: 'changes', result: 'failed', message }, ok('webhook')],
    });
    expect(
      harness.sent.map(({ url, body }) => ({ url, body: v.parse(v.unknown(), JSON.parse(body)) })),
    ).toMatchObject([
      {
        url: 'https://crm.example.com/hooks',
        body: { type: 'segment.changes.test', export_id: path.export_id, changes: [] },
      },
      { url: 'https://hooks.example.com/x', body: { type: 'export.test' } },
    ]);
  });

  it('calls the webhook with a signed export.test, and says what it answered', async () => {
    await using server = await openSftpServer();
    const harness = await exportTo(server, {
      destination_credentials: null,
      webhook_url: 'https://hooks.example.com/x',
    });
    harness.fakes.send = () => Promise.resolve(answered(204));
    expect(await tested(harness)).toEqual({ ok: true, steps: [ok('webhook')], host_key: null });
    expect(harness.sent).toMatchObject([
      {
        headers: { 'webhook-id': textLike(/^msg_export_test_/) },
        body: textLike(/"export\.test"/),
      },
    ]);
    harness.fakes.send = () => Promise.resolve(answered(500));
    expect((await tested(harness)).steps[0]?.message).toMatch(/^The receiver answered 500\. It must answer/);
    harness.fakes.send = () => Promise.resolve(answered(410));
    expect((await tested(harness)).steps[0]?.message).toMatch(/^The receiver answered 410\. It must answer/);
    harness.fakes.send = () => Promise.resolve({ kind: 'refused' });
    expect((await tested(harness)).steps[0]?.message).toMatch(/^No server can be reached there\. It/);
  });

  it('says that an e-mail address is not confirmed', async () => {
    await using server = await openSftpServer();
    const address = { destination_credentials: null, notification_email: 'bo@example.net' };
    const harness = await exportTo(server, address);
    expect((await tested(harness)).steps).toMatchObject([{ step: 'email', result: 'failed' }]);
    const named = { address: 'bo@example.net', isOwn: true, now: harness.fakes.now };
    await harness.mailboxes.name(7, named);
    expect((await tested(harness)).ok).toBe(true);
    await harness.mailboxes.withdraw(7, 'bo@example.net', harness.fakes.now);
    expect((await tested(harness)).steps[0]?.message).toMatch(/was withdrawn/);
  });

  it('is limited in a minute, so that nobody guesses a password with it', async () => {
    await using server = await openSftpServer();
    const harness = await exportTo(server, { destination_credentials: null });
    for (let count = 0; count < limits.exports.testsPerMinute; count += 1) await tested(harness);
    expect(await callTest(harness)).toMatchObject({
      ok: false,
      error: { status: 429, code: 'too_many_tests' },
    });
    harness.fakes.now += 60_000;
    expect((await tested(harness)).ok).toBe(true);
  });

  it('is 404 for an export that does not exist', async () => {
    expect(await callTest(exportsHarness())).toMatchObject({ ok: false, error: { status: 404 } });
  });
});

describe('POST exports', () => {
  it('with start: false stores the definition, and the first job starts when it is asked for', async () => {
    const made = withPeople();
    const body = bodyOf(await made.create({ segment: [segment(2)], start: false }));
    expect(v.is(createdExportAnswer, body)).toBe(true);
    const id = { export_id: String(body['id']) };
    await made.repair();
    expect(made.started).toEqual([]);
    expect(bodyOf(await made.read(id))).toMatchObject({ status: 'scheduled' });
    await made.runAgain(id);
    expect(made.started).toHaveLength(1);
    expect(bodyOf(await made.read(id))).toMatchObject({ status: 'pending' });
  });
});
