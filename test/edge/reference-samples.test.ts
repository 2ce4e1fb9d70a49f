/** The samples of `/docs` for the clients: each operation has one, and they fit the types of the clients. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import openapi from '../../openapi.json' with { type: 'json' };
import { referencePage } from '../../functions/edge/page/page.ts';
import { newFolders } from '../../local/test/support/folders.ts';
import { checkedByMypy, hasPython } from '../support/package-user.ts';
import { faultsIn, programOf } from '../support/type-check.ts';

const root = join(import.meta.dirname, '../..');
const file = 'test/edge/samples.mts';

const page = referencePage(openapi);

/** The samples of a language, as a reader copies them. */
const samplesOf = (language: string): readonly string[] =>
  [...page.matchAll(new RegExp(`<pre class="${language}"[^>]*>([^]*?)</pre>`, 'g'))].map(([, text = '']) =>
    text
      .replaceAll(/<\/?var>/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll('&gt;', '>')
      .replaceAll('&lt;', '<')
      .replaceAll('&amp;', '&'),
  );

const line = "import { Tidemark } from 'tidemark';\n\n";

/** What the compiler says against the samples, all of them in one file. */
const faultsOf = (samples: readonly string[]): readonly string[] => {
  const functions = samples.map((sample) => `async () => {\n${sample.replace(line, '')}\n},`);
  const text = `${line}export const samples = [\n${functions.join('\n')}\n];\n`;
  const options = { paths: { tidemark: [join(root, 'client/src/index.ts')] } };
  return faultsIn(programOf(new Map([[file, text]]), options), [file]);
};

const samples = samplesOf('tidemark');

it('each operation has a sample for the client, which compiles', () => {
  expect(samples).toHaveLength(samplesOf('curl').length);
  expect(samples.filter((sample) => !sample.startsWith(line))).toEqual([]);
  expect(faultsOf(samples)).toEqual([]);
});

it('a sample with a wrong field would not compile', () => {
  const right = samples.find((sample) => sample.includes('createProfile')) ?? '';
  const wrong = right.replace('first_name:', 'frist_name:');
  expect(faultsOf([right, wrong])).toEqual([expect.stringContaining('frist_name')]);
});

it('a sample of a list reads all its pages', () => {
  const lists = samples.filter((sample) => sample.includes('for await (const one of tidemark.list'));
  expect(lists.length).toBeGreaterThan(8);
  expect(samples.filter((sample) => sample.includes('await tidemark.listSegmentProfiles'))).toEqual([]);
  // A page of the size of the example would take a request for each item.
  expect(lists.filter((sample) => sample.includes('limit'))).toEqual([]);
});

it('a value that is too long for one line has a line for each member', () => {
  expect(samples.find((sample) => sample.includes('createSegment'))).toMatch(
    /createSegment\(\{\n {2}body: \{\n {4}name: '[^']+',\n/,
  );
});

const newFolder = newFolders();

/** What mypy says about the samples, all of them in one file. */
const mypyOf = (texts: readonly string[]): string => {
  const functions = texts.map(
    (text, at) => `def sample_${at}() -> None:\n${text.replaceAll(/^(?=.)/gm, '    ')}\n`,
  );
  return checkedByMypy(newFolder(), new Map([['samples.py', functions.join('\n\n')]]));
};

it.runIf(hasPython('mypy'))('each operation has a sample for the Python client, which mypy accepts', () => {
  const python = samplesOf('python');
  expect(python).toHaveLength(samples.length);
  expect(mypyOf(python)).toBe('');
  const right = python.find((sample) => sample.includes('create_profile')) ?? '';
  expect(mypyOf([right.replace('"first_name"', '"frist_name"')])).toContain('frist_name');
});
