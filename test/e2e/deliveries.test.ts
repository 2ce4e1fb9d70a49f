import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { afterAll, expect, it } from 'vitest';
import { deliveriesAnswer, hostKeyAnswer, loggedDeliveryAnswer } from '../../shared/exports/model/answers.ts';
import { describeWith, programPath } from '../../local/test/support/installed.ts';
import { newPgpKey, publicText } from '../support/pgp-keys.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { openSshd, type Sshd } from '../support/sshd.ts';
import { until } from '../support/until.ts';
import { openReceiver, type Receiver } from '../support/webhook-receiver.ts';
import { completeJobs, segmentId } from '../support/running.ts';

const run = promisify(execFile);
const created = v.looseObject({
  id: v.string(),
  webhook_secret: v.string(),
  destination_credentials: v.looseObject({ public_key: v.string() }),
});
const mails = v.array(v.object({ to: v.array(v.string()), text: v.string() }));
const notice = v.looseObject({ type: v.string(), location: v.string(), sha256: v.string() });
const PERSON = 'canary4711@example.org';

describeWith('sshd', 'an export delivered in every way', (path) => {
  let service: Service;
  let sshd: Sshd;
  let receiver: Receiver;
  let home: string;

  shared.beforeAll(async ({ service: own }) => {
    service = own;
    [sshd, receiver] = await Promise.all([openSshd(path), openReceiver()]);
    home = await mkdtemp(join(tmpdir(), 'tidemark-gpg-'));
  }, 180_000);
  afterAll(async () => {
    await run('gpgconf', ['--homedir', home, '--kill', 'all']).catch(() => undefined);
    await rm(home, { recursive: true, force: true });
    await sshd[Symbol.asyncDispose]();
    await receiver[Symbol.asyncDispose]();
  });

  const gpgOpens = async (file: string): Promise<string> => {
    const quiet = ['--homedir', home, '--batch', '--quiet', '--no-tty'];
    const { stdout } = await run(programPath('gpg') ?? 'gpg', [...quiet, '--decrypt', file]);
    return stdout;
  };

  it('a push arrives encrypted on the server, and the webhook and the mail name its other locations', async () => {
    const { client, property, cloud } = service;
    const key = await newPgpKey({ date: new Date() });
    await writeFile(join(home, 'key.asc'), key.armor());
    await run(programPath('gpg') ?? 'gpg', [
      '--homedir',
      home,
      '--batch',
      '--quiet',
      '--import',
      join(home, 'key.asc'),
    ]);
    await client.post(`/v1/${property}/profiles`, { email: PERSON }, v.unknown());
    const definition = {
      segment: [await segmentId(service)],
      pgp_public_key: publicText(key),
      destination_credentials: { domain: sshd.domain, client_id: sshd.username },
      webhook_url: receiver.url,
      notification_email: service.userEmail,
    };
    const made = await client.post(`/v1/${property}/exports`, definition, created);
    await sshd.authorize(made.destination_credentials.public_key);

    const call = await receiver.next();
    const told = v.parse(notice, new Webhook(made.webhook_secret).verify(call.body, call.headers));
    expect(told.type).toBe('export.completed');
    const [job] = await completeJobs(service, made.id);
    const deliveriesPath = `/v1/${property}/exports/${made.id}/jobs/${job?.id}/deliveries`;
    const standing = async (): Promise<
      Map<string, v.InferOutput<typeof deliveriesAnswer>['deliveries'][number]>
    > => {
      const { deliveries } = await client.get(deliveriesPath, deliveriesAnswer);
      return new Map(deliveries.map((delivery) => [delivery.kind, delivery]));
    };
    await until('all deliveries', async () =>
      [...(await standing()).values()].every(({ state }) => state === 'delivered') ? true : undefined,
    );

    const name = `${made.id}-${job?.id}.csv.pgp`;
    const pushed = await readFile(join(sshd.folder, name));
    expect(pushed.includes('canary')).toBe(false);
    expect(await gpgOpens(join(sshd.folder, name))).toContain(PERSON);

    // Other files of tests share the cloud, and its inbox.
    const inbox = v.parse(mails, await (await fetch(cloud.endpoints.inbox_url)).json());
    const mail = inbox.find(({ to }) => to.includes(service.userEmail));
    expect(mail?.text).toContain(told.location);
    const downloaded = await fetch(/^http\S+$/m.exec(mail?.text ?? '')?.[0] ?? '');
    expect(Buffer.from(await downloaded.arrayBuffer()).equals(pushed)).toBe(true);

    // A server with another key gets nothing, and the delivery reports the change. With the old key back, the file is
    // delivered again.
    sshd.changeHostKey();
    await rm(join(sshd.folder, name));
    const replay = await service.call('POST', `${deliveriesPath}/${job?.id}-sftp/replay`);
    expect(replay.status).toBe(202);
    const changed = await until('the changed key', async () => {
      const delivery = (await standing()).get('sftp');
      return delivery?.state === 'retrying' ? delivery : undefined;
    });
    const came = /SHA256:\S{43}(?= \(ssh-ed25519\) came$)/.exec(changed.last_error ?? '')?.[0];
    expect(await readdir(sshd.folder)).toEqual([]);
    sshd.changeHostKey(0);
    const again = async (): Promise<void> => {
      await until('the file once more', async () =>
        (await standing()).get('sftp')?.state === 'delivered' ? true : undefined,
      );
      expect((await readFile(join(sshd.folder, name))).equals(pushed)).toBe(true);
      await rm(join(sshd.folder, name));
    };
    await again();
    expect((await standing()).get('webhook')).toMatchObject({ state: 'delivered', attempts: 1, replays: 0 });

    // The push accepts the other key after the client names it, and then no other key.
    sshd.changeHostKey(1);
    const hostKeyPath = `/v1/${property}/exports/${made.id}/host-key`;
    const pinned = await client.get(hostKeyPath, hostKeyAnswer);
    expect(pinned).toMatchObject({ domain: sshd.domain, type: 'ssh-ed25519', pinned_by: 'first_use' });
    expect(changed.last_error).toContain(`${pinned.fingerprint} was expected`);
    expect(sshd.fingerprint()).toBe(came);
    const accepted = await service.call('PUT', hostKeyPath, { body: JSON.stringify({ fingerprint: came }) });
    expect([accepted.status, JSON.parse(accepted.text)]).toMatchObject([200, { fingerprint: came }]);
    expect((await service.call('POST', `${deliveriesPath}/${job?.id}-sftp/replay`)).status).toBe(202);
    await again();
    expect(await client.get(hostKeyPath, hostKeyAnswer)).toMatchObject({
      fingerprint: came,
      pinned_by: 'request',
    });

    const { log } = await client.get(`${deliveriesPath}/${job?.id}-sftp`, loggedDeliveryAnswer);
    expect(log.map(({ replay, outcome }) => [replay, outcome])).toEqual([
      [2, 'delivered'],
      [1, 'delivered'],
      [1, 'failed'],
      [0, 'delivered'],
    ]);
    expect(log[2]?.error).toBe(changed.last_error);
  }, 120_000);
});
