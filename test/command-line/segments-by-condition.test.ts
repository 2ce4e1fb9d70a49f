import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Reply } from '../client/small-server.ts';
import { own } from './read-expression.ts';
import { conditionService, mayNotSee, previewed } from './condition-service.ts';

const umsatz = { field: 'extra_data.Umsatz', op: 'gte', value: 500 };
const seen = { field: 'extra_data.seen', op: 'within_days', value: 90 };
const winBack = 'Umsatz >= 500 and not seen within 90 days';

describe('segment create', () => {
  it('makes the conditions of an expression, waits for them, and combines them', async () => {
    await using service = await conditionService({ segments: [{ name: 'Jazz', type: 'tag' }] });
    const { code, stdout, stderr } = await service.cli([
      'segment',
      'create',
      'Win back',
      `Jazz and ${winBack}`,
    ]);
    const [jazz, first, second, custom] = service.segments.map(({ id }) => id);
    expect([code, stdout]).toEqual([0, `"Win back" has 20 people. Its id is ${custom}.\n`]);
    expect(stderr).toMatch(/^20 people\.\n✓ Prepare {2}2 conditions \(.+\)\n$/);
    expect(service.made()).toEqual([
      { name: 'Umsatz >= 500', where: umsatz },
      { name: 'seen within 90 days', where: seen },
      { name: 'Win back', definition: { all: [jazz, first, { not: second }] } },
    ]);
    const show = await service.cli(['segment', 'show', 'Win back']);
    expect(show.stdout).toContain(`definition  Jazz and ${winBack}\n`);
  });

  it('makes one segment of one condition', async () => {
    await using service = await conditionService();
    const { code, stdout } = await service.cli(['segment', 'create', 'Regulars', 'Umsatz >= 500']);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^"Regulars" has 20 people\./)]);
    expect(service.made()).toEqual([{ name: 'Regulars', where: umsatz }]);
    expect((await service.cli(['segment', 'show', 'Regulars'])).stdout).toContain(
      'condition  Umsatz >= 500\n',
    );
  });

  it('gives a condition without a name of its own this one, and keeps a name that somebody gave', async () => {
    const segments = [{ name: 'Umsatz >= 500', type: 'condition', where: umsatz }];
    await using service = await conditionService({ segments });
    expect((await service.cli(['segment', 'create', 'Regulars', 'Umsatz >= 500'])).code).toBe(0);
    expect(service.segments.map(({ name }) => name)).toEqual(['Regulars']);
    const again = await service.cli(['segment', 'create', 'Good guests', 'Umsatz >= 500']);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringContaining('This condition is the segment "Regulars" already ('),
    ]);
    const other = await service.cli(['segment', 'create', 'Regulars', 'Umsatz >= 900']);
    expect([other.code, other.stderr]).toEqual([
      1,
      expect.stringContaining('a segment "Regulars" already ('),
    ]);
  });

  it('leaves the conditions to the service on Ctrl-C, and goes on when it is called again', async () => {
    const controller = new AbortController();
    await using service = await conditionService({
      looks: 3,
      onRequest: (method, path) => {
        if (method === 'GET' && /^\/segments\/\d+$/.test(path)) controller.abort(new Error('Ctrl-C'));
      },
    });
    const ended = await service.cli(['segment', 'create', 'Regulars', 'Umsatz >= 500'], controller.signal);
    expect([ended.code, ended.stderr]).toEqual([
      130,
      '20 people.\ntidemark: The service goes on preparing the conditions. Run the same command again, and it goes on, too.\n',
    ]);
    expect((await service.cli(['segment', 'create', 'Regulars', 'Umsatz >= 500'])).code).toBe(0);
    expect(service.segments).toHaveLength(1);
  });

  it('refuses words that are the name of a segment, too', async () => {
    await using service = await conditionService({
      segments: [{ name: 'Party on 2026-12-31', type: 'tag' }],
    });
    const { code, stderr } = await service.cli(['segment', 'create', 'x', 'Party on 2026-12-31']);
    expect([code, stderr]).toEqual([
      2,
      'tidemark: There is a segment "Party on 2026-12-31". Put it all into quotes to name the segment, or write "Party" on 2026-12-31 for the condition.\n',
    ]);
    expect(
      (await service.cli(['segment', 'create', 'x', '"Party on 2026-12-31" or "Party" on 2026-12-31'])).code,
    ).toBe(0);
  });

  it('prepares nothing for who may not see people', async () => {
    await using service = await conditionService({ preview: () => mayNotSee });
    const { code, stderr } = await service.cli(['segment', 'create', 'Regulars', 'Umsatz >= 500']);
    expect([code, service.made()]).toEqual([1, []]);
    expect(stderr).toMatch(/^tidemark: No people\.\n/);
  });

  it('prepares nothing if a key is misspelt', async () => {
    const preview = (): Reply =>
      previewed({
        conditions: [{ where: { ...umsatz, field: 'extra_data.Umsaz' }, with_value: 0, unreadable: 0 }],
      });
    await using service = await conditionService({ preview });
    const { code } = await service.cli(['segment', 'create', 'Regulars', 'Umsaz >= 500']);
    expect([code, service.made()]).toEqual([1, []]);
  });

  it('prepares nothing if a segment is unknown', async () => {
    await using service = await conditionService();
    const { code } = await service.cli(['segment', 'create', 'x', 'gender = f and Jazz']);
    expect([code, service.made()]).toEqual([1, []]);
  });

  it('says what a name lacks that is nearly a condition', async () => {
    await using service = await conditionService();
    expect((await service.cli(['segment', 'create', 'x', 'seen within 3 weeks'])).stderr).toBe(
      'tidemark: There is no segment seen within 3 weeks. "within" needs a number of days: within 90 days.\n',
    );
  });
});

