import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { pathsOf } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';

const root = join(import.meta.dirname, '../..');
const files = globSync('functions/*/*entries.ts', { cwd: root }).toSorted();

it.each(files)('%s: all of its entries are in the manifest, each under a name of its own', async (file) => {
  const loaded: unknown = await import(/* @vite-ignore */ join(root, file));
  const entries = Object.entries(v.parse(v.looseObject({}), loaded));
  const absent = entries.filter(([name, entry]) => manifest[name] !== entry).map(([name]) => name);
  const area = basename(dirname(file));
  const advice = `Add to functions/manifest.ts: \`import * as ${area} from './${area}/${basename(file)}';\` and \`...${area},\``;
  expect(absent, advice).toEqual([]);
});

it('every route of a property under /v1 is under /api/v1 as well', () => {
  const alone = Object.entries(manifest).flatMap(([name, { trigger }]) => {
    if (trigger.kind !== 'http' || !trigger.path.startsWith('/v1/{property_id}')) return [];
    return pathsOf(trigger).includes(`/api${trigger.path}`) ? [] : [name];
  });
  expect(alone).toEqual([]);
});
