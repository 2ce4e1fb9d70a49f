import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { help, readArguments } from '../../cli/admin-commands.ts';
import { askOperator } from '../../cli/admin-service.ts';
import { operatorCommand } from '../../shared/auth/operator.ts';
import * as v from 'valibot';

const read = (line: string) => readArguments(line === '' ? [] : line.split(' '));

describe('a command line', () => {
  it.each([
    ['account create --name Acme', { command: 'account.create', name: 'Acme' }],
    ['account show --account 7', { command: 'account.show', account: 7 }],
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
      'user create --account 7 --username acme --email a@example.com --first-name A --last-name B --password secret',
      {
        command: 'user.create',
        account: 7,
        username: 'acme',
        email: 'a@example.com',
        first_name: 'A',
        last_name: 'B',
        password: 'secret',
      },
    ],
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
    ['brands show', { command: 'brands.show' }],
    ['token revoke --username acme', { command: 'tokens.revoke', username: 'acme' }],
    [`token revoke --token ${'a'.repeat(64)}`, { command: 'token.revoke', token: 'a'.repeat(64) }],
  ])('%s asks what the operator function takes', (line, payload) => {
    expect(read(line)).toEqual({ kind: 'run', payload, stage: undefined, json: false });
    expect(v.is(operatorCommand, payload)).toBe(true);
  });

  it('that loads a catalogue names a file, or none', () => {
    expect(read('brands load')).toMatchObject({ kind: 'run', payload: { command: 'brands.load' } });
    expect(read('brands load --file b.csv')).toMatchObject({
      payload: { command: 'brands.load', file: 'b.csv' },
    });
  });

  it('names a stage and asks for JSON', () => {
    expect(read('client create --account 7 --stage prod --json')).toMatchObject({
      stage: 'prod',
      json: true,
    });
  });

  it.each([
    ['account', 'There is no command "account"'],
    ['account delete --account 7', 'There is no command "account delete"'],
    ['account create', 'needs --name <text>'],
    ['account create --nam x', '--nam'],
    ['account create --name x --account 7', 'takes no --account'],
    ['client create --account seven', '--account takes a number'],
    ['client create --account 007', '--account takes a number'],
    ['import grant --property 7 --import 8', 'needs --tier <name>'],
    ['import revoke --property 7', 'needs --import <number>'],
    ['token revoke', 'either --username or --token'],
    ['token revoke --username a --token b', 'either --username or --token'],
  ])('%s is wrong, in one sentence', (line, sentence) => {
    const request = read(line);
    expect(request.kind === 'wrong' && request.message).toContain(sentence);
  });

  it.each(['', '--help', 'account create --help'])('"%s" shows every command', (line) => {
    expect(read(line)).toEqual({ kind: 'help' });
    for (const words of [
      'account create',
      'property create',
      'client create',
      'user create',
      'import grant',
      'import revoke',
      'token revoke',
    ])
      expect(help()).toContain(words);
  });
});

it('without a local service says how to start one', async () => {
  await expect(askOperator({}, 'local', '/nowhere/endpoints.json')).rejects.toThrow('npm start');
});
