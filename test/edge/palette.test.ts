import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { palettes } from '../../shared/runtime/palette.ts';

/** The colours of the console, which is bundled by itself: `--name: light-dark(light, dark);`. */
const style = readFileSync(join(import.meta.dirname, '../../console/src/style.css'), 'utf8');
const tokens = style.split('\n').flatMap((line) => {
  const [, name = '', light = '', dark = ''] =
    /^ {2}--([a-z-]+): light-dark\((#\w+), (#\w+)\);$/.exec(line) ?? [];
  return name === '' ? [] : [[name, { light, dark }] as const];
});

describe.each(['light', 'dark'] as const)('the %s palette of the pages of the service', (scheme) => {
  it('has the colours of the console', () => {
    const own = palettes[scheme].split(';').map((pair) => pair.split(':'));
    const console = new Map(tokens.map(([name, colours]) => [`--${name}`, colours[scheme]]));
    expect(own.length).toBeGreaterThan(5);
    for (const [name = '', colour] of own) expect(console.get(name), name).toBe(colour);
  });
});
