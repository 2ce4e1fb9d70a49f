/**
 * The programs of `docs/recipes.md` and `docs/change-feed-receiver.md`, run as they stand by a user who has installed the
 * package, against a running service.
 */
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { beforeAll, describe, expect, it } from 'vitest';
import { newFolders } from '../../local/test/support/folders.ts';
import { freePort } from '../support/free-port.ts';
import { checkedByMypy, hasPython, installPackage } from '../support/package-user.ts';
import { programsIn } from '../support/page-programs.ts';
import { interpreterOf, programStarter } from '../support/running-programs.ts';
import { exportedText } from '../support/running.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { root } from '../support/source-copy.ts';
import { faultsIn, programOf } from '../support/type-check.ts';

const pages = ['docs/recipes.md', 'docs/change-feed-receiver.md']
  .map((page) => readFileSync(join(root, page), 'utf8'))
  .join('\n## ');
const programs = programsIn(pages);

/** The permissions that the pages name for the key of a program. */
const permissionsOf = (program: string): string => {
  const [recipe = ''] = program.split('.');
  const section = pages.split('\n## ').find((text) => text.includes(`${recipe}.mts: `)) ?? '';
  const [sentence = ''] = /Its key needs .*?\n\n/s.exec(section) ?? [];
  return [...sentence.matchAll(/`(\w+\.\w+)`/g)].map(([, permission]) => permission).join(' ');
};

const newFolder = newFolders();
const folder = newFolder();

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

const start = programStarter();

beforeAll(async () => {
  await installPackage(newFolder(), folder);
  for (const [name, text] of programs) writeFileSync(join(folder, name), text);
}, 120_000);

const issued = v.object({ access_token: v.string() });

/** Where Python finds the package. A test of the package installs it. */
const python = { PYTHONPATH: join(root, 'client/python'), PYTHONDONTWRITEBYTECODE: '1' };

/** The variables of a program whose key has the permissions that the page names. Each key has a name of its own. */
const environmentOf = async (program: string, name = program): Promise<NodeJS.ProcessEnv> => {
  const { base_url: baseUrl, client_id, username, password } = service.cloud.endpoints;
  const scope = permissionsOf(program);
  const body = { grant_type: 'password', client_id, username, password, name, scope };
  const property = { property_ids: [service.property] };
  const answer = await service.call('POST', '/oauth/token', {
    body: JSON.stringify({ ...body, ...property }),
  });
  const { access_token } = v.parse(issued, JSON.parse(answer.text));
  return {
    ...python,
    TIDEMARK_BASE_URL: baseUrl,
    TIDEMARK_TOKEN: access_token,
    TIDEMARK_PROPERTY: String(service.property),
  };
};

/** Runs a program to its end, and returns its exit code and all that it printed. */
const run = (
  name: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number | null; readonly said: string }> =>
  new Promise((resolve) => {
    const program = execFile(interpreterOf(name), [name, ...args], { cwd: folder, env }, (_, out, faults) => {
      resolve({ code: program.exitCode, said: `${out}${faults}` });
    });
  });

const inLanguages = (recipe: string): readonly string[] =>
  [...programs.keys()].filter(
    (name) => name.startsWith(`${recipe}.`) && (!name.endsWith('.py') || hasPython()),
  );

/** The stored events of an export: the names of their files, and what is in them. */
const eventsOf = (id: string): readonly (readonly [string, string])[] =>
  readdirSync(join(folder, 'events'))
    .map((file) => [file, readFileSync(join(folder, 'events', file), 'utf8')] as const)
    .filter(([, text]) => new RegExp(`"export_id": ?"${id}"`).test(text));

const table = (...rows: readonly string[]): string => ['E-mail,Name,Tags', ...rows, ''].join('\n');

it('the programs in TypeScript compile', () => {
  const texts = new Map([...programs].filter(([name]) => name.endsWith('.mts')));
  const paths = {
    tidemark: [join(root, 'client/src/index.ts')],
    'tidemark/webhooks': [join(root, 'client/src/webhooks.ts')],
  };
  const files = new Map([...texts].map(([name, text]) => [`test/e2e/${name}`, text]));
  expect(texts.size).toBe(7);
  expect(faultsIn(programOf(files, { paths }), files.keys())).toEqual([]);
});