describe('segment preview', () => {
  const shown = async (figures: object, text = 'gender = f', option: readonly string[] = []) => {
    const segments = [{ name: 'Jazz', type: 'tag' }];
    const bodies: unknown[] = [];
    const preview = (sent: unknown): Reply => {
      bodies.push(sent);
      return previewed(figures);
    };
    await using service = await conditionService({ segments, preview });
    const args =
      option.length === 0 ? ['segment', 'preview', text] : ['segment', 'create', 'x', text, ...option];
    const { stdout, stderr } = await service.cli(args);
    expect(service.made()).toEqual([]);
    return { bodies, output: stdout + stderr };
  };
  const some = { estimate: { count: 5_200, low: 4_900, high: 5_500, profiles_read: 4_096 } };
  const found = (field: unknown, values: object, op = 'gt', value: unknown = 5) => ({
    ...some,
    conditions: [{ where: { field, op, value }, with_value: 4_000, unreadable: 0, ...values }],
  });

  it('counts exactly without conditions, and estimates with them', async () => {
    const exact = { estimate: undefined, conditions: undefined, count: 20 };
    expect((await shown(exact, 'Jazz')).output).toBe('20 people.\n');
    expect((await shown(exact, 'Jazz', ['--preview'])).output).toBe('20 people.\nNothing was created.\n');
    const { bodies, output } = await shown(some, 'Jazz and not gender = f');
    expect(output).toBe('About 5,200 people (4,900 to 5,500), by 4,096 people read.\n');
    expect(bodies).toEqual([
      {
        definition: {
          all: [1_000_000_000_001, { not: { where: { field: 'gender', op: 'eq', value: 'f' } } }],
        },
      },
    ]);
    expect((await shown({})).output).toBe('20 people.\n');
  });

  it('shows ten of the people', async () => {
    const sample = [{ first_name: 'Ada', email: 'ada@example.org' }];
    expect((await shown({ sample })).output).toMatch(
      /^first_name +last_name .*\nAda .*ada@example\.org.*\n20 people\.\n$/,
    );
  });

  it.each([
    [own('Umsatz'), 'gt', 5, 'Umsatz has text that is no number in 31 of 4,096 people read.'],
    [
      own('a b'),
      'between',
      ['2026-01-01', '2026-01-02'],
      '"a b" has a value that is no day in 31 of 4,096 people read.',
    ],
    [{ tag: 'x' }, 'within_days', 5, 'tag "x" has a value that is no day in 31 of 4,096 people read.'],
    [own('a'), 'in', [5, 6], 'a has text that is no number in 31 of 4,096 people read.'],
  ])('says what could not be compared: %j %s %j', async (field, op, value, sentence) => {
    const { output } = await shown(found(field, { unreadable: 31 }, op, value));
    expect(output.split('\n')[1]).toBe(sentence);
  });

  it('refuses a key that nobody has, and names what is near', async () => {
    const lacks = async (field: string) => (await shown(found(field, { with_value: 0 }))).output;
    expect(await lacks(own('Umsaz'))).toBe(
      'tidemark: Nobody of 4,096 people read has Umsaz. Did you mean Umsatz?\n',
    );
    expect(await lacks(own('Emaill'))).toBe(
      'tidemark: Nobody of 4,096 people read has Emaill. Did you mean email?\n',
    );
    // These may be right all the same: a key that an import fills, one that nothing resembles, and a field.
    for (const field of [own('Umsatz'), own('Vertragsende'), 'street2'])
      expect(await lacks(field)).toMatch(/^About .*\nNobody of 4,096 people read has \w+\.\n$/);
  });
});

