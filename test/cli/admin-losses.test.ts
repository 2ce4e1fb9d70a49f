/** The questions before destructive commands, with the facts of real accounts. */
import { beforeEach, describe, expect, it } from 'vitest';
import { readArguments } from '../../cli/admin-commands.ts';
import type { AskFacts } from '../../cli/admin-losses.ts';
import type { AdminAnswer } from '../../cli/admin-service.ts';
import { operate, type OperatorAnswer } from '../../shared/operator/operator-commands.ts';
import { memoryDeadLetters } from '../support/memory-dead-letters.ts';
import { authHarness, makeAccount, must, PASSWORD, type AuthHarness } from '../auth/harness.ts';

let harness: AuthHarness;
let ask: AskFacts;
const run = async (command: object) => must(await harness.run(command));

const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f';
const fingerprint = 'SHA256:hsYjd4Uj0mAFbzfXIiPn1KJhWpT1kVIXLM1Z1b4cU3k';

beforeEach(async () => {
  harness = authHarness();
  ask = async (command) => shown(await harness.run(command));
  const { client_id } = await makeAccount(harness, 'ada');
  const body = { grant_type: 'password', client_id, username: 'ada', password: PASSWORD };
  expect(await harness.send({ body: JSON.stringify(body) })).toMatchObject({ statusCode: 200 });
});

const shown = (answer: OperatorAnswer): AdminAnswer =>
  answer.ok ? answer : { ok: false, error: { message: answer.error.message, errors: [] } };

/** What a command line would take away, in words. */
const lossOf = async (line: string) => {
  const request = readArguments(line.split(' '));
  if (request.kind !== 'run' || !request.loss) throw new Error(`"${line}" takes away nothing`);
  return request.loss(request.payload, ask);
};

describe('the question before', () => {
  it.each([
    ['account delete --account 1 --confirm 1', 'Delete account 1 (ada Ltd) with its client id and 1 user'],
    ['client rotate --account 1', 'Replace the client id of account 1 (ada Ltd), which has 1 user,'],
    [
      'property delete --property 1001 --confirm 1001',
      'Delete property 1001 (Shop) of account 1 with all its data',
    ],
    [
      'user delete --username ada',
      'Delete user ada with 1 token and 0 SSH keys, and close the links that the user made',
    ],
    [
      'user erase --account 1 --user 7 --email ada@example.com',
      'End mail, links and names of user 7 (ada@example.com) of account 1',
    ],
    ['user delete --username ada --keep-links', 'Delete user ada with 1 token and 0 SSH keys'],
  ])('%s names the thing and the numbers', async (line, value) => {
    expect(await lossOf(line)).toEqual({ ok: true, value });
  });

  it('user delete names the keys among the tokens, which programs use', async () => {
    const { client_id } = await run({ command: 'account.show', account: 1 });
    for (const name of ['Box office', 'Newsletter']) {
      harness.time.now += 1;
      const body = { grant_type: 'password', client_id, username: 'ada', password: PASSWORD, name };
      expect(await harness.send({ body: JSON.stringify(body) })).toMatchObject({ statusCode: 200 });
    }
    expect(await lossOf('user delete --username ada --keep-links')).toEqual({
      ok: true,
      value: 'Delete user ada with 3 tokens (keys: Box office, Newsletter) and 0 SSH keys',
    });
  });

  it('user key remove names the key among the keys of the user', async () => {
    const added = await run({ command: 'user.key.add', username: 'ada', key: sshKey });
    const line = `user key remove --username ada --fingerprint ${String(added['keys'])}`;
    expect(await lossOf(line)).toEqual({
      ok: true,
      value: `Remove key ${String(added['keys'])}, 1 of 1 SSH key of user ada,`,
    });
  });

  it('enricher remove names the address that is asked', async () => {
    const crm = { name: 'crm', url: 'https://crm.example.org/', asks: 'identity', tiers: ['provider_1'] };
    await run({ command: 'enricher.set', property: 1001, ...crm });
    expect(await lossOf('enricher remove --property 1001 --name crm')).toEqual({
      ok: true,
      value: 'Remove enricher crm (https://crm.example.org/) of property 1001',
    });
  });

  it('dead-letters delete names the queue and the number of messages', async () => {
    const { ports, at } = memoryDeadLetters();
    at('importBatches-dead-letters').push(
      { id: '1', sentAt: 0, body: '{}' },
      { id: '2', sentAt: 0, body: '{}' },
    );
    ask = async (command) => shown(await operate({ ...harness.deps, deadLetters: ports }, command));
    expect(await lossOf('dead-letters delete --queue importBatches')).toEqual({
      ok: true,
      value: 'Delete all messages (about 2) of the dead-letter queue importBatches',
    });
  });

  it('property delete finds the property beyond the first page of all', async () => {
    for (let more = 0; more < 120; more += 1)
      await run({ command: 'property.create', account: 1, name: `P${more}` });
    expect(await lossOf('property delete --property 1121 --confirm 1121')).toMatchObject({
      value: 'Delete property 1121 (P119) of account 1 with all its data',
    });
  });

  it.each([
    ['account delete --account 7 --confirm 7', 'There is no such account.'],
    ['client rotate --account 7', 'There is no such account.'],
    ['property delete --property 7 --confirm 7', 'There is no such property.'],
    ['property delete --property 1 --confirm 1', 'There is no such property.'],
    ['user delete --username eve', 'There is no such user.'],
    [`user key remove --username eve --fingerprint ${fingerprint}`, 'There is no such user.'],
    [`user key remove --username ada --fingerprint ${fingerprint}`, 'This user has no such key.'],
    ['enricher remove --property 7 --name crm', 'There is no such property.'],
    ['enricher remove --property 1001 --name crm', 'There is no such enricher.'],
    ['dead-letters delete --queue nothing', 'There is no such queue;'],
  ])('%s is left out, because there is no such thing', async (line, sentence) => {
    const loss = await lossOf(line);
    expect(loss.ok ? '' : loss.error).toContain(sentence);
  });
});
