import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { hostKeyAnswer, loggedDeliveryAnswer } from '../../shared/exports/model/answers.ts';
import { randomSource } from '../schedules/random.ts';
import { pusherWith } from '../sftp/pushing.ts';
import { openSftpServer, type SftpServer } from '../support/sftp-server.ts';
import { fileOf, path, ref, runAll, runJob } from './steps.ts';
import { bodyOf, exportsHarness, type ExportsHarness, profile, segment } from './harness.ts';

const PEOPLE = 600;
const delivery = { ...path, delivery: `${ref.job}-sftp` };
const name = `${ref.export}-${ref.job}.csv`;

interface Pushed {
  readonly harness: ExportsHarness;
  readonly file: Buffer;
  readonly server: SftpServer;
}

/** An export of about 600 KB that is complete, and pushed to a server. */
const pushedTo = async (server: SftpServer): Promise<Pushed> => {
  const harness = exportsHarness();
  for (let ordinal = 0; ordinal < PEOPLE; ordinal += 1) {
    const fields = { email: `p${ordinal}@example.test`, full_name: 'n'.repeat(1_000) };
    harness.fakes.profiles.set(ordinal, profile(ordinal, { fields }));
  }
  harness.fakes.members.set(segment(2), [...harness.fakes.profiles.keys()]);
  harness.fakes.push = pusherWith({ clock: () => harness.fakes.now });
  const destination_credentials = { domain: `127.0.0.1:${server.port}`, client_id: 'receiver' };
  bodyOf(await harness.create({ segment: [segment(2)], destination_credentials }));
  await runAll(harness);
  return { harness, server, file: (await fileOf(harness)).bytes };
};

const deliveryOf = async (harness: ExportsHarness) =>
  v.parse(loggedDeliveryAnswer, bodyOf(await harness.readDelivery(delivery)));
const hostKeyOf = async (harness: ExportsHarness) =>
  v.parse(hostKeyAnswer, bodyOf(await harness.readHostKey(path)));

/** An attempt, when it is due. The file is whole under its name, or there is none. */
const attempt = async ({ harness, server, file }: Pushed): Promise<boolean> => {
  const { delivered, wait_seconds } = await harness.pushFile(ref);
  harness.fakes.now += wait_seconds * 1000;
  const there = server.files.get(name);
  expect(there === undefined ? !delivered : there.equals(file)).toBe(true);
  return delivered;
};

const named =
  /^the host key has changed: (SHA256:\S{43}) was expected, (SHA256:\S{43}) \(ssh-ed25519\) came$/;

describe('a job whose SFTP server', () => {
  it('has another host key says so, and is pushed once its owner named that key', async () => {
    await using server = await openSftpServer();
    const pushed = await pushedTo(server);
    const { harness } = pushed;
    expect(await hostKeyOf(harness)).toMatchObject({
      fingerprint: null,
      type: null,
      pinned: null,
      pinned_by: null,
    });
    expect(await attempt(pushed)).toBe(true);
    const first = await hostKeyOf(harness);
    expect(first).toMatchObject({ type: 'ssh-ed25519', pinned_by: 'first_use' });

    server.files.clear();
    server.changeHostKey();
    const before = [server.received(), server.logins()];
    bodyOf(await harness.replay(delivery));
    expect(await attempt(pushed)).toBe(false);
    expect([server.received(), server.logins()]).toEqual(before);
    const { last_error, log } = await deliveryOf(harness);
    expect(log[0]).toMatchObject({ outcome: 'failed', error: last_error });
    const [, expected, came = ''] = named.exec(last_error ?? '') ?? [];
    expect(expected).toBe(first.fingerprint);

    // A named key that no server shows counts as no key.
    bodyOf(await harness.nameHostKey(path, `SHA256:${'A'.repeat(43)}`));
    expect(await attempt(pushed)).toBe(false);
    expect([server.received(), server.logins()]).toEqual(before);
    expect(bodyOf(await harness.nameHostKey(path, came))).toMatchObject({ fingerprint: came, type: null });
    bodyOf(await harness.replay(delivery));
    expect(await attempt(pushed)).toBe(true);
    expect(await hostKeyOf(harness)).toMatchObject({
      fingerprint: came,
      type: 'ssh-ed25519',
      pinned_by: 'request',
    });
    // It stays pinned like a key of first use.
    server.changeHostKey();
    bodyOf(await harness.replay(delivery));
    expect(await attempt(pushed)).toBe(false);
  });

  it('is not the one that was named before the first push gets nothing', async () => {
    await using server = await openSftpServer();
    const pushed = await pushedTo(server);
    const { harness } = pushed;
    bodyOf(await harness.nameHostKey(path, `SHA256:${'A'.repeat(43)}`));
    expect(await attempt(pushed)).toBe(false);
    expect([server.received(), server.logins()]).toEqual([0, 0]);
  });

  it('is full says so, keeps no part, and gets the file once there is room', async () => {
    await using server = await openSftpServer();
    const pushed = await pushedTo(server);
    const { harness } = pushed;
    server.mischief.diskBytes = 200_000;
    for (let tries = 0; tries < 3; tries += 1) expect(await attempt(pushed)).toBe(false);
    expect(await deliveryOf(harness)).toMatchObject({
      state: 'retrying',
      last_error: 'the server refused a write (4)',
    });
    expect([...server.files.keys()]).toEqual([]);
    delete server.mischief.diskBytes;
    expect(await attempt(pushed)).toBe(true);
    expect(await deliveryOf(harness)).toMatchObject({ state: 'delivered', attempts: 4, last_error: null });
  });

  it.each([1, 2, 3])('is cut off anywhere says so, and gets the file whole (seed %i)', async (seed) => {
    const random = randomSource(seed);
    await using server = await openSftpServer();
    const pushed = await pushedTo(server);
    const { harness } = pushed;
    for (let cuts = 0; cuts < 4; cuts += 1) {
      server.mischief.cutAfter = random.below(600_000);
      expect(await attempt(pushed)).toBe(false);
      expect((await deliveryOf(harness)).last_error).toMatch(/^the connection (broke at|was closed)/);
    }
    delete server.mischief.cutAfter;
    expect(await attempt(pushed)).toBe(true);
    expect([...server.files.keys()]).toEqual([name]);
    expect((await deliveryOf(harness)).log.map(({ outcome }) => outcome)).toEqual([
      'delivered',
      ...Array.from({ length: 4 }, () => 'failed'),
    ]);
  });
});