it.runIf(hasPython('mypy'))('the types of the programs in Python are sound', () => {
  const texts = new Map([...programs].filter(([name]) => name.endsWith('.py')));
  expect(texts.size).toBe(7);
  expect(checkedByMypy(newFolder(), texts)).toBe('');
});

describe.each(inLanguages('nightly'))('%s', (name) => {
  it('imports each night with one definition, and fails when rows are refused', async () => {
    const env = await environmentOf(name);
    writeFileSync(join(folder, 'visitors.csv'), table('fay@example.org,Fay Ito,Jazz|Opera'));
    const night = await run(name, [], env);
    expect(night.said).toMatch(/^Import \d+, job \d+: complete, 1 rows stored\n$/);
    expect(night.code).toBe(0);
    writeFileSync(join(folder, 'bad.csv'), table('gus@example.org,Gus,', 'hal (at) example.org,Hal,'));
    const { code, said } = await run(name, ['bad.csv'], env);
    expect(code).toBe(1);
    expect(said).toContain('complete-with-errors, 1 rows stored');
    expect(said).toMatch(/^1 rows refused: E-mail, not_an_email\. Line 3: .*"@"/m);
    const { imports } = await service.client.get(
      `/v1/${service.property}/imports?name=nightly`,
      v.object({ imports: v.array(v.looseObject({ id: v.number() })) }),
    );
    expect(imports).toHaveLength(1);
  });
});

describe.each(inLanguages('mend'))('%s', (name) => {
  /** Imports a file, and returns what the program is given: the arguments and the variables. */
  const imported = async (content: string): Promise<readonly [string[], NodeJS.ProcessEnv]> => {
    const key = `${name}-${content.length}`;
    const importer = await environmentOf('nightly.mts', `${key}-nightly`);
    const env = await environmentOf(name, key);
    writeFileSync(join(folder, 'mend.csv'), content);
    const { said } = await run('nightly.mts', ['mend.csv'], importer);
    const [, ...ids] = /^Import (\d+), job (\d+)/m.exec(said) ?? [];
    return [ids, env];
  };

  it('corrects what it can, until every row is stored', async () => {
    const [ids, env] = await imported(table('ida@example.org,Ida,', 'jon (at) example.org,Jon,'));
    expect(await run(name, ids, env)).toEqual({ code: 0, said: 'Every row is stored.\n' });
  });

  it('leaves what it cannot correct to a person, and fails', async () => {
    const [ids, env] = await imported(
      table('kim (at) example.org,Kim,', 'unknown,Lou,', 'mo@example.org,Mo,'),
    );
    const { code, said } = await run(name, ids, env);
    expect(code).toBe(1);
    expect(said).toContain('1 rows need a person: see refused.csv');
    const lines = readFileSync(join(folder, 'refused.csv'), 'utf8').trimEnd().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^unknown,Lou,/);
  });

  it('says why a job failed', async () => {
    const [ids, env] = await imported('Mail,Name\nida@example.org,Ida\n');
    const { code, said } = await run(name, ids, env);
    expect(code).toBe(1);
    expect(said).toContain('Columns missing in the header: "E-mail"');
    expect(said).not.toContain('need a person');
  });
});

