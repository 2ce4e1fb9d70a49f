import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shortName } from '../../cli/standalone/names.ts';
import { newKeyPair } from '../../local/services/transfer/host-key.ts';
import { bucketOf } from '../support/buckets.ts';
import { tellOfFile } from '../support/file-events.ts';
import { operate } from '../support/operate.ts';
import { finalCounts } from '../support/api-client.ts';
import { outcomeOf, sftpClient } from '../../local/test/support/sftp-client.ts';
import { until } from '../support/until.ts';
import { openSsh } from './openssh.ts';
import { counted, rows, sftpHarness, type SftpHarness } from './sftp-harness.ts';
import { describeWith } from '../../local/test/support/installed.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const newFolder = newFolders();

let harness: SftpHarness;
beforeAll(async () => {
  harness = await sftpHarness();
}, 120_000);
afterAll(() => harness[Symbol.asyncDispose]());

describe('a file dropped over SFTP', () => {
  it('a dropped file is imported without another call, from either path of its directory', async () => {
    const definition = await harness.define();
    using client = await harness.login();
    expect(await client.list('/imports')).toContain(String(definition));
    await client.put(`/imports/${definition}/short.csv`, rows('short'));
    await client.put(
      `/${harness.service.property}/imports/${definition}/long.csv.gz`,
      gzipSync(rows('long')),
    );
    expect(await harness.countsOf(definition, 'short.csv')).toMatchObject(counted);
    expect(await harness.countsOf(definition, 'long.csv.gz')).toMatchObject(counted);
    expect(await harness.jobsOf(definition)).toHaveLength(2);
  });

  it('a file waits under a temporary name, and starts with its final name', async () => {
    const definition = await harness.define();
    using client = await harness.login();
    for (const name of ['.x.csv', 'x.csv.filepart', 'x.csv.part', 'x.csv~'])
      await client.put(`/imports/${definition}/${name}`, rows('part'));
    await harness.service.cloud.idle();
    expect(await harness.jobsOf(definition)).toEqual([]);
    await client.rename(`/imports/${definition}/x.csv.filepart`, `/imports/${definition}/x.csv`);
    expect(await harness.countsOf(definition, 'x.csv')).toMatchObject(counted);
    expect(await harness.jobsOf(definition)).toHaveLength(1);
  });

  it('five events of one file make one job', async () => {
    const definition = await harness.define();
    using client = await harness.login();
    await client.put(`/imports/${definition}/x.csv`, rows('five'));
    await harness.countsOf(definition, 'x.csv');
    const bucket = bucketOf(harness.service.cloud, 'uploads');
    const key =
      harness.service.cloud.parts.storage.s3
        .list(bucket)
        .find((one) => one.endsWith(`/${definition}/x.csv`)) ?? '';
    const object = harness.service.cloud.parts.storage.s3.find(bucket, key);
    const etag = object?.etag.replaceAll('"', '') ?? '';
    const deed = { kind: 'sent', path: `/${bucket}/${key}`, bytes: object?.size ?? 0, etag } as const;
    for (let again = 0; again < 4; again += 1) await tellOfFile(harness.service.cloud, deed);
    await harness.service.cloud.idle();
    expect(await harness.jobsOf(definition)).toHaveLength(1);
  });

  it('an interrupted file imports nothing, though a part of it remains', async () => {
    const definition = await harness.define();
    const client = await harness.login();
    const path = `/imports/${definition}/broken.csv`;
    const handle = await client.open(path);
    await client.write(handle, rows('broken').slice(0, 40));
    client.cut();
    using again = await harness.login();
    await until('the part', async () =>
      (await again.list(`/imports/${definition}`)).length > 0 ? true : undefined,
    );
    await harness.service.cloud.idle();
    expect(await harness.jobsOf(definition)).toEqual([]);
    await again.put(path, rows('broken'));
    expect(await harness.countsOf(definition, 'broken.csv')).toMatchObject(counted);
  });

  it('a file replaced during its reading fails its job and makes a second job', async () => {
    const definition = await harness.define();
    using client = await harness.login();
    const { gateway } = harness.service.cloud;
    // The reading stops at the first step until the file has been replaced.
    const restore = gateway.withoutAction('inspectFile', 's3:GetObject');
    await client.put(`/imports/${definition}/x.csv`, rows('old'));
    const { id } = await harness.jobOf(definition, 'x.csv');
    await until('a stopped reader', () =>
      gateway.denials.list().find(({ caller }) => caller === 'inspectFile'),
    );
    await client.put(`/imports/${definition}/x.csv`, rows('new'));
    await until('a second job', async () =>
      (await harness.jobsOf(definition)).length === 2 ? true : undefined,
    );
    restore();
    const read = (job: number) =>
      finalCounts(
        harness.service.client,
        `/v1/${harness.service.property}/imports/${definition}/jobs/${job}`,
      );
    const [second] = await harness.jobsOf(definition);
    expect(await read(id)).toMatchObject({ status: 'failed', completed: 0 });
    expect(await read(second?.id ?? 0)).toMatchObject(counted);
  });

  it('a file is imported only if the rule of its definition matches', async () => {
    const definition = await harness.define({ file_match_rule: 'people-*.csv' });
    using client = await harness.login();
    await client.put(`/imports/${definition}/readme.txt`, 'not for you');
    await client.put(`/imports/${definition}/people-1.csv`, rows('rule'));
    expect(await harness.countsOf(definition, 'people-1.csv')).toMatchObject(counted);
    expect(await harness.jobsOf(definition)).toHaveLength(1);
  });

  it('a deleted definition has no directory, and files there make no job', async () => {
    const definition = await harness.define();
    using client = await harness.login();
    expect(await client.list('/imports')).toContain(String(definition));
    const path = `/v1/${harness.service.property}/imports/${definition}`;
    expect((await harness.service.call('DELETE', path)).status).toBe(200);
    expect(await client.list('/imports')).not.toContain(String(definition));
    await client.put(`/imports/${definition}/x.csv`, rows('deleted'));
    await harness.service.cloud.idle();
    expect((await harness.service.call('GET', `${path}/jobs`)).status).toBe(404);
    const lookup = `/v1/${harness.service.property}/profile?email=a.deleted%40example.org`;
    expect((await harness.service.call('GET', lookup)).status).toBe(404);
  });

  it('a file in a directory of no definition starts nothing', async () => {
    const definition = await harness.define();
    using client = await harness.login();
    await client.put('/imports/1001999999999/x.csv', rows('nowhere'));
    await expect(client.put('/imports/x.csv', rows('nowhere'))).rejects.toThrow('Permission denied');
    await harness.service.cloud.idle();
    expect(await client.list('/imports')).not.toContain('1001999999999');
    expect(await harness.jobsOf(definition)).toEqual([]);
  });

  it('a file starts exactly one job although S3 also sends an event, as for pre-signed uploads', async () => {
    const definition = await harness.define();
    using client = await harness.login();
    await client.put(`/imports/${definition}/sftp.csv`, rows('both'));
    const upload = v.looseObject({ url: v.string(), headers: v.record(v.string(), v.string()) });
    const body = rows('signed');
    const path = `/v1/${harness.service.property}/imports/${definition}/uploads`;
    const { url, headers } = await harness.service.client.post(
      path,
      { file_name: 'signed.csv', size: body.length },
      upload,
    );
    await fetch(url, { method: 'PUT', headers, body });
    await harness.countsOf(definition, 'sftp.csv');
    await harness.countsOf(definition, 'signed.csv');
    await harness.service.cloud.idle();
    expect(await harness.jobsOf(definition)).toHaveLength(2);
  });
});