describe('a job whose SFTP server takes files when they are closed', () => {
  it('gets one copy, until its owner says that files have no temporary name', async () => {
    await using server = await openSftpServer();
    server.mischief.takesFiles = true;
    const { harness, file } = await pushedTo(server);
    expect(await harness.pushFile(ref)).toMatchObject({ exhausted: true });
    expect(await deliveryOf(harness)).toMatchObject({
      state: 'exhausted',
      last_error:
        'the file was gone once it was closed: the server takes files under their temporary name; set temporary_name of destination_credentials to none, so that the server takes the file once and under its own name, and run the export again',
    });
    harness.fakes.now += 4 * 24 * 3_600_000;
    await harness.pushFile(ref);
    expect(server.taken).toHaveLength(1);

    const domain = `127.0.0.1:${server.port}`;
    const destination_credentials = { domain, client_id: 'receiver', temporary_name: 'none' };
    bodyOf(await harness.replace(path, { segment: [segment(2)], destination_credentials }));
    bodyOf(await harness.runAgain(path));
    const second = { ...ref, job: ref.job + 1 };
    await runJob(harness, second);
    expect(await harness.pushFile(second)).toMatchObject({ delivered: true });
    expect(server.taken).toHaveLength(2);
    expect(server.taken[1]?.[0]).toBe(`${ref.export}-${second.job}.csv`);
    expect(server.taken[1]?.[1].equals(file)).toBe(true);
    const { log } = v.parse(
      loggedDeliveryAnswer,
      bodyOf(
        await harness.readDelivery({
          export_id: String(ref.export),
          job_id: String(second.job),
          delivery: `${second.job}-sftp`,
        }),
      ),
    );
    expect(log[0]).toMatchObject({
      outcome: 'delivered',
      remark: 'the file was gone once it was closed: the server took it, so its size was not checked',
    });
  });
});

describe('the host key of an export', () => {
  it('is there while the export is, and only of one that is pushed', async () => {
    await using server = await openSftpServer();
    const pushed = await pushedTo(server);
    const { harness } = pushed;
    await attempt(pushed);
    const { id } = v.parse(
      v.looseObject({ id: v.string() }),
      bodyOf(await harness.create({ segment: [segment(2)] })),
    );
    for (const wrong of [{ export_id: id }, { export_id: '1' }, {}]) {
      expect(await harness.readHostKey(wrong)).toMatchObject({ ok: false, error: { status: 404 } });
      expect(await harness.nameHostKey(wrong, 'SHA256:x')).toMatchObject({
        ok: false,
        error: { status: 404 },
      });
    }
    expect(harness.table.items().filter(({ sk }) => sk.startsWith('HOSTKEY#'))).toHaveLength(1);
    bodyOf(await harness.remove(path));
    expect(harness.table.items().filter(({ sk }) => sk.startsWith('HOSTKEY#'))).toEqual([]);
  });

  it('that was named is not taken back by a connection that was under way', async () => {
    await using server = await openSftpServer();
    const { harness } = await pushedTo(server);
    const definition = (await harness.exports.definition(ref.property, ref.export))?.value;
    if (!definition) throw new Error('no definition');
    const seen = { fingerprint: 'SHA256:seen', type: 'ssh-rsa', pinned: 1 };
    await harness.exports.pinHostKey(definition, 'h', seen);
    const named = { fingerprint: 'SHA256:named', type: null, pinned: 2, pinned_by: 'request' } as const;
    await harness.exports.replaceHostKey(definition, 'h', named);
    expect(await harness.exports.pinHostKey(definition, 'h', seen)).toMatchObject({
      fingerprint: 'SHA256:named',
      type: null,
    });
  });
});
