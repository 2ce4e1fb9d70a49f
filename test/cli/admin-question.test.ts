import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { commands } from '../../cli/admin-command-list.ts';
import { wholeList } from '../../cli/admin-list.ts';
import { columns } from '../../cli/admin-output.ts';
import { refusalOf } from '../../cli/admin-question.ts';
import { err, ok } from '../../shared/runtime/result.ts';

/** The target of the commands. */
const prod = { kind: 'aws', stage: 'prod', account: '123456789012', region: 'eu-central-1' } as const;
const local = {
  kind: 'local',
  stage: 'local',
  service: {
    base_url: '',
    aws_endpoint: '',
    aws_credentials: { access_key_id: '', secret_access_key: '', region: '' },
  },
} as const;
const deletion = {
  words: 'user delete',
  payload: { command: 'user.delete', username: 'ada' },
  loss: () => Promise.resolve(ok('Delete user ada with 2 tokens')),
  yes: false,
};
const noFacts = () => Promise.reject(new Error('nothing is asked'));

/** Asks on a terminal on which somebody types `typed`. */
const askedOf = async (typed: string) => {
  const output = new PassThrough();
  const input = Object.assign(Readable.from([`${typed}\n`]), { isTTY: true });
  const refusal = await refusalOf(deletion, prod, noFacts, { input, output });
  output.end();
  return { refusal, shown: await text(output) };
};
const piped = { input: Readable.from(['y\n']), output: new PassThrough() };

describe('a command that nobody can undo', () => {
  it.each(['y', 'Y', 'yes', ' yes '])('runs in AWS once the operator types "%s"', async (typed) => {
    const { refusal, shown } = await askedOf(typed);
    expect(refusal).toBeUndefined();
    expect(shown).toBe(
      'Delete user ada with 2 tokens in stage prod, AWS account 123456789012, eu-central-1? ' +
        'This cannot be undone. [y/N] ',
    );
  });

  it.each(['', 'n', 'no', 'yellow'])('does not run in AWS when the operator types "%s"', async (typed) => {
    expect((await askedOf(typed)).refusal).toBe('Nothing was done.');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('does not run in AWS when the operator presses %s', async (_name, key) => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = Object.assign(new PassThrough(), { isTTY: true });
    input.write(key);
    expect(await refusalOf(deletion, prod, noFacts, { input, output })).toBe('Nothing was done.');
  });

  it('does not run in AWS without a terminal, whatever is piped into it, unless --yes is given', async () => {
    expect(await refusalOf(deletion, prod, noFacts, piped)).toMatch(/no terminal to ask; add --yes/);
    expect(await refusalOf({ ...deletion, yes: true }, prod, noFacts, piped)).toBeUndefined();
  });

  it('does not run, and asks nothing, when it would fail', async () => {
    const loss = () => Promise.resolve(err('There is no such user.'));
    const output = new PassThrough();
    const input = Object.assign(Readable.from(['y\n']), { isTTY: true });
    expect(await refusalOf({ ...deletion, loss }, prod, noFacts, { input, output })).toBe(
      'Nothing was done: There is no such user.',
    );
    expect(output.read()).toBeNull();
  });

  it('runs on the local service without a question, as do other commands in AWS', async () => {
    expect(await refusalOf(deletion, local, noFacts, piped)).toBeUndefined();
    const listing = { words: 'user list', payload: {}, loss: undefined, yes: false };
    expect(await refusalOf(listing, prod, noFacts, piped)).toBeUndefined();
  });

  it('is every command that deletes something', () => {
    const deleting = commands.filter(({ words }) => /\b(delete|remove|rotate)$/.test(words));
    expect(deleting.length).toBeGreaterThan(5);
    expect(deleting.filter(({ loss }) => loss === undefined)).toEqual([]);
  });
});

describe('a list on the terminal', () => {
  it('has aligned columns under the names of its facts, with - for what is missing', () => {
    expect(
      columns([
        { id: 1, name: 'Harbour Hall', client_id: null },
        { id: 12, name: 'Shop', status: 'disabled' },
      ]),
    ).toEqual([
      'ID  NAME          CLIENT ID  STATUS',
      '1   Harbour Hall  -          -',
      '12  Shop          -          disabled',
    ]);
  });

  it('is asked for page after page, to its end', async () => {
    const asked: unknown[] = [];
    const whole = await wholeList({ command: 'account.list' }, (payload) => {
      asked.push(payload['after']);
      const last = asked.length === 3;
      return Promise.resolve({
        ok: true,
        accounts: [{ id: asked.length }],
        next: last ? null : asked.length,
      });
    });
    expect(whole).toEqual({ ok: true, accounts: [{ id: 1 }, { id: 2 }, { id: 3 }] });
    expect(asked).toEqual([undefined, 1, 2]);
  });

  it('ends with the first refusal', async () => {
    const error = { message: 'There is no such account.', errors: [] };
    const whole = await wholeList({ command: 'user.list' }, () => Promise.resolve({ ok: false, error }));
    expect(whole).toEqual({ ok: false, error });
  });
});