describe('who may log in over SFTP', () => {
  const otherAccount = () => {
    const { username = '', password = '' } = harness.service.cloud.endpoints.other ?? {};
    return { username, password };
  };

  it('a user logs in with the right password, and a refused client does not learn the reason', async () => {
    for (const wrong of [
      { password: 'wrong' },
      { username: 'nobody' },
      { username: 'other' },
      { password: '' },
    ])
      await expect(sftpClient({ ...harness.account, ...wrong })).rejects.toThrow(
        'All configured authentication methods failed',
      );
  });

  it('a user logs in with a key of the operator until the key is removed', async () => {
    const pair = newKeyPair();
    const withKey = () =>
      sftpClient({
        port: harness.account.port,
        username: harness.account.username,
        privateKey: pair.private,
      });
    await expect(withKey()).rejects.toThrow('authentication');
    const added = await operate(harness.service, {
      command: 'user.key.add',
      username: harness.account.username,
      key: pair.public,
    });
    const { keys } = v.parse(v.looseObject({ keys: v.array(v.string()) }), added);
    {
      using client = await withKey();
      expect(await client.list('/')).toEqual([String(harness.service.property), 'imports']);
    }
    await operate(harness.service, {
      command: 'user.key.remove',
      username: harness.account.username,
      fingerprint: keys[0],
    });
    await expect(withKey()).rejects.toThrow('authentication');
  });

  it('a user sees nothing of another account', async () => {
    const definition = await harness.define();
    const { other } = harness.service.cloud.endpoints;
    using stranger = await sftpClient({ ...harness.account, ...otherAccount() });
    expect(await stranger.list('/')).toEqual([String(other?.property_id), 'imports']);
    for (const path of [
      `/${harness.service.property}/imports/${definition}`,
      `/imports/${definition}`,
      `/imports/../../1/${harness.service.property}/imports/${definition}`,
    ])
      expect(await outcomeOf(stranger.list(path))).toBe(2);
    expect(
      await outcomeOf(stranger.put(`/${harness.service.property}/imports/${definition}/x.csv`, rows('x'))),
    ).toBe(3);
    // A user's own tree treats the name of a foreign definition as an unknown directory.
    await stranger.put(`/imports/${definition}/x.csv`, rows('foreign'));
    await harness.service.cloud.idle();
    expect(await harness.jobsOf(definition)).toEqual([]);
    const lookup = `/v1/${harness.service.property}/profile?email=a.foreign%40example.org`;
    expect((await harness.service.call('GET', lookup)).status).toBe(404);
  });

  it('a user with several properties has no short path', async () => {
    await operate(harness.service, { command: 'property.create', account: 2, name: 'Second' });
    using client = await sftpClient({ ...harness.account, ...otherAccount() });
    expect(await client.list('/')).toHaveLength(2);
    expect(await client.list('/')).not.toContain('imports');
  });

  it('a session needs each action of its role, and is refused without it, as in AWS', async () => {
    const definition = await harness.define();
    using client = await harness.login();
    const role = shortName(
      harness.service.cloud.deployment.roles.find(({ name }) => name.includes('SftpRole'))?.name ?? '',
    );
    for (const [action, act] of [
      ['s3:PutObject', () => client.put(`/imports/${definition}/x.csv`, 'x')],
      ['s3:ListBucket', () => client.list(`/imports/${definition}`)],
    ] as const) {
      const restore = harness.service.cloud.gateway.withoutAction(role, action);
      expect(await outcomeOf(act())).toBe(3);
      restore();
    }
  });
});

