import { userHash } from '../../shared/auth/credential-items.ts';
import { limits } from '../../shared/config/limits.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { operate } from '../support/operate.ts';
import { deadLettersOf } from '../support/redrive.ts';
import { tableNames } from '../support/table-names.ts';
import { loadBrands } from './exercise-brands.ts';
import { putItem, type Exercise } from './exercise-scene.ts';

/** Commands that together use every right of the operator. */
export const operator: Exercise = async (harness) => {
  const { service, fresh, webhook } = harness;
  const send = (command: Record<string, unknown>): Promise<unknown> => operate(service, command);
  await send({ command: 'account.create', name: `A${fresh()}` });
  const account = 1;
  const username = `user${fresh()}`;
  await send({ command: 'property.create', account, name: 'P' });
  await send({
    command: 'user.create',
    account,
    username,
    email: 'u@example.org',
    first_name: 'U',
    last_name: 'V',
  });
  await send({ command: 'client.create', account });
  await send({ command: 'account.show', account });
  const exercised = { property: service.property, name: 'exercised' };
  const asked = { url: webhook, asks: 'identity', tiers: ['provider_1'] };
  await send({ command: 'enricher.set', ...exercised, ...asked });
  await send({ command: 'enricher.remove', ...exercised });
  await send({ command: 'token.list', account: 1 });
  await send({ command: 'user.disable', username });
  await send({ command: 'user.delete', username });
  await handleDeadLetters(harness);
  await send({ command: 'counters.list' });
  await send({ command: 'audit-log.since', since: new Date(0).toISOString() });
  await send({
    command: 'counters.raise',
    restored: '2026-11-23T06:00:00Z',
    service: [{ name: 'user', value: 1 }],
    counters: [{ property: service.property, name: 'timeline', value: 1 }],
  });
  await send({ command: 'brands.begin' });
  await loadBrands(harness);
};

/** Looks at dead letters, sends them back, and deletes others. */
const handleDeadLetters: Exercise = async ({ service, fresh }) => {
  const dead = deadLettersOf(service, 'drains');
  const body = JSON.stringify({ v: 1, property: service.property, group: 0 });
  for (const command of ['list', 'redrive', 'delete']) {
    dead.send(body, { groupId: 'exercise', deduplicationId: `dead ${fresh()}` });
    await operate(service, {
      command: `dead-letters.${command}`,
      ...(command !== 'list' && { queue: 'drains' }),
    });
  }
};

/** A right password, whose token ends an older token, and a wrong password. */
export const issueToken: Exercise = async (harness) => {
  const { service, account, fresh } = harness;
  const owner = userHash(account.username);
  for (let count = 0; count < limits.auth.tokensPerUser; count += 1)
    await putItem(
      harness,
      credentialKeys.userToken(owner, count, String(fresh())),
      { token: `old ${fresh()}` },
      tableNames.credentials,
    );
  for (const password of [account.password, `wrong-${fresh()}`]) {
    const body = JSON.stringify({
      grant_type: 'password',
      ...account,
      password,
    });
    await service.call('POST', '/oauth/token', { body, as: 'nobody' });
  }
};

/** Creates an account of its own, and gives the demo user a password that the user lacks. */
export const seed: Exercise = async ({ service, account, fresh }) => {
  const name = `seed${fresh()}`;
  const made = { account: name, property: 'P', client_id: `client-of-${name}`, username: name };
  await service.cloud.invoke('seed', { accounts: [{ ...made, password: account.password }] });
  await service.cloud.invoke('seed', { accounts: [{ ...made, password: `another ${account.password}` }] });
};
