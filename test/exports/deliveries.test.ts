import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { deliveriesAnswer, exportAnswer } from '../../shared/exports/model/answers.ts';
import { gather } from '../../shared/runtime/bytes.ts';
import type { SftpTarget } from '../../shared/sftp/pinned-session.ts';
import type { PushOutcome } from '../../shared/sftp/push.ts';
import { keys } from '../../shared/table/keys.ts';
import { newPgpKey, publicText } from '../support/pgp-keys.ts';
import { answered, fileOf, path, ref, runAll, withPeople, begun, ran, receivers } from './steps.ts';
import { bodyOf, type ExportsHarness, segment } from './harness.ts';

const DAY = 86_400_000;
const { destination_credentials } = receivers;
const sent: PushOutcome = { kind: 'sent' };

const deliveriesOf = async (made: ExportsHarness) =>
  v.parse(deliveriesAnswer, bodyOf(await made.listDeliveries(path))).deliveries;
const ofKind = (kind: string): Record<string, string> => ({ ...path, delivery: `${ref.job}-${kind}` });

describe('the deliveries of a job', () => {
  it('stand beside each other, in order, and are started once it has ended', async () => {
    const made = await ran(receivers);
    expect((await deliveriesOf(made)).map(({ kind, state }) => [kind, state])).toEqual([
      ['sftp', 'waiting'],
      ['webhook', 'waiting'],
      ['email', 'waiting'],
    ]);
    made.started.length = 0;
    await made.startDeliveries(ref);
    expect(made.started).toEqual([{ name: `p7-deliver-${ref.job}-first`, input: ref }]);
  });

  it('are none when nothing was asked for', async () => {
    const made = await ran();
    made.started.length = 0;
    await made.startDeliveries(ref);
    expect(made.started).toEqual([]);
    expect(await made.pushFile(ref)).toMatchObject({ delivered: true });
    expect(await made.sendEmail(ref)).toMatchObject({ delivered: true });
    expect(made.mails).toEqual([]);
  });

  it('fail each on its own', async () => {
    const made = await ran(receivers);
    made.fakes.push = () =>
      Promise.resolve({ kind: 'failed', step: 'write', reason: 'the server refused a write (4)' });
    made.fakes.send = () => Promise.resolve(answered(204));
    await made.pushFile(ref);
    await made.deliver(ref);
    await made.sendEmail(ref);
    expect(await deliveriesOf(made)).toMatchObject([
      { kind: 'sftp', state: 'retrying', attempts: 1, last_error: 'the server refused a write (4)' },
      { kind: 'webhook', state: 'delivered', last_error: null },
      { kind: 'email', state: 'delivered' },
    ]);
    expect(bodyOf(await made.readJob(path))).toMatchObject({ status: 'complete' });
  });

  it('are attempted one at a time, and again when an attempt broke off', async () => {
    const made = await ran(receivers);
    made.fakes.mail = () => Promise.reject(new Error('killed'));
    await expect(made.sendEmail(ref)).rejects.toThrow('killed');
    made.fakes.mail = () => Promise.resolve({ kind: 'sent' });
    // A concurrent execution waits until the lease of the attempt is over.
    const { delivered, wait_seconds } = await made.sendEmail(ref);
    expect({ delivered, wait_seconds }).toEqual({ delivered: false, wait_seconds: 60 });
    expect(made.mails).toHaveLength(1);
    made.fakes.now += wait_seconds * 1000;
    expect(await made.sendEmail(ref)).toMatchObject({ delivered: true });
    expect(made.mails).toHaveLength(2);
    expect(await made.sendEmail(ref)).toMatchObject({ delivered: true });
    expect(made.mails).toHaveLength(2);
  });

  it('raced by two executions are sent once', async () => {
    const made = await ran(receivers);
    await Promise.all([made.sendEmail(ref), made.sendEmail(ref), made.sendEmail(ref)]);
    expect(made.mails).toHaveLength(1);
  });

  it('of a job that failed tell so, and push nothing', async () => {
    const made = await begun(receivers);
    await made.fail(ref, 'Error');
    await made.sendEmail(ref);
    await made.pushFile(ref);
    expect(made.mails).toMatchObject([{ subject: 'Your export failed' }]);
    expect(made.mails[0]?.text).not.toContain('/downloads/');
    expect((await deliveriesOf(made))[0]).toMatchObject({
      state: 'exhausted',
      last_error: 'the job has no file',
    });
  });
});

