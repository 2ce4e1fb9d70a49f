import { describe, expect, it } from 'vitest';
import { roles } from '../../shared/http/permissions.ts';
import { tagged } from './guard-scenes.ts';
import { definitionOf, fieldMap } from '../support/field-map.ts';
import { simpleDefinition, withDefinition } from './import-harness.ts';

/** The texts of a job as a reader and as a viewer get them. */
const readBoth = async (definition: object, file: Buffer | string) => {
  const { harness, id } = await withDefinition(definition);
  const { id: job } = await harness.runFile(id, file);
  const texts = async (permissions: typeof roles.reader | typeof roles.viewer): Promise<string> =>
    JSON.stringify(await harness.readJob(id, job, permissions));
  return { reader: await texts(roles.reader), viewer: await texts(roles.viewer) };
};

const dated = definitionOf(
  [fieldMap('email', 'email'), fieldMap('birthday', 'born', { transformations: [{ name: 'date_dmy' }] })],
  { required_fields: ['email'] },
);

const identified = definitionOf(['unique_id', 'email'], { max_addresses_per_id: 1 });
const fileOfOneId = 'unique_id,email\nLEGACY-0,a@x.org\nLEGACY-0,b@x.org\n';

describe('a job quotes its file only to a token that may see people', () => {
  it.each([
    ['a refused cell', dated, 'email,born\na@x.org,Dora Duck\n', 'Dora Duck'],
    ['a first line that is a row', simpleDefinition, 'Hugo,Hidden,Geheimweg\n', 'Geheimweg'],
    [
      'a word that was decoded twice',
      simpleDefinition,
      'email,first_name\na@x.org,J\u00c3\u00bcrgen\n',
      'J\u00c3\u00bcrgen',
    ],
    [
      'a word of an encoding that is not proven',
      { ...simpleDefinition, encoding: 'auto' },
      Buffer.from('email,first_name\na@x.org,\xacx\xa4\xa6Q\xf7\xd7k\xa4\n', 'latin1'),
      'A word of the file is',
    ],
    ['an id with too many addresses', identified, fileOfOneId, 'LEGACY-0'],
    [
      'a column of addresses that would make segments',
      { ...tagged, max_new_segments: 0 },
      'email,tags\na@x.org,dora@x.org\n',
      'dora@x.org',
    ],
  ])('%s', async (_, definition, file, word) => {
    const { reader, viewer } = await readBoth(definition, file);
    expect(reader).toContain(word);
    expect(viewer).not.toContain(word);
  });
});

it('the result of a dry run is only for a token that may see people', async () => {
  const { harness, id } = await withDefinition();
  const { id: job } = await harness.openJob(id, { dry_run: true });
  await harness.store(job, [{ email: 'a@x.org' }]);
  const resultFor = async (permissions?: typeof roles.viewer) =>
    (await harness.readJob(id, job, permissions)).dry_run_result;
  expect((await resultFor())?.people).toEqual({ new: 1, changed: 0, unchanged: 0 });
  expect(await resultFor(roles.viewer)).toBe(null);
});