describe.each(inLanguages('weekly'))('%s', (name) => {
  const four = 'E-mail,First name,Last name,Newsletter';

  it('defines one export, whose file has four columns and the people who agreed', async () => {
    const env = await environmentOf(name);
    const person = (email: string, state: string) => ({
      email,
      first_name: 'Ada',
      last_name: 'Byron',
      tags: [{ tag: ['Jazz'], datetime: '2026-05-04 19:30:00' }],
      consent: [{ channel: 'email', state, datetime: '2026-05-04 19:30:00', source: 'form' }],
    });
    for (const one of [person('yes@example.org', 'given'), person('no@example.org', 'withdrawn')])
      await service.client.post(`/v1/${service.property}/profiles`, one, v.looseObject({}));
    const first = await run(name, [], { ...env, MAIL_TO: service.userEmail });
    expect(first.said).toMatch(/^Export \d+: next file at \d{4}-.*T0[56]:00:00/);
    expect(first.code).toBe(0);
    const [, id = ''] = /^Export (\d+)/.exec(first.said) ?? [];
    const again = await run(name, [], { ...env, SFTP_SERVER: 'sftp.example.org' });
    expect(again.said).toMatch(new RegExp(String.raw`^Export ${id}: [^]*\nssh-ed25519 `));
    await run(name, [], { ...env, MAIL_TO: service.userEmail });
    await service.client.post(`/v1/${service.property}/exports/${id}/jobs`, {}, v.looseObject({}));
    expect(await exportedText(service, id)).toBe(`${four}\r\nyes@example.org,Ada,Byron,given\r\n`);
    await service.call('DELETE', `/v1/${service.property}/exports/${id}`);
  });
});

/** Follows a page: makes its export, starts its receiver and a job, and waits until the receiver has got a call. */
const tryReceiver = async (maker: string, name: string, type: string) => {
  await storeJazz('ada@example.org');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const env = { ...(await environmentOf(maker)), RECEIVER: url };
  const made = await run(maker, [], env);
  const [, id = '', secret = ''] =
    /^Export (\d+), TIDEMARK_WEBHOOK_SECRET=(whsec_\S+)\n$/.exec(made.said) ?? [];
  const receiver = { ...python, TIDEMARK_WEBHOOK_SECRET: secret, PORT: String(port) };
  const { said, says } = start(name, folder, receiver);
  await says('Listening');
  expect((await run(maker, [id], env)).said).toMatch(/^Job \d+ has begun\n$/);
  await says(type);
  return { id, secret, url, said, says };
};

const storeJazz = (email: string): Promise<unknown> =>
  service.client.post(
    `/v1/${service.property}/profiles`,
    { email, tags: [{ tag: ['Jazz'], datetime: '2026-05-04 19:30:00' }] },
    v.looseObject({}),
  );

const languages = hasPython() ? ['mts', 'py'] : ['mts'];

describe.each(languages)('receiver.%s', (language) => {
  const name = `receiver.${language}`;

  it('keeps each event of the service once, and refuses calls that are not signed', async () => {
    const { id, secret, url, said, says } = await tryReceiver(`told.${language}`, name, 'export.completed');
    const [first] = eventsOf(id);
    if (!first) throw new Error('The receiver kept no event.');
    const [file, event] = first;
    expect(JSON.parse(event)).toMatchObject({ type: 'export.completed', export_id: id });

    const now = new Date();
    const messageId = decodeURIComponent(file.replace('.json', ''));
    const send = async (signature: string): Promise<number> => {
      const headers = {
        'webhook-id': messageId,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'webhook-signature': signature,
      };
      return (await fetch(url, { method: 'POST', headers, body: event })).status;
    };
    expect(await send(new Webhook(secret).sign(messageId, now, event))).toBe(204);
    expect(await send(new Webhook(`whsec_${btoa('another')}`).sign(messageId, now, event))).toBe(400);
    await says('The signature is not valid');
    expect(eventsOf(id)).toEqual([[file, event]]);
    expect(said().match(/export\.completed/g)).toHaveLength(1);
  });
});

describe.each(languages)('feed.%s', (language) => {
  it('copies a segment, with the export that the page makes', async () => {
    await tryReceiver(`mirror.${language}`, `feed.${language}`, 'segment.changes');
    using database = new DatabaseSync(join(folder, 'people.db'), { readOnly: true, timeout: 5000 });
    const people = database.prepare('SELECT profile FROM people').all();
    expect(JSON.stringify(people)).toContain('ada@example.org');
    rmSync(join(folder, 'people.db'));
  });
});

it.each(['receiver', 'feed'].flatMap(inLanguages))('%s does not start without a secret', async (name) => {
  const { code, said } = await run(name, [], { ...python, TIDEMARK_WEBHOOK_SECRET: '' });
  expect(code).toBe(1);
  expect(said).toContain('TIDEMARK_WEBHOOK_SECRET is empty.');
});
