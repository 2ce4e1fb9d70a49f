import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { type Reply, startServer } from '../client/small-server.ts';
import type { User } from './user.ts';

/** Commands about exports of changes, after the import of the visitors. */
export const exportsOfChanges = (user: User): void => {
  describe('an export of changes', () => {
    it('is made with its secret, and shown with what it tells', async () => {
      const created = await user.cli(
        ...['export', 'create', '--segment', 'Jazz', '--name', 'CRM', '--columns', 'email'],
        ...['--changes', 'http://127.0.0.1:40009/hooks', '--kinds', 'removed,added', '--every', 'hour'],
      );
      expect([created.code, created.stdout]).toEqual([
        0,
        expect.stringMatching(
          /^Secret that signs the calls of the changes, shown only now: whsec_\S+\nThen test /,
        ),
      ]);
      const { stdout } = await user.cli('export', 'show', 'crm');
      expect(stdout).toMatch(/^to +calls to http:\/\/127\.0\.0\.1:40009\/hooks$/m);
      expect(stdout).toMatch(/^tells +added, removed; at first nobody$/m);
      expect((await user.cli('export', 'list')).stdout).toMatch(
        / CRM +scheduled +hour UTC .* calls to http:/,
      );
      const often = await user.cli('export', 'create', '--segment', 'Jazz', '--every', '5m');
      expect([often.code, often.stderr]).toEqual([1, expect.stringContaining('--every "5m": ')]);
      const silent = ['--name', 'Silent', '--every', '5m', '--skip-empty', '--delta', '--json'];
      const quiet = await user.cli('export', 'create', '--segment', 'Jazz', ...silent);
      const made = v.object({
        id: v.string(),
        skip_empty: v.literal(true),
        schedule: v.object({ minute: v.string() }),
      });
      const { id, schedule } = v.parse(made, JSON.parse(quiet.stdout));
      expect(schedule.minute).toBe('*/5');
      for (const one of [id, 'CRM']) expect((await user.cli('export', 'delete', one, '--yes')).code).toBe(0);
    });

    it('says what a receiver took, and that a run waits for one that takes nothing', async () => {
      let isBack = false;
      await using late = await startServer((): Reply => (isBack ? { body: {} } : { status: 503, body: {} }));
      await using receiver = await startServer((): Reply => ({ body: {} }));
      const create = ['export', 'create', '--segment', 'Jazz', '--columns', 'email', '--changes'];
      await user.cli(...create, `${receiver.url}/hooks`, '--name', 'Told');
      expect((await user.cli('export', 'test', 'Told')).stdout).toMatch(/^✓ changes\nThe way is free\. /);
      const first = await user.cli('export', 'run', 'Told');
      expect([first.code, first.stdout]).toEqual([0, '✓ changes delivered\n']);
      expect(first.stderr).toContain('The first run only remembers who is in.');
      await user.api('POST', '/profiles', {
        email: 'bix@example.org',
        tags: [{ datetime: '2020-01-01T00:00:00Z', tag: ['Jazz'] }],
      });
      const second = await user.cli('export', 'run', 'Told');
      expect([second.code, second.stdout]).toEqual([0, '✓ changes delivered; 1 change taken in 1 call\n']);
      expect((await user.cli('export', 'run', 'Told')).stderr).toContain(
        'Nothing has changed since the last run.',
      );
      const none = await user.cli('export', 'download', 'Told');
      expect([none.code, none.stderr]).toEqual([
        1,
        'tidemark: The newest run has no file: it had no rows.\n',
      ]);
      expect(receiver.received).toHaveLength(2);
      await user.cli(...create, `${late.url}/hooks`, '--name', 'Untold', '--first', 'all');
      const refused = await user.cli('export', 'run', 'Untold');
      expect([refused.code, refused.stdout]).toEqual([1, expect.stringMatching(/^✗ changes retrying: /)]);
      const waiting = await user.cli('export', 'run', 'Untold');
      expect([waiting.code, waiting.stderr]).toEqual([
        1,
        expect.stringMatching(
          /^tidemark: Run 2 begins once the changes of run 1 are told or given up\.\n {2}changes retrying: /,
        ),
      ]);
      expect((await user.cli('export', 'log', 'Untold')).stdout).toMatch(
        /^Run 2 .*: pending\nRun 2 begins once /,
      );
      isBack = true;
      const replayed = await user.cli('export', 'replay', 'Untold');
      expect([replayed.code, replayed.stdout]).toEqual([0, expect.stringMatching(/^✓ changes delivered; /)]);
      expect(replayed.stderr).toMatch(/^Run 2 waits\.\nRun 1 of \S+ \S+ UTC is delivered once more\.\n/);
      for (const one of ['Told', 'Untold'])
        expect((await user.cli('export', 'delete', one, '--yes')).code).toBe(0);
      expect((await user.cli('forget', 'bix@example.org', '--yes')).code).toBe(0);
    });

    it('prints the secret of a webhook, also if it runs at once', async () => {
      const args = ['export', 'create', '--segment', 'Jazz', '--columns', 'email', '--name', 'Called'];
      const webhook = ['--webhook', 'http://127.0.0.1:40009/hooks'];
      const { stderr } = await user.cli(...args, ...webhook);
      expect(stderr).toMatch(/^Secret that signs the calls of the webhook, shown only now: whsec_\S+$/m);
      expect((await user.cli('export', 'delete', 'Called', '--yes')).code).toBe(0);
      const both = await user.cli(...args, ...webhook, '--changes', 'http://127.0.0.1:40009/changes');
      expect(both.stdout).toMatch(/^Secret that signs the calls of the webhook and of the changes, shown /m);
      expect((await user.cli('export', 'delete', 'Called', '--yes')).code).toBe(0);
    });
  });
};
