import * as v from 'valibot';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { Tidemark } from '../../client/src/index.ts';
import { operate } from '../support/operate.ts';
import { visitors } from './files-of-users.ts';
import { inProcess } from './run-cli.ts';
import { json, type User } from './user.ts';

/** A key of a box office, from its making to its end, after the import of the visitors. */
export const keysForPrograms = (user: User): void => {
  describe('a key for one property that may only send', () => {
    const { base_url: baseUrl, password = '' } = user.service.cloud.endpoints;
    const { property } = user.service;
    let token = '';
    /** A machine without a sign-in. */
    const elsewhere = { folder: user.home.folder, env: { XDG_CONFIG_HOME: user.file('elsewhere') } };
    /** Runs a command as the program that has the key. */
    const asKey = (...args: readonly string[]) => {
      const env = { TIDEMARK_BASE_URL: baseUrl, TIDEMARK_TOKEN: token, TIDEMARK_PROPERTY: String(property) };
      return inProcess({ ...elsewhere, env: { ...elsewhere.env, ...env } }, args);
    };
    const missing = (permission: string) => ({
      code: 1,
      stdout: '',
      stderr:
        `tidemark: The token may not do this: it needs the permission ${permission}.\n` +
        '  See what the token may do: tidemark status\n',
    });

    it('is made with the password, and printed once', async () => {
      const { client_id = '', username = '' } = user.service.cloud.endpoints;
      const may = ['--may', 'people.write,definitions.read', '--days', '365'];
      const create = ['token', 'create', 'Box office', ...may, '--password-stdin'];
      const refused = await inProcess(user.home, create, { input: 'wrong\n' });
      expect([refused.code, refused.stdout]).toEqual([3, '']);
      const made = await inProcess(user.home, create, { input: `${password}\n` });
      expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^[0-9a-f]{64}\n$/)]);
      expect(made.stderr).toMatch(/^may +definitions\.read, people\.write$/m);
      expect(made.stderr).toMatch(new RegExp(`^reaches +only property ${property}$`, 'm'));
      token = made.stdout.trim();
      // Another machine has no sign-in.
      const at = ['--base-url', baseUrl, '--client-id', client_id, '--username', username];
      const args = ['--may', 'definitions.read', '--all-properties', '--password-stdin', '--json'];
      const other = await inProcess(elsewhere, ['token', 'create', 'Reports', ...args, ...at], {
        input: `${password}\n`,
      });
      expect(json(v.object({ properties: v.null() }), other)).toEqual({ properties: null });
      const list = (await user.cli('token', 'list')).stdout;
      expect(list).toMatch(/Box office +definitions\.read, people\.write +only property \d+ /);
      expect(list).toMatch(/\(sign-in\) +everything +all properties, also later ones /);
      expect(list).not.toContain(token);
    });

    it('sends records and files, and says who it is', async () => {
      const shown = (await asKey('status')).stdout;
      expect(shown).toMatch(/^may +definitions\.read, people\.write$/m);
      expect(shown).toMatch(/^key +Box office \([0-9a-f]{8}\)$/m);
      const program = new Tidemark({ baseUrl, token, propertyId: property });
      const sent = await program.createProfile({ body: { email: 'till@example.org' } });
      expect(sent.profile_uuid).toMatch(/^[0-9a-f-]{36}$/);
      await writeFile(user.file('visitors-box.csv'), visitors);
      const { code, stdout, stderr } = await asKey('import', 'visitors-box.csv', '--yes');
      expect([code, stdout]).toEqual([1, '39 rows stored, 1 refused.\n']);
      expect(stderr).toContain('What the file would change is shown only to those who may see people');
      expect(stderr).toContain(
        'The refused rows are not written to a file. The token may not do this: it needs the permission people.read.',
      );
    });

    it('sees no people, forgets nobody, lets nothing out and reaches no other property', async () => {
      expect(await asKey('person', 'till@example.org')).toEqual(missing('people.read'));
      expect(await asKey('forget', 'till@example.org', '--yes')).toEqual(missing('people.erase'));
      expect(await asKey('export', 'create', '--segment', 'Jazz')).toEqual(missing('exports.write'));
      const me = v.object({ account: v.object({ id: v.number() }) });
      const { account } = json(me, await user.cli('status', '--json'));
      const second = await operate(user.service, {
        ...{ command: 'property.create', account: account.id },
        name: 'Second',
      });
      const there = ['--property', String(v.parse(v.object({ property: v.number() }), second).property)];
      expect((await user.cli('segments', ...there)).code).toBe(0);
      expect((await asKey('segments')).code).toBe(0);
      const { code, stderr } = await asKey('segments', ...there);
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^tidemark: .*property/)]);
      expect((await asKey('status', ...there)).stderr).toContain(`reaches no property ${String(there[1])}`);
    });

    it('is ended, and refused within 30 seconds', async () => {
      const near = await user.cli('token', 'end', 'Box offise');
      expect(near.stderr).toContain('Did you mean "Box office"?');
      const ended = await user.answering('y', 'token', 'end', 'Box office');
      expect([ended.code, ended.stdout]).toEqual([
        0,
        expect.stringMatching(/^Ended the key "Box office" \([0-9a-f]{8}\)\./),
      ]);
      expect((await user.cli('token', 'list')).stdout).not.toContain('Box office');
      const segments = async (): Promise<number | null> => (await asKey('segments')).code;
      await expect.poll(segments, { timeout: 30_000, interval: 500 }).toBe(3);
      expect((await user.cli('segments')).code).toBe(0);
    }, 60_000);
  });
};
