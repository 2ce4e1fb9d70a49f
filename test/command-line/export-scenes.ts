import { readFile, writeFile } from 'node:fs/promises';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { decryptWith, newPgpKey, publicText } from '../support/pgp-keys.ts';
import { openSftpServer } from '../support/sftp-server.ts';
import type { User } from './user.ts';

/** Commands about exports and timelines, after the import of the visitors. */
export const exportsAndTimelines = (user: User): void => {
  describe('an export', () => {
    it('is downloaded to a new file, and to standard output', async () => {
      const args = ['export', 'create', '--segment', 'Jazz', '--columns', 'email,first_name=Vorname'];
      const created = await user.cli(...args, '--output', 'jazz.csv');
      expect([created.code, created.stdout]).toEqual([0, 'jazz.csv: 610 bytes\n']);
      const content = await readFile(user.file('jazz.csv'), 'utf8');
      expect(content).toMatch(/^email,Vorname\r\nkaethe\.0@example\.org,Käthe\r\n/);
      expect((await user.cli('export', 'download', 'Jazz', '--output', '-')).stdout).toBe(content);
      const twice = await user.cli('export', 'download', 'Jazz', '--output', 'jazz.csv');
      expect([twice.code, twice.stderr]).toMatchObject([2, expect.stringContaining('exists already')]);
    });

    it('with a field that nobody knows names the field that was meant', async () => {
      const args = ['export', 'create', '--segment', 'Jazz', '--columns', 'Vorname,fist_name,email'];
      const { code, stderr } = await user.cli(...args);
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining('Did you mean first_name? Write first_name=Vorname'),
      ]);
      expect(stderr).toContain('--columns "fist_name": There is no such field. Did you mean first_name?');
      expect(stderr).toContain('The fields are first_name, last_name,');
      expect(stderr).toMatch(/current_age,\s+consent/);
    });

    it('by a consent that nobody gave says why its file is empty', async () => {
      const args = ['export', 'create', '--segment', 'Jazz', '--consent', 'email'];
      const { code, stderr } = await user.cli(...args);
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining(
          'None of the 20 people gave consent on email; the property has 0 statements about it.\n' +
            'Import a column into consent.email first.\n',
        ),
      ]);
      expect(stderr).not.toContain('✓');
      await user.api('POST', '/profiles', {
        email: 'zoe@example.org',
        consent: [{ channel: 'email', state: 'withdrawn' }],
      });
      const ran = await user.cli(
        'export',
        'create',
        '--segment',
        'Oper',
        '--consent',
        'email',
        '--output',
        '-',
      );
      expect([ran.code, ran.stderr]).toEqual([
        0,
        expect.stringMatching(
          /None of the \d+ people gave consent on email; the property has 1 statement about it: 1 withdrawn\.\n/,
        ),
      ]);
      expect((await user.cli('forget', 'zoe@example.org', '--yes')).code).toBe(0);
    });

    it('to a server has the columns that somebody chose', async () => {
      const args = [
        'export',
        'create',
        '--segment',
        'Jazz',
        '--sftp',
        'hall@127.0.0.1:9:/in',
        '--name',
        'All',
      ];
      const silent = await user.cli(...args);
      expect([silent.code, silent.stderr]).toEqual([
        2,
        expect.stringMatching(
          /^tidemark: The data is for .*or --columns all for all of them:\n {2}first_name, /,
        ),
      ]);
      const declined = await user.answering('n', ...args);
      expect([declined.code, declined.stderr]).toEqual([
        1,
        expect.stringMatching(/Without --columns, all fields go out:[^?]*Send all of them\? \[y\/N\]/),
      ]);
      expect((await user.cli('export', 'list')).stdout).not.toContain('sftp');
      const accepted = await user.answering('y', ...args);
      expect([accepted.code, accepted.stderr]).toEqual([0, expect.stringMatching(/Export \d+ is stored\./)]);
      expect((await user.cli('export', 'list')).stdout).toMatch(/^\d+ +All +never run +on request +– +sftp/m);
      expect((await user.cli('export', 'delete', 'All', '--yes')).code).toBe(0);
    });

    it('to a server is tested, run, shown and replayed', async () => {
      const target = [
        ...['--sftp', 'hall@127.0.0.1:9:/in', '--every', 'mon 03:00 Europe/Berlin', '--columns', 'all'],
      ];
      const created = await user.cli('export', 'create', '--segment', 'Abo', '--name', 'Weekly', ...target);
      expect(created.stdout).toMatch(
        /authorized_keys .*:\nssh-ed25519 \S+ .*\nThen test the way: tidemark export test \d+\n/,
      );
      expect((await user.cli('export', 'list')).stdout).toMatch(
        /Weekly +scheduled +mon 03:00 Europe\/Berlin +\d{4}-\d\d-\d\d 03:00:00 Europe\/Berlin +sftp hall@127/,
      );
      const tested = await user.cli('export', 'test', 'weekly');
      expect([tested.code, tested.stdout.split('\n')[0]]).toEqual([1, expect.stringMatching(/^✗ connect: /)]);
      expect((await user.cli('export', 'run', 'Weekly')).code).toBe(1);
      expect((await user.cli('export', 'log', 'Weekly')).stdout).toMatch(/sftp +1 .* failed +no SSH server/);
      const replayed = await user.cli('export', 'replay', 'Weekly');
      expect([replayed.code, replayed.stdout]).toEqual([1, expect.stringMatching(/^✗ sftp retrying/)]);
      expect(replayed.stderr).toMatch(/^Run 1 of \d{4}-\S+ \S+ UTC is delivered once more\.\n/);
    });
  });

  describe('exports', () => {
    it('are shown with the names of their segments', async () => {
      const { code, stdout } = await user.cli('export', 'show', 'weekly');
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^segments +Abo \(\d+\)$/m)]);
      expect(stdout).toMatch(/^status +scheduled \(last run complete\)$/m);
      expect(stdout).toMatch(/^next run +\d{4}-\d\d-\d\d 03:00:00 Europe\/Berlin$/m);
      expect(stdout).toMatch(/^our key +ssh-ed25519 \S+/m);
    });

    it('of the same name are told apart, and deleted after a question', async () => {
      const { stdout: text } = await user.cli(
        ...['export', 'create', '--segment', 'Jazz', '--name', 'weekly', '--every', 'day 03:00', '--json'],
      );
      const { id } = v.parse(v.object({ id: v.string() }), JSON.parse(text));
      const { code, stderr } = await user.cli('export', 'run', 'weekly');
      expect(code).toBe(2);
      expect(stderr).toMatch(/^ {2}Id +Name +Last run +To$/m);
      expect(stderr).toMatch(/^ {2}\d+ +Weekly +\d{4}-\S+ \S+ UTC, complete +sftp hall@127\.0\.0\.1:9$/m);
      expect(stderr).toMatch(new RegExp(`^  ${id} +weekly +never +download$`, 'm'));
      expect((await user.answering('n', 'export', 'delete', id)).code).toBe(1);
      const deleted = await user.answering('y', 'export', 'delete', id);
      expect([deleted.code, deleted.stdout]).toEqual([0, `Deleted the export "weekly" (${id}).\n`]);
      expect((await user.cli('export', 'list')).stdout).not.toContain(id);
    });

    it('reach a server encrypted, and only the holder of the key reads them', async () => {
      await using server = await openSftpServer();
      const key = await newPgpKey();
      await writeFile(user.file('key.asc'), publicText(key));
      const created = await user.cli(
        ...['export', 'create', '--segment', 'Jazz', '--columns', 'email', '--name', 'For the hall'],
        ...[
          '--sftp',
          `hall@127.0.0.1:${server.port}:/in`,
          '--pgp',
          'key.asc',
          '--file-name',
          'jazz-{date}.csv',
        ],
      );
      expect([created.code, created.stdout]).toEqual([0, expect.stringMatching(/^ssh-ed25519 \S+/m)]);
      const tested = await user.cli('export', 'test', 'For the hall');
      expect([tested.code, tested.stdout]).toEqual([
        0,
        expect.stringMatching(/^✓ connect\n[^✗]*The way is free\. /),
      ]);
      const run = await user.cli('export', 'run', 'For the hall');
      expect([run.code, run.stdout]).toEqual([0, '✓ sftp delivered\n']);
      const [[name, content] = ['', Buffer.alloc(0)]] = [...server.files].filter(
        ([, { length }]) => length > 0,
      );
      expect(name).toMatch(/^\/in\/jazz-\d{4}-\d\d-\d\d\.csv/);
      expect(String(content)).not.toContain('example.org');
      const lines = String(await decryptWith(key, content)).split('\r\n');
      expect([lines.length, ...lines.slice(0, 2)]).toEqual([22, 'email', 'kaethe.0@example.org']);
    });
  });

  describe('the address of an export', () => {
    it('is listed, and gets no mail once it is withdrawn', async () => {
      const own = 'Hall@Example.org';
      const options = ['--segment', 'Jazz', '--name', 'Mailed', '--email', own, '--columns', 'email'];
      await user.cli('export', 'create', ...options);
      const rows = async () => (await user.cli('address', 'list')).stdout;
      expect(await rows()).toMatch(/^Hall@Example\.org +unconfirmed +export \d+ \(Mailed\)$/m);
      expect((await user.answering('n', 'address', 'withdraw', 'hall@example.org')).code).toBe(1);
      expect(await rows()).toMatch(/^Hall@Example\.org +unconfirmed +export/m);
      const withdrawn = await user.cli('address', 'withdraw', 'hall@example.org', '--yes');
      expect([withdrawn.code, withdrawn.stdout]).toEqual([
        0,
        expect.stringContaining('hall@example.org gets no mail any more'),
      ]);
      expect(await rows()).toMatch(/^Hall@Example\.org +withdrawn +export/m);
      const wrong = await user.cli('address', 'withdraw', 'hall', '--yes');
      expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('e-mail address')]);
    });
  });

  describe('an export to a server with other rules', () => {
    it('logs in with a password once its host key is accepted, and writes under the final name', async () => {
      await using server = await openSftpServer();
      server.mischief.password = 'open sesame';
      server.mischief.refuses = ['STAT', 'RENAME'];
      await writeFile(user.file('password.txt'), 'open sesame\n');
      const way = [
        ...['--password', 'password.txt', '--temporary-name', 'none', '--verify', 'none'],
        ...['--columns', 'all'],
      ];
      const alone = await user.cli('export', 'create', '--segment', 'Jazz', ...way);
      expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--password needs --sftp.')]);
      const created = await user.cli(
        ...[
          'export',
          'create',
          '--segment',
          'Jazz',
          '--name',
          'Box',
          '--sftp',
          `hall@127.0.0.1:${server.port}`,
        ],
        ...way,
      );
      expect(created.code).toBe(0);
      const tested = await user.cli('export', 'test', 'Box');
      const [, fingerprint = ''] = /tidemark export host-key \S+ (SHA256:\S+)/.exec(tested.stdout) ?? [];
      expect([tested.code, fingerprint]).toEqual([1, expect.stringMatching(/^SHA256:/)]);
      const accepted = await user.cli('export', 'host-key', 'Box', fingerprint);
      expect([accepted.code, accepted.stdout]).toEqual([
        0,
        expect.stringContaining(`Accepted ${fingerprint}`),
      ]);
      expect((await user.cli('export', 'test', 'Box')).code).toBe(0);
      const run = await user.cli('export', 'run', 'Box');
      expect([run.code, run.stdout]).toEqual([0, '✓ sftp delivered\n']);
      const sizes = [...server.files.values()].map(({ length }) => length);
      expect(sizes.some((length) => length > 0)).toBe(true);
    });
  });

  describe('a timeline', () => {
    it('is drawn in the terminal, and as SVG', async () => {
      expect((await user.cli('timeline', 'create', 'Jazz')).code).toBe(0);
      const chart = await user.cli('timeline', 'chart', 'tag:Jazz');
      expect(chart.stdout).toMatch(/^Jazz: 20 people\n\d{4}-\d\d-\d\d \d\d:\d\d {2}█+ {2}20\n$/);
      expect((await user.cli('timeline', 'chart', 'Jazz', '--svg', '-')).stdout).toMatch(/^<svg /);
      expect((await user.cli('timeline', 'list')).stdout).toMatch(
        /^\d+ +Jazz +\d+ +on request +– +\d{4}-\S+ \S+ UTC$/m,
      );
      const drawn = await user.cli('timeline', 'chart', 'Jazz', '--svg', 'jazz.svg');
      expect([drawn.code, drawn.stdout]).toEqual([0, expect.stringMatching(/^jazz\.svg: /)]);
      expect(await readFile(user.file('jazz.svg'), 'utf8')).toMatch(/^<svg /);
      const early = await user.cli('timeline', 'moment', 'jazz');
      expect([early.code, early.stderr.split('\n').length]).toEqual([1, 2]);
    });
  });

  describe('a person who was in exports', () => {
    it('is forgotten, and the exports are named', async () => {
      const { code, stdout } = await user.cli('forget', 'kaethe.0@example.org', '--yes');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^Forgotten\. Removed:\nattributes +\d+\n/);
      expect(stdout).toMatch(/\n\nWho may have the data of the last 30 days:\n/);
      expect(stdout).toMatch(/\nexport Jazz +whoever had its location\n/);
      expect(stdout).not.toContain('There are too many exports');
    });
  });
};