describe('a mail', () => {
  it('has the location in both forms, and nothing of the data', async () => {
    const made = await ran(receivers);
    await made.sendEmail(ref);
    const [mail] = made.mails;
    const { location } = bodyOf(await made.readJob(path));
    expect(mail?.to).toBe('Ada@example.test');
    expect(mail?.text).toContain(`\r\n${String(location)}\r\n`);
    expect(mail?.html).toContain(`<a href="${String(location)}"`);
    expect(mail?.text).toContain('The file has 2 people.');
    expect(JSON.stringify(mail)).not.toMatch(/p\d@example\.test/);
  });

  it('that is rejected is tried for three days; the export stays complete', async () => {
    const made = await ran(receivers);
    made.fakes.mail = () =>
      Promise.resolve({ kind: 'failed', reason: 'the mail service answered MessageRejected' });
    const end = made.fakes.now + 3 * DAY;
    for (let answer = await made.sendEmail(ref); !answer.exhausted; answer = await made.sendEmail(ref))
      made.fakes.now += answer.wait_seconds * 1000;
    expect(made.fakes.now).toBe(end);
    expect((await deliveriesOf(made))[2]).toMatchObject({
      state: 'exhausted',
      last_error: 'the mail service answered MessageRejected',
    });
    expect(bodyOf(await made.readJob(path))).toMatchObject({ status: 'complete' });
  });
});

describe('a push by SFTP', () => {
  it('shows our public key, keeps its other half encrypted, and pins the key it meets', async () => {
    const made = withPeople();
    const body = bodyOf(await made.create({ segment: [segment(2)], ...receivers }));
    const { public_key } = v.parse(
      v.object({ ...destinationShape.entries, public_key: v.string() }),
      body['destination_credentials'],
    );
    expect(public_key).toMatch(/^ssh-ed25519 AAAA\S+ tidemark-export-\d+$/);
    const read = bodyOf(await made.read(path));
    expect(v.is(exportAnswer, read)).toBe(true);
    expect(read['destination_credentials']).toEqual({
      ...destination_credentials,
      authentication: 'service_key',
      public_key,
      temporary_name: 'rename',
      verify: 'size',
    });
    await runAll(made);
    const targets: SftpTarget[] = [];
    const shown = { fingerprint: 'SHA256:first', type: 'ssh-ed25519' };
    let received: Buffer = Buffer.alloc(0);
    made.fakes.push = async (target, file) => {
      targets.push(target);
      if (target.pinned === undefined) expect(await target.pin(shown)).toBe(true);
      expect(await target.pin({ ...shown, fingerprint: 'SHA256:another' })).toBe(false);
      received = await gather(file.read(0));
      expect(received.subarray(7, 20).equals(await gather(file.read(7, 20)))).toBe(true);
      return { kind: 'failed', step: 'write', reason: 'the connection broke at a write' };
    };
    await made.pushFile(ref);
    expect(received.equals((await fileOf(made)).bytes)).toBe(true);
    made.fakes.now += 5_000;
    await made.pushFile(ref);
    expect(targets).toMatchObject([
      { host: 'files.example.com', port: 2222, username: 'receiver', pinned: undefined },
      { pinned: shown },
    ]);
    const credential = targets[0]?.credential;
    const secret = credential?.privateKey ?? '';
    expect(secret).toContain('OPENSSH PRIVATE KEY');
    expect(JSON.stringify([made.table.items(), body, read])).not.toContain(secret.split('\n')[3]);
  });

  it('that takes longer than an attempt goes on at once, for three days', async () => {
    const made = await ran(receivers);
    made.fakes.push = () => Promise.resolve({ kind: 'paused' });
    expect(await made.pushFile(ref)).toEqual({ delivered: false, exhausted: false, wait_seconds: 1 });
    expect((await deliveriesOf(made))[0]).toMatchObject({ state: 'retrying', attempts: 0, last_error: null });
    made.fakes.now += 3 * DAY;
    expect(await made.pushFile(ref)).toMatchObject({ exhausted: true });
  });

  it('sends nothing once a key was set after the file was made', async () => {
    const made = await ran(receivers);
    const definition = await made.exports.frozenDefinition(ref);
    const pgp_public_key = publicText(await newPgpKey());
    if (!definition) throw new Error('no definition');
    const at = keys.exportJobDefinition(ref.property, ref.export, ref.job);
    await made.table.put(at, { ...definition, pgp_public_key });
    let pushed = 0;
    made.fakes.push = () => {
      pushed += 1;
      return Promise.resolve(sent);
    };
    expect(await made.pushFile(ref)).toMatchObject({ exhausted: true });
    expect(pushed).toBe(0);
    expect((await deliveriesOf(made))[0]).toMatchObject({ last_error: 'the file is not encrypted' });
  });
});