describe('segments by condition in lists', () => {
  it('are marked while they are prepared', async () => {
    const segments = [{ name: 'Regulars', type: 'condition', where: umsatz, looks: 9 }];
    await using service = await conditionService({ segments });
    const { stdout } = await service.cli(['segments']);
    expect(stdout).toMatch(/\n +– {2}condition {2}Regulars \(being prepared: 50 %\) {2}\d+\n/);
    expect((await service.cli(['segment', 'show', 'Regulars'])).stdout).toContain(
      'people     not counted yet: the condition is being prepared (50 %)\n',
    );
  });
});

describe('segments in lists', () => {
  it('are there before their sizes are measured', async () => {
    const segments = ['Old', 'New', 'Newest'].map((name) => ({ name, type: 'custom', definition: 1 }));
    await using service = await conditionService({ segments, measured: 1 });
    for (const option of [[], ['--type', 'custom']]) {
      const { stdout } = await service.cli(['segments', ...option]);
      expect(stdout.match(/^ .*$/gm)?.map((line) => line.trim().split(/ +/).slice(0, 3))).toEqual([
        ['20', 'custom', 'Old'],
        ['–', 'custom', 'Newest'],
        ['–', 'custom', 'New'],
      ]);
    }
    expect((await service.cli(['segments', '--type', 'tag'])).stdout).not.toContain('New');
  });
});

describe('a condition in an argument', () => {
  it('is found by its words, whatever its name is', async () => {
    const segments = [{ name: 'VIP', type: 'condition', where: umsatz }];
    await using service = await conditionService({ segments });
    expect((await service.cli(['segment', 'show', 'Umsatz>=500'])).stdout).toContain('name       VIP\n');
    const other = await service.cli(['segment', 'show', 'Umsatz >= 501']);
    expect([other.code, other.stderr]).toMatchObject([1, /^tidemark: There is no segment /]);
  });
});

describe('definitions as code with conditions', () => {
  const file = `segments: [{ name: Win back, expression: '${winBack}' }, { name: Regulars, expression: 'Umsatz >= 500' }]`;

  it('are planned, and applied after their conditions', async () => {
    await using service = await conditionService();
    await writeFile(join(service.folder, 'd.yaml'), file);
    const plan = await service.cli(['plan', 'd.yaml']);
    expect(plan.stdout).toBe(
      '+ condition "Umsatz >= 500"\n+ condition "seen within 90 days"\n+ segment "Win back"\n+ segment "Regulars"\n4 changes in 4 definitions.\n',
    );
    expect(service.made()).toEqual([]);
    const apply = await service.cli(['apply', 'd.yaml', '--yes']);
    expect([apply.code, apply.stdout]).toEqual([0, '4 changes made.\n']);
    const [first, second] = service.segments.map(({ id }) => id);
    expect(service.made().slice(2)).toEqual([
      { name: 'Win back', definition: { all: [first, { not: second }] } },
      { name: 'Regulars', definition: first },
    ]);
    expect((await service.cli(['plan', 'd.yaml'])).stdout).toMatch(/Nothing would change\.\n$/);
    expect((await service.cli(['apply', 'd.yaml'])).stdout).toBe('Everything is as the file says.\n');
  });

  it('take a condition that has the name, and refuse another one', async () => {
    const segments = [{ name: 'Regulars', type: 'condition', where: umsatz }];
    await using service = await conditionService({ segments });
    await writeFile(
      join(service.folder, 'd.yaml'),
      "segments: [{ name: Regulars, expression: 'Umsatz >= 500' }]",
    );
    expect((await service.cli(['plan', 'd.yaml'])).stdout).toMatch(/Nothing would change\.\n$/);
    await writeFile(
      join(service.folder, 'd.yaml'),
      "segments: [{ name: Regulars, expression: 'Umsatz >= 900' }]",
    );
    const { code, stderr } = await service.cli(['plan', 'd.yaml']);
    expect([code, stderr]).toEqual([1, expect.stringContaining('"Regulars" with another condition (')]);
  });
});
