import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { commandGroups, commands } from '../../cli/admin-command-list.ts';
import { help, readArguments } from '../../cli/admin-commands.ts';
import { askOperator, describeTarget, findTarget } from '../../cli/admin-service.ts';
import { readSecret } from '../../cli/read-secret.ts';
import { deletePropertyCommand } from '../../shared/operator/delete-property.ts';
import { readCommand } from '../../shared/operator/operator-commands.ts';
import * as v from 'valibot';
import { listening } from '../support/listening.ts';
import { newFolders } from '../../local/test/support/folders.ts';

const newFolder = newFolders();

const read = (line: string) => readArguments(line === '' ? [] : line.split(' '));

describe('the operator command line', () => {
  it.each([
    ['account create --name Acme', { command: 'account.create', name: 'Acme' }],
    [
      'account create --name Acme --with-user ada --email a@example.com',
      { command: 'account.create', name: 'Acme', with_user: 'ada', email: 'a@example.com' },
    ],
    ['account list', { command: 'account.list' }],
    ['account rename --account 7 --name New', { command: 'account.rename', account: 7, name: 'New' }],
    [
      'account limit --account 7 --requests-per-second 20',
      { command: 'account.limit', account: 7, requests_per_second: 20 },
    ],
    ['account limit --account 7', { command: 'account.limit', account: 7 }],
    ['property list', { command: 'property.list' }],
    ['property list --account 7', { command: 'property.list', account: 7 }],
    ['property rename --property 7 --name New', { command: 'property.rename', property: 7, name: 'New' }],
    ['property show --property 7', { command: 'property.show', property: 7 }],
    [
      'property set --property 7 --profile-months 24 --file-days 7 --special-categories off --search-names on',
      {
        ...{ command: 'property.set', property: 7 },
        ...{ profile_months: 24, file_days: 7, special_categories: 'off', search_names: 'on' },
      },
    ],
    [
      'property set --property 7 --profile-months 0 --file-days 0',
      { command: 'property.set', property: 7, profile_months: 0, file_days: 0 },
    ],
    ['user list --account 7', { command: 'user.list', account: 7 }],
    ['account show --account 7', { command: 'account.show', account: 7 }],
    ['account delete --account 7 --confirm Acme', { command: 'account.delete', account: 7, confirm: 'Acme' }],
    ['property create --account 7 --name Shop', { command: 'property.create', account: 7, name: 'Shop' }],
    ['client create --account 7', { command: 'client.create', account: 7 }],
    [
      'user create --account 7 --username acme --email a@example.com',
      {
        command: 'user.create',
        account: 7,
        username: 'acme',
        email: 'a@example.com',
        first_name: 'API',
        last_name: 'User',
      },
    ],
    [
      'user create --account 7 --username acme --email a@example.com --first-name A --last-name B',
      {
        command: 'user.create',
        account: 7,
        username: 'acme',
        email: 'a@example.com',
        first_name: 'A',
        last_name: 'B',
      },
    ],
    [
      'user create --account 7 --username acme --email a@example.com --role importer',
      {
        ...{ command: 'user.create', account: 7, username: 'acme', email: 'a@example.com' },
        ...{ first_name: 'API', last_name: 'User', role: 'importer' },
      },
    ],
    ['user role --username acme --role reader', { command: 'user.role', username: 'acme', role: 'reader' }],
    [
      'import grant --property 7 --import 7000000001 --tier provider_1',
      { command: 'import.grant', property: 7, import: 7_000_000_001, tier: 'provider_1' },
    ],
    [
      'import revoke --property 7 --import 7000000001',
      { command: 'import.revoke', property: 7, import: 7_000_000_001 },
    ],
    [
      'enricher set --property 7 --name crm --url https://crm.example/ --asks identity --tiers provider_1,social_network',
      {
        command: 'enricher.set',
        property: 7,
        name: 'crm',
        url: 'https://crm.example/',
        asks: 'identity',
        tiers: ['provider_1', 'social_network'],
      },
    ],
    ['enricher remove --property 7 --name crm', { command: 'enricher.remove', property: 7, name: 'crm' }],
    ['enricher list --property 7', { command: 'enricher.list', property: 7 }],
    [
      'user key add --username acme --key ssh-ed25519',
      { command: 'user.key.add', username: 'acme', key: 'ssh-ed25519' },
    ],
    [
      'user key add --username acme --key-file .npmrc',
      { command: 'user.key.add', username: 'acme', key: readFileSync('.npmrc', 'utf8') },
    ],
    [
      `user key remove --username acme --fingerprint SHA256:${'a'.repeat(43)}`,
      { command: 'user.key.remove', username: 'acme', fingerprint: `SHA256:${'a'.repeat(43)}` },
    ],
    ['user key list --username acme', { command: 'user.key.list', username: 'acme' }],
    ['dead-letters list', { command: 'dead-letters.list' }],
    ['dead-letters show --queue drains', { command: 'dead-letters.show', queue: 'drains' }],
    ['dead-letters redrive --queue drains', { command: 'dead-letters.redrive', queue: 'drains' }],
    ['dead-letters delete --queue drains', { command: 'dead-letters.delete', queue: 'drains' }],
    ['counters list', { command: 'counters.list' }],
    ['brands show', { command: 'brands.show' }],
    ['client rotate --account 7', { command: 'client.rotate', account: 7 }],
    ['user password --username acme', { command: 'user.password', username: 'acme' }],
    ['user disable --username acme', { command: 'user.disable', username: 'acme' }],
    ['user enable --username acme', { command: 'user.enable', username: 'acme' }],
    ['user delete --username acme', { command: 'user.delete', username: 'acme' }],
    ['token list --username acme', { command: 'token.list', username: 'acme' }],
    ['token list --account 7', { command: 'token.list', account: 7 }],
    ['token revoke --username acme', { command: 'token.revoke', username: 'acme' }],
    ['token revoke --account 7', { command: 'token.revoke', account: 7 }],
    [`token revoke --id ${'a'.repeat(64)}`, { command: 'token.revoke', id: 'a'.repeat(64) }],
    [`token revoke --token ${'a'.repeat(64)}`, { command: 'token.revoke', token: 'a'.repeat(64) }],
  ])('%s sends the operator function the expected request', (line, payload) => {
    const request = read(line);
    expect(request).toMatchObject({ kind: 'run', json: false, yes: false });
    expect(request.kind === 'run' && request.payload).toEqual(payload);
    expect(readCommand(payload).ok).toBe(true);
  });

  it('the command that loads a catalogue takes one file name or none', () => {
    expect(read('brands load')).toMatchObject({ kind: 'run', payload: { command: 'brands.load' } });
    expect(read('brands load --file b.csv')).toMatchObject({
      payload: { command: 'brands.load', file: 'b.csv' },
    });
  });

  it('the command that raises counters takes the list of earlier counters from a file', () => {
    const restored = '2026-11-23T06:00:00Z';
    const payload = { command: 'counters.raise', restored };
    expect(read(`counters raise --restored ${restored}`)).toMatchObject({ kind: 'run', payload });
    expect(read(`counters raise --restored ${restored} --earlier .npmrc --dry-run`)).toMatchObject({
      payload: { ...payload, earlier: readFileSync('.npmrc', 'utf8'), dry_run: true },
    });
    expect(read('counters raise')).toMatchObject({ kind: 'wrong' });
  });

  it('the command that deletes a property sends the deletion function the expected request', () => {
    const payload = { command: 'property.delete', property: 7, confirm: '7' };
    expect(read('property delete --property 7 --confirm 7')).toMatchObject({ kind: 'run', payload });
    expect(v.is(deletePropertyCommand, payload)).toBe(true);
  });

  it('an operator command names its stage and prints JSON', () => {
    expect(read('client create --account 7 --stage prod --json')).toMatchObject({
      stage: 'prod',
      json: true,
    });
  });

  it.each([
    ['account', 'There is no command "account"; --help lists them. Did you mean "account create"?'],
    ['acount create', 'Did you mean "account create"?'],
    ['account remove --account 7', 'There is no command "account remove"'],
    ['account delete --account 7', 'needs --confirm <text>: number or name of the account, once more.'],
    [
      'forgettings replay',
      'needs --since <time>: time to which the table was restored, such as 2026-11-23T06:00:00Z.',
    ],
    ['property delete --property 7', 'needs --confirm <text>'],
    ['account create', 'needs --name <text>'],
    ['account create --nam x', '"account create" has no option --nam; did you mean --name?'],
    ['account create --colour x', '"account create" has no option --colour; --help lists its options.'],
    ['account create --name x --account 7', 'has no option --account'],
    ['client create --account seven', '--account takes a number'],
    ['client create --account 007', '--account takes a number'],
    [
      'user role --username acme',
      'needs --role <role>: owner, editor, importer, exporter, reader or viewer.',
    ],
    ['import grant --property 7 --import 8', 'needs --tier <name>'],
    ['import revoke --property 7', 'needs --import <number>'],
    ['token revoke', 'needs one of --username, --account, --id, --token'],
    ['token revoke --username a --token b', 'needs one of --username, --account, --id, --token'],
    ['token list --account x', '--account takes a number'],
    ['user key add --username a', 'needs one of --key, --key-file'],
    [
      'user create --account 7 --username a --email b --password c',
      '"user create" has no option --password; did you mean --password-stdin?',
    ],
  ])('%s is refused in one sentence', (line, sentence) => {
    const request = read(line);
    expect(request.kind === 'wrong' && request.message).toContain(sentence);
  });

  it.each(['', '--help', 'nonsense --help'])('"%s" prints every command', (line) => {
    const request = read(line);
    const text = request.kind === 'help' ? help(request.words) : '';
    for (const { words, about } of commands)
      expect(text).toMatch(new RegExp(`${words} +${about.slice(0, 9)}`));
  });

  it('the help groups commands by what they are about', () => {
    const groups = help('')
      .split('\n')
      .filter((line) => /^\S.*:$/.test(line));
    expect(groups.slice(0, -1)).toEqual(commandGroups.map(({ title }) => `${title}:`));
  });

  it('the help of some words explains the commands that begin with them, and no others', () => {
    expect(read('user key --help')).toEqual({ kind: 'help', words: 'user key' });
    expect(help('user key')).toContain('--fingerprint <SHA256:…>');
    expect(help('user key')).not.toContain('user create');
  });
});

