/** `tidemark person` with a last name, on a property that searches by name. */
import { beforeAll, describe, expect, it } from 'vitest';
import { keys } from '../../shared/table/keys.ts';
import { putItem } from '../support/items.ts';
import { inProcess } from './run-cli.ts';
import { newUser } from './user.ts';

const user = await newUser();

beforeAll(async () => {
  const { service, api } = user;
  // Before the first request, as after a pass over all people: a process knows of other rules half a minute later.
  await putItem(service, keys.rules(service.property), {
    ...{ profile_months: null, file_days: null, special_categories: true },
    ...{ names_since: 1, names_ready: 1 },
  });
  for (const [unique_id, first_name, last_name, city] of [
    ['M-1', 'Anna', 'Müller', 'Köln'],
    ['M-2', 'Udo', 'Mueller', 'Bonn'],
    ['N-1', 'Ada', 'Noor', 'Köln'],
  ])
    await api('POST', '/profiles', { unique_id, first_name, last_name, city });
  const { base_url, client_id = '', username = '', password = '' } = service.cloud.endpoints;
  const login = ['login', '--base-url', base_url, '--client-id', client_id, '--username', username];
  const { code } = await inProcess(user.home, [...login, '--password-stdin'], { input: `${password}\n` });
  expect(code).toBe(0);
}, 60_000);

describe('a word that is no identity is a last name', () => {
  it('shows the one person, several as a table, and says what it tried for nobody', async () => {
    const one = await user.cli('person', 'noor');
    expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/^last_name +Noor$/m)]);
    const inTown = await user.cli('person', 'Müller', '--city', 'Koeln');
    expect([inTown.code, inTown.stdout]).toEqual([0, expect.stringMatching(/unique_id +M-1\n/)]);
    const both = await user.cli('person', 'muller');
    expect([both.code, both.stdout]).toEqual([
      0,
      expect.stringMatching(/M-1.*Köln.*\n.*M-2.*Bonn.*\n2 people of this name\.\n$/),
    ]);
    const anna = await user.cli('person', 'Anna Müller', '--city', 'Köln');
    expect([anna.code, anna.stdout]).toEqual([0, expect.stringMatching(/unique_id +M-1\n/)]);
    const nobody = await user.cli('person', 'Falk', '--city', 'Köln');
    expect([nobody.code, nobody.stderr]).toEqual([
      1,
      'tidemark: Nobody has a name that begins with "Falk" in a town that begins with "Köln".\n',
    ]);
    const unknown = await user.cli('person', 'Falk');
    expect(unknown.stderr).toBe('tidemark: Nobody has the id "Falk", or a name that begins with "Falk".\n');
    expect((await user.cli('person', 'M-2')).stdout).toMatch(/city +Bonn\n/);
  });
});