const destinationShape = v.object({ domain: v.string(), client_id: v.string() });

describe('a replay', () => {
  const delivered = async (): Promise<ExportsHarness> => {
    const made = await ran({ destination_credentials });
    made.fakes.push = () => Promise.resolve(sent);
    expect(await made.pushFile(ref)).toMatchObject({ delivered: true });
    made.started.length = 0;
    return made;
  };

  it('delivers once more, with three new days', async () => {
    const made = await delivered();
    made.fakes.now += 10 * DAY;
    const answer = await made.replay(ofKind('sftp'));
    expect(answer).toMatchObject({
      ok: true,
      value: { status: 202, body: { kind: 'sftp', state: 'waiting', attempts: 0, replays: 1 } },
    });
    expect(made.started).toEqual([{ name: `p7-deliver-${ref.job}-sftp-1`, input: ref }]);
    made.fakes.push = () => Promise.resolve({ kind: 'failed', step: 'login', reason: 'no answer in time' });
    expect(await made.pushFile(ref)).toMatchObject({ delivered: false, exhausted: false });
    made.fakes.push = () => Promise.resolve(sent);
    made.fakes.now += 5_000;
    expect(await made.pushFile(ref)).toMatchObject({ delivered: true });
    expect((await deliveriesOf(made))[0]).toMatchObject({ state: 'delivered', attempts: 2, replays: 1 });
  });

  it('is refused while the job runs or an attempt is under way, and for an unknown delivery', async () => {
    const made = await begun(receivers);
    expect(await made.replay(ofKind('email'))).toMatchObject({
      error: { status: 409, code: 'job_not_ended' },
    });
    await runAll(made);
    made.fakes.mail = () => Promise.reject(new Error('killed'));
    await expect(made.sendEmail(ref)).rejects.toThrow();
    expect(await made.replay(ofKind('email'))).toMatchObject({
      error: { status: 409, code: 'delivery_in_progress' },
    });
    made.fakes.now += 60_000;
    expect((await made.replay(ofKind('email'))).ok).toBe(true);
    for (const wrong of [ofKind('fax'), ofKind(''), { ...ofKind('email'), job_id: String(ref.job + 1) }])
      expect(await made.replay(wrong)).toMatchObject({ error: { status: 404 } });
  });

  it('asked for by many at once starts one', async () => {
    const made = await delivered();
    const answers = await Promise.all(Array.from({ length: 5 }, () => made.replay(ofKind('sftp'))));
    const replays = answers.filter(({ ok }) => ok).length;
    expect(replays).toBeGreaterThan(0);
    expect(new Set(made.started.map(({ name }) => name)).size).toBe(replays);
    let pushed = 0;
    made.fakes.push = () => {
      pushed += 1;
      return Promise.resolve(sent);
    };
    await Promise.all([made.pushFile(ref), made.pushFile(ref)]);
    expect(pushed).toBe(1);
  });
});
