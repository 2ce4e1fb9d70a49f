import { describe, expect, it } from 'vitest';
import { readCommand } from '../../shared/operator/operator-commands.ts';
import { authHarness, must } from '../auth/harness.ts';

const command = {
  command: 'account.create',
  name: 'Harbour Hall',
  with_user: 'ada',
  email: 'ada@example.org',
};

describe('an account opened in one step', () => {
  it('has a property, a client id and a user with a password that is shown once', async () => {
    const harness = authHarness();
    const opened = must(await harness.run(command));
    expect(opened).toMatchObject({ account: 1, property: 1001, username: 'ada' });
    expect(String(opened['password'])).toMatch(/^.{15,}$/);
    const shown = must(await harness.run({ command: 'account.show', account: 1 }));
    expect(shown).toMatchObject({
      name: 'Harbour Hall',
      client_id: opened['client_id'],
      properties: [{ id: 1001, name: 'Harbour Hall' }],
      users: [{ username: 'ada', email: 'ada@example.org', status: 'enabled' }],
    });
    expect(JSON.stringify(shown)).not.toContain(String(opened['password']));
  });

  it('is not created when the user name is taken', async () => {
    const harness = authHarness();
    must(await harness.run(command));
    const again = await harness.run({ ...command, with_user: 'ADA' });
    expect(again).toMatchObject({ ok: false, error: { code: 'username_taken' } });
    expect(await harness.run({ command: 'account.show', account: 2 })).toMatchObject({ ok: false });
  });

  it('may still be created alone', async () => {
    expect(must(await authHarness().run({ command: 'account.create', name: 'Empty' }))).toEqual({
      ok: true,
      account: 1,
    });
  });
});

describe('a refused operator command', () => {
  const detailsOf = (sent: object): readonly string[] => {
    const read = readCommand(sent);
    return read.ok ? [] : read.error.map(({ pointer, detail }) => `${pointer} ${detail}`);
  };

  it.each([
    [{ ...command, email: 'a@b.c' }, '/email Must be an e-mail address such as ada@example.org'],
    [{ ...command, with_user: 'a' }, '/with_user Must be 3 to 100 letters'],
    [{ ...command, email: undefined }, 'Needs both a user and its e-mail address, or neither.'],
    [{ ...command, password: 'short' }, '/password Must have at least 15 characters.'],
    [{ command: 'account.create', name: 'x', password: 'a long enough password' }, '/password'],
    [
      { command: 'import.grant', property: 1, import: 2, tier: 'gold' },
      '/tier Must be professional_network, social_network, provider_1, provider_2 or provider_3.',
    ],
    [
      { command: 'user.key.remove', username: 'ada', fingerprint: 'x' },
      '/fingerprint Must be SHA256: and 43',
    ],
    [{ command: 'token.revoke', id: 'x' }, '/id Must be 64 digits 0-9 and a-f'],
  ])('%# says what is expected', (sent, sentence) => {
    expect(detailsOf(sent).join('\n')).toContain(sentence);
  });
});
