import { expect, it } from 'vitest';
import { newFolders } from '../../local/test/support/folders.ts';
import { startServer, type Reply } from '../client/small-server.ts';
import { inProcess } from './run-cli.ts';

const newFolder = newFolders();

const ada = {
  ...{ email: 'ada@example.org', first_name: 'Ada', unique_id: null, current_age: 70 },
  tags: [{ tag: 'Jazz' }, { tag: 'Oper' }, { tag: 'Jazz' }],
  sources: ['shop', 'door'],
  extra_data: { Umsatz: 12.5, 'Letzter Besuch': ['2026-01-01', '2026-02-01'] },
  consent: [
    { channel: 'sms', state: 'given' },
    { channel: 'email', state: 'withdrawn' },
  ],
};

/** What `segment people` prints with columns, and the queries of its pages. */
const people = async (columns: string) => {
  await using server = await startServer(({ url }): Reply => {
    if (!url.includes('/profiles')) return { body: { id: 1, name: 'All', type: 'custom', count: 1 } };
    return { body: { profiles: [ada], paging: { count: 1, next_page: null } } };
  });
  const env = { TIDEMARK_BASE_URL: server.url, TIDEMARK_TOKEN: 'given', TIDEMARK_PROPERTY: '7' };
  const args = ['segment', 'people', '1001000000001', '--columns', columns];
  const { stdout, stderr } = await inProcess({ folder: newFolder(), env }, args);
  const asked = server.received.map(({ url }) => url.split('/profiles?')[1]).filter((query) => query);
  return { lines: stdout.split('\n').slice(0, 2), stderr, asked };
};

it('people are shown in the columns that are wanted, and pages include no more', async () => {
  expect(await people('email=Mail,tags,consent.email,current_age')).toEqual({
    lines: [
      'Mail             tags        consent.email  current_age',
      'ada@example.org  Jazz, Oper  withdrawn      70',
    ],
    stderr: '',
    asked: ['limit=20&include=current_age%2Ctags%2Cconsent'],
  });
  expect(await people('extra_data.Letzter Besuch=Besuche,source,extra_data.Umsatz,first_name')).toMatchObject(
    {
      lines: [
        'Besuche                 source      extra_data.Umsatz  first_name',
        '2026-01-01, 2026-02-01  shop, door  12.5               Ada',
      ],
      asked: ['limit=20&include=sources%2Cextra_data'],
    },
  );
  expect((await people('first_name')).asked).toEqual(['limit=20']);
});

it.each(['fist_name', 'extra_data', 'consent.', 'tags.Jazz', 'sources'])(
  '%s is no column',
  async (column) => {
    const { stderr, asked } = await people(column);
    expect([stderr, asked]).toEqual([
      expect.stringContaining(`tidemark: --columns "${column}": There is no such field.`),
      [],
    ]);
  },
);
