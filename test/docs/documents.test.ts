import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const documents = globSync(['*.md', 'docs/**/*.md', 'local/**/*.md', 'shared/**/*.md', '.github/**/*.md'], {
  cwd: root,
}).toSorted();

/** Paths from the root of the repository in backticks, without placeholders such as `<area>`. */
const pathsIn = (text: string): readonly string[] =>
  [
    ...text.matchAll(/`((?:bench|bin|cli|docs|functions|lib|local|releases|shared|test)\/[\w./*{},-]+)`/g),
  ].map(([, path = '']) => path);

/** Files and folders that a path with braces or stars names. */
const matches = (path: string): readonly string[] => globSync(path.replace(/\/$/, ''), { cwd: root });

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\- ]/gu, '')
    .replaceAll(' ', '-');
const withoutFences = (text: string): string => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');
const anchorsOf = (file: string): readonly string[] =>
  [...withoutFences(read(file)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** Targets of the links and pictures of a document, and of its link definitions, addresses of the web left out. */
const linksIn = (text: string): readonly string[] =>
  [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)|^\[[^\]]+\]: (\S+)$/gm)]
    .map(([, inline, defined]) => inline ?? defined ?? '')
    .filter((target) => !/^[a-z]+:/.test(target));

const isBroken = (document: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : normalize(join(dirname(document), path));
  if (!existsSync(join(root, target))) return true;
  return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
};

describe.each(documents)('%s', (document) => {
  const text = read(document);

  it('names only files that exist', () => {
    const missing = pathsIn(text).filter((path) => matches(path).length === 0);
    expect(missing).toEqual([]);
  });

  it('links only to files and headings that exist', () => {
    expect(linksIn(text).filter((link) => isBroken(document, link))).toEqual([]);
  });

  it('has no line over 120 characters', () => {
    const long = text.split('\n').flatMap((line, index) => (line.length > 120 ? [index + 1] : []));
    expect(long).toEqual([]);
  });
});

it('the documents are found', () => {
  expect(documents.length).toBeGreaterThan(20);
});

it('CONTRIBUTING.md explains each probe of the benches, and no other', () => {
  const table = read('CONTRIBUTING.md').split('| probe ')[1] ?? '';
  const explained = table
    .split('\n')
    .flatMap((line) => (line.startsWith('| `') ? [line.split(/[` ]/)[2]] : []));
  const probes = globSync('bench/probes/*.ts', { cwd: root }).map((file) => basename(file, '.ts'));
  expect(explained.toSorted()).toEqual(probes.toSorted());
});
