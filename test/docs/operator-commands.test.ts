import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commands } from '../../cli/admin-command-list.ts';

/** The options that every command has. */
const everywhere = ['stage', 'region', 'profile', 'yes', 'json', 'help'];

const textOf = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

/** The commands of operators in a document: words and options, without a comment. */
const commandsIn = (text: string): readonly string[] =>
  [...text.matchAll(/npm run admin -- ([^`\n#]+)/g)].map(([, command = '']) => command.trim());

const named = (command: string): readonly string[] =>
  [...command.matchAll(/--([a-z-]+)/g)].map(([, name = '']) => name);

describe.each(['runbook.md', 'operating.md', 'deploying.md', 'enrichment.md'])('docs/%s', (file) => {
  const found = commandsIn(textOf(file)).filter((command) => !command.startsWith('--'));

  it('has commands', () => {
    expect(found.length).toBeGreaterThan(0);
  });

  it.each(found)('%s is a command of the command line, with options that it knows', (text) => {
    const command = commands.find(({ words }) => text === words || text.startsWith(`${words} `));
    const known = [...everywhere, ...(command?.options ?? []).map(({ name }) => name)];
    expect(command?.words, text).toBeDefined();
    expect(named(text).filter((name) => !known.includes(name))).toEqual([]);
  });
});