it.each([['local'], [undefined]])(
  'a command for the stage %s goes nowhere when no local service is running, and says how to start it',
  async (stage) => {
    await expect(findTarget({ stage }, '/nowhere/endpoints.json')).rejects.toThrow('npm start');
  },
);

describe('the target of a command', () => {
  const configured = {
    region: () => Promise.resolve('us-west-2'),
    account: ({ region }: { region: string }) => Promise.resolve(`account of ${region}`),
  };

  it('a stage in AWS is named with its account, region and profile before the command runs', async () => {
    const prod = { stage: 'prod', region: 'eu-central-1', profile: 'ops' };
    expect(describeTarget(await findTarget(prod, undefined, configured))).toBe(
      'Stage prod in AWS account account of eu-central-1, eu-central-1, profile ops',
    );
    expect(describeTarget(await findTarget({ stage: 'dev' }, undefined, configured))).toBe(
      'Stage dev in AWS account account of us-west-2, us-west-2',
    );
  });

  it('a stage without a region is refused in one sentence that says where to set it', async () => {
    const region = () => Promise.reject(new Error('Region is missing'));
    await expect(findTarget({ stage: 'dev' }, undefined, { ...configured, region })).rejects.toThrow(
      'No AWS region: set AWS_REGION',
    );
  });

  it('without credentials of AWS nothing runs, and one sentence says so', async () => {
    const missing = Object.assign(new Error('no chain'), { name: 'CredentialsProviderError' });
    const account = () => Promise.reject(missing);
    await expect(findTarget({ stage: 'dev' }, undefined, { ...configured, account })).rejects.toThrow(
      'No AWS credentials were found',
    );
  });
});

