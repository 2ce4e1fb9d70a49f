import { beforeEach, describe, expect, it } from 'vitest';
import { newKeyPair } from '../../local/services/transfer/host-key.ts';
import { authFailureLine, connectedLine, type Proof } from '../../local/services/transfer/log-lines.ts';
import { recordKeyLogins } from '../../shared/auth/key-login.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import {
  type Account,
  askSftp,
  type AuthHarness,
  demoHarness,
  makeAccount,
  must,
  PASSWORD,
} from '../auth/harness.ts';
import { textLike } from '../support/answers.ts';
import { inLogOf, trailThatIsDown } from './audit-log.ts';

let harness: AuthHarness;
let demo: Account;
beforeEach(async () => {
  ({ harness, demo } = await demoHarness());
});

const entries = () => harness.auditLog.items();

describe('a login over SFTP by key', () => {
  const time = Date.UTC(2026, 0, 15, 11, 59, 58, 250);
  const key = newKeyPair().public;
  const who = { serverId: 's-1', username: 'demo', clientIp: '192.0.2.7' };
  const opened = { sessionId: '9ca9a0e1cec6ad9d', role: 'r', client: 'SSH-2.0-OpenSSH_9.9' };
  const proof: Proof = {
    method: 'publickey',
    key: Buffer.from(key.split(' ')[1] ?? '', 'base64'),
    type: 'ssh-ed25519',
  };
  const byKey = connectedLine(who, { ...opened, proof });
  const tell = (...told: readonly object[]) =>
    recordKeyLogins(
      harness.deps,
      told.map((line) => ({ timestamp: time, message: JSON.stringify(line) })),
    );

  it('is recorded once, with the time of its line, the address and the key', async () => {
    const added = must(await harness.run({ command: 'user.key.add', username: 'demo', key }));
    await tell(byKey);
    harness.time.now += 60_000;
    await tell(byKey, byKey);
    expect(entries()).toEqual([
      expect.objectContaining({
        pk: inLogOf(demo.account),
        time,
        action: 'sftp.login',
        outcome: 'admitted',
        user: 1,
        source: '192.0.2.7',
        ids: { ssh_key: textLike(/^SHA256:[\w+/]{43}$/) },
      }),
    ]);
    expect(JSON.stringify(added)).toContain(byKey['ssh-public-key-fingerprint']);
    expect(JSON.stringify(entries())).toContain(byKey['ssh-public-key-fingerprint']);
    expect(harness.told()).toContainEqual(
      expect.objectContaining({ code: 'login.admitted', account: demo.account, user: 1 }),
    );
    expect(harness.lines.join('') + JSON.stringify(entries())).not.toContain('demo');
  });

  it('of another session is another entry', async () => {
    await tell(byKey, { ...byKey, 'session-id': 'e1cec6ad9d9ca9a0' });
    expect(entries()).toHaveLength(2);
  });

  it('has the account of the user, whatever the case of the name', async () => {
    const other = await makeAccount(harness, 'other');
    await tell({ ...byKey, user: 'OTHER' });
    expect(entries()).toEqual([expect.objectContaining({ pk: inLogOf(other.account), user: 2 })]);
  });

  it('a login by password keeps the one entry of the function that checked the password', async () => {
    await askSftp(harness, { password: PASSWORD });
    await tell(connectedLine(who, { ...opened, proof: { method: 'password' } }));
    expect(entries()).toEqual([expect.objectContaining({ outcome: 'admitted', time: harness.time.now })]);
  });

  it.each(['nobody', '', 'x'.repeat(10_240), 'demo\n'])(
    'of a user that does not exist is only in the log (%j)',
    async (user) => {
      await tell({ ...byKey, user });
      expect(entries()).toEqual([]);
      expect(harness.told()).toEqual([
        expect.objectContaining({ code: 'login.admitted', action: 'sftp.login', source: '192.0.2.7' }),
      ]);
      expect(harness.told()).not.toContainEqual(expect.objectContaining({ account: textLike(/./) }));
    },
  );

  it.each([
    ['no JSON', 'CONNECTED demo'],
    ['a refused login', JSON.stringify(authFailureLine(who, 'publickey'))],
    ['no session', JSON.stringify({ ...byKey, 'session-id': '' })],
  ])('a line with %s is reported, and the other lines are recorded', async (_, message) => {
    await recordKeyLogins(harness.deps, [
      { timestamp: time, message },
      { timestamp: time, message: JSON.stringify(byKey) },
    ]);
    expect(entries()).toHaveLength(1);
    expect(harness.told()).toContainEqual(expect.objectContaining({ code: 'message.unknown' }));
  });

  it('fails while the audit log takes no entries, so that Lambda calls again', async () => {
    const audit = trailThatIsDown(harness.deps);
    const told = [{ timestamp: time, message: JSON.stringify(byKey) }];
    await expect(recordKeyLogins({ ...harness.deps, audit }, told)).rejects.toThrow(UnavailableError);
    await tell(byKey);
    expect(entries()).toHaveLength(1);
  });
});
