import { expect, it } from 'vitest';
import type { FunctionEntry } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import { handlerSource } from '../support/handler-source.ts';

/**
 * Names of the manifest entries that the source of a handler mentions: of its wrapper, or of the type of its
 * environment.
 */
const entriesIn = (source: string): readonly string[] => [
  ...new Set([...source.matchAll(/\bentries\.((?!ts\b)\w+)/g)].flatMap(([, name]) => name ?? [])),
];

// The type of an environment protects a handler only if the environment is that of its own entry.
it.each(Object.entries(manifest))(
  '%s reads the environment of its own manifest entry',
  (name, entry: FunctionEntry) => {
    const source = handlerSource(name, entry);
    const message = `${name}: functions/${entry.source}.ts should type its environment as EnvOf<typeof entries.${name}>`;
    expect(entriesIn(source), message).toStrictEqual([name]);
  },
);