describe('a password on the command line', () => {
  it.each(['user create --account 7 --username acme --email a@example.com', 'user password --username acme'])(
    'the password of "%s" comes from standard input, never from the command line',
    (line) => {
      const request = read(`${line} --password-stdin`);
      expect(request).toMatchObject({ kind: 'run', stdin: 'password' });
      expect(request.kind === 'run' && Object.keys(request.payload)).not.toContain('password');
    },
  );

  it('a piped password loses its line end and nothing else', async () => {
    expect(await readSecret('password', Readable.from(['two ', 'parts \r\n']))).toBe('two parts ');
    expect(await readSecret('password', Readable.from(['no end']))).toBe('no end');
  });
});

it.each(['operator', 'auditIndex', 'replayForgettings', 'deleteProperty'])(
  "the command line calls %s under the name of this machine's user",
  async (asked) => {
    const heard: unknown[] = [];
    const server = createServer((incoming, outgoing) => {
      void json(incoming).then((payload) => {
        heard.push([incoming.url, payload]);
        outgoing.setHeader('content-type', 'application/json').end('{"ok":true}');
      });
    });
    await using aws = await listening(server);
    const file = join(newFolder(), 'endpoints.json');
    const aws_credentials = { access_key_id: 'a', secret_access_key: 'b', region: 'us-east-1' };
    const base_url = 'http://127.0.0.1:8080';
    writeFileSync(file, JSON.stringify({ base_url, aws_endpoint: aws.url, aws_credentials }));
    const target = await findTarget({ stage: 'local' }, file);
    expect(describeTarget(target)).toBe('Local service at http://127.0.0.1:8080');
    expect(await askOperator({ command: 'x' }, target, asked)).toEqual({ ok: true });
    const path = `/2015-03-31/functions/tidemark-local-${asked}/invocations`;
    expect(heard).toEqual([[path, { command: 'x', operator: userInfo().username }]]);
  },
);
