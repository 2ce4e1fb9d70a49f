import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { Context } from '../../client/cli/context.ts';
import type { Output } from '../../client/cli/surroundings.ts';
import { hostile, hostileAnswer, hostileProblem, obeyed, withoutOwn } from './hostile-service.ts';
import { startServer, type SmallServer } from '../client/small-server.ts';
import { newFolders } from '../../local/test/support/folders.ts';
import { type Ended, inProcess } from './run-cli.ts';

const newFolder = newFolders();

const id = '1001000000001';

/** Calls of every command. Those with `nothing` print numbers only. */
const commands: readonly (readonly [args: readonly string[], prints?: 'nothing'])[] = [
  [['status']],
  [['token', 'list']],
  [['token', 'end', hostile]],
  [['import', 'visitors.csv']],
  [['import', 'visitors.csv', '--dry-run']],
  [['import', 'visitors.csv', '--definition', id]],
  [['import', 'visitors.csv', '--definition', hostile]],
  [['import', 'visitors.csv', '--map', `${hostile}=email`]],
  [['import', 'visitors.csv', '--save-mapping', `map${hostile}.yaml`]],
  [['import', hostile]],
  [['retry', hostile]],
  [['retry', hostile, '--job', id]],
  [['retry', 'unknown.csv'], 'nothing'],
  [['jobs']],
  [['watch', id]],
  [['undo', id], 'nothing'],
  [['segments']],
  [['segments', '--tree']],
  [['segment', 'create', hostile, id]],
  [['segment', 'create', 'x', `"${hostile}" and`]],
  [['segment', 'create', 'x', `tag:${hostile}`], 'nothing'],
  [['segment', 'create', 'x', id, '--preview']],
  [['segment', 'create', 'x', `zipcode = "${hostile}"`]],
  [['segment', 'preview', id]],
  [['segment', 'preview', `zipcode = "${hostile}"`]],
  [['segment', 'show', id]],
  [['segment', 'show', hostile]],
  [['segment', 'delete', id]],
  [['person', 'ada@example.org']],
  [['person', 'ada@example.org', '--why', id]],
  [['person', hostile]],
  [['forget', 'ada@example.org']],
  [
    [
      'export',
      'create',
      '--segment',
      id,
      '--columns',
      'all',
      '--pgp',
      'visitors.csv',
      '--sftp',
      'hall@host',
      '--webhook',
      'https://a',
    ],
  ],
  [['export', 'create', '--segment', id, '--output', `new${hostile}`]],
  [['export', 'create', '--segment', id, '--every', hostile]],
  [['export', 'create', '--segment', id, '--format', hostile]],
  [['export', 'list']],
  [['export', 'show', id]],
  [['export', 'show', hostile]],
  [['export', 'test', id]],
  [['export', 'run', id]],
  [['export', 'download', id]],
  [['export', 'log', id]],
  [['export', 'replay', id], 'nothing'],
  [['export', 'delete', id]],
  [['timeline', 'create', id]],
  [['timeline', 'list']],
  [['timeline', 'moment', id]],
  [['timeline', 'chart', id]],
  [['timeline', 'chart', id, '--svg', `${hostile}.svg`]],
  [['timeline', 'chart', hostile]],
  [['plan', 'definitions.yaml']],
  [['apply', 'definitions.yaml']],
  [['plan', hostile]],
  [['login', '--base-url', hostile]],
  [[hostile]],
  [['jobs', `--limit=${hostile}`]],
  [['help', hostile]],
];

/** Runs a command in a folder with files whose names and texts are hostile, too. */
const run = async (address: string, args: readonly string[], answer?: string): Promise<Ended> => {
  const folder = newFolder();
  await writeFile(join(folder, 'visitors.csv'), 'email\nada@example.org\n');
  await writeFile(join(folder, 'unknown.csv'), 'email,batch_job_uuid\nx,y\n');
  await writeFile(join(folder, hostile), 'batch_job_uuid\n1\n');
  await writeFile(
    join(folder, 'definitions.yaml'),
    JSON.stringify({
      segments: [{ name: hostile, expression: id }],
      timelines: [{ name: hostile, segment: id }],
    }),
  );
  const home = {
    folder,
    env: { TIDEMARK_BASE_URL: address, TIDEMARK_TOKEN: 't', TIDEMARK_PROPERTY: '1001' },
  };
  return inProcess(home, args, answer === undefined ? {} : { answer });
};

const expectHarmless = ({ stdout, stderr }: Ended, printsNames: boolean): void => {
  const shown = withoutOwn(`${stdout}\n${stderr}`);
  expect(shown).not.toMatch(obeyed);
  if (printsNames) expect(shown).toContain('VIL');
};

describe('a hostile service', () => {
  const served = (): Promise<SmallServer> =>
    startServer(({ method, url }, _, at) => hostileAnswer(method, new URL(url, at).pathname, at));

  const calls = commands.map(([args, prints]) => ({
    args,
    printsNames: prints !== 'nothing',
    title: args.join(' ').replaceAll(hostile, '<hostile>'),
  }));

  it.each(calls)('gets nothing that a terminal obeys through: $title', async ({ args, printsNames }) => {
    await using server = await served();
    expectHarmless(await run(server.url, args, 'y'), printsNames);
    expectHarmless(await run(server.url, args), false);
    expectHarmless(await run(server.url, ['--json', ...args]), false);
  });

  it('gets nothing that a terminal obeys through its refusals', async () => {
    await using server = await startServer(() => hostileProblem);
    for (const [args] of commands) expectHarmless(await run(server.url, args, 'y'), false);
    expectHarmless(await run(server.url, ['status']), true);
  });
});

describe('a terminal that is drawn again', () => {
  it('gets nothing that it obeys through a bar and a draft', () => {
    const screen = (): PassThrough & Output =>
      Object.assign(new PassThrough(), { isTTY: true, columns: 100 });
    const [stdin, stdout, stderr] = [screen(), screen(), screen()];
    const context = new Context(
      {
        ...{ stdin, stdout, stderr, env: {}, cwd: '/', now: () => 0 },
        localService: () => Promise.resolve(undefined),
        interrupted: new AbortController().signal,
      },
      {},
      () => undefined,
    );
    context.bar('Import').update({ share: 0.5, text: hostile });
    context.draft([hostile]);
    const shown = { code: 0, stdout: String(stdout.read()), stderr: String(stderr.read()) };
    for (const output of [shown.stdout, shown.stderr]) expect(output).toContain('VIL');
    expectHarmless(shown, true);
  });
});