describeWith('sftp', 'a stock client', () => {
  const folder = newFolder();

  it('sftp logs in by password, drops a file, and disconnects', async () => {
    const definition = await harness.define();
    const askpass = join(folder, 'askpass');
    writeFileSync(join(folder, 'people.csv'), rows('openssh'));
    writeFileSync(askpass, `#!/bin/sh\necho '${harness.account.password}'\n`, { mode: 0o700 });
    const env = { SSH_ASKPASS: askpass, SSH_ASKPASS_REQUIRE: 'force' };
    const options = ['-o', 'PubkeyAuthentication=no'];
    const lines = [
      'ls imports',
      `cd imports/${definition}`,
      'put people.csv',
      'ls -l',
      'get people.csv back',
    ];
    const { code, text } = await openSsh({ ...harness.account, folder, options, env }, [...lines, 'bye']);
    expect(text).toContain(String(definition));
    expect(text).toMatch(/-rw-r--r--.* people\.csv/);
    expect(code).toBe(0);
    expect(readFileSync(join(folder, 'back'), 'utf8')).toBe(rows('openssh'));
    expect(await harness.countsOf(definition, 'people.csv')).toMatchObject(counted);
  });

  it('sftp logs in by key, renames, and is refused files of others', async () => {
    const definition = await harness.define();
    const pair = newKeyPair();
    const key = { command: 'user.key.add', username: harness.account.username, key: pair.public };
    await operate(harness.service, key);
    writeFileSync(join(folder, 'key'), pair.private, { mode: 0o600 });
    writeFileSync(join(folder, 'late.csv'), rows('late'));
    const options = ['-i', join(folder, 'key'), '-b', '-'];
    const at = `/imports/${definition}`;
    const run = (...lines: readonly string[]) => openSsh({ ...harness.account, folder, options }, lines);
    const sent = await run(`put -p late.csv ${at}/a.filepart`, `rename ${at}/a.filepart ${at}/late.csv`);
    expect(sent).toMatchObject({ code: 0 });
    expect(await harness.countsOf(definition, 'late.csv')).toMatchObject(counted);
    const refused = [
      `mkdir ${at}/sub`,
      `rmdir ${at}`,
      'cd /1002',
      'put late.csv /late.csv',
      'get ../../../etc/passwd',
      `symlink ${at}/late.csv ${at}/link`,
    ];
    for (const line of refused) expect((await run(line)).code, line).toBe(1);
  });
});
