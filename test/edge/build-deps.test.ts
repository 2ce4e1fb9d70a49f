import { expect, it } from 'vitest';
import { collectionDeps } from '../../functions/collections/deps.ts';
import { apiFunction, entry, route } from '../../functions/entry.ts';
import { apiHandler } from '../../shared/edge/api-handler.ts';
import { ok } from '../../shared/runtime/result.ts';
import { scopesFromEnv } from '../../shared/properties/property-keys.ts';
import type { Env } from '../../shared/runtime/env.ts';

const common = { ...apiFunction('api'), source: 'things/show', summary: 'Show things' };
const show = () => Promise.resolve(ok({ status: 200, body: {} }));
const tableOnly = (env: Env<'TABLE_NAME'>) => collectionDeps(env);
const withKeys = (env: Env<'TABLE_NAME' | 'PROPERTY_KEY_ID'>) => ({ scopeOf: scopesFromEnv(env) });

/** A route that reads the table; the compiler refuses the lines that it must refuse. */
const reading = entry(() => ({
  ...common,
  trigger: route('GET', '/v1/things', { permission: 'definitions.read' }),
  access: { table: ['read'] },
}));

it('ports compile with an entry that names what they read', () => {
  expect(apiHandler(reading, show, tableOnly)).toBeTypeOf('function');
});

it('ports do not compile with an entry that names too little', () => {
  // @ts-expect-error The entry does not name the key of properties.
  expect(apiHandler(reading, show, withKeys)).toBeTypeOf('function');
});

it('ports do not compile with an entry that names too much', () => {
  const wide = entry(() => ({
    ...common,
    trigger: route('GET', '/v1/things', { permission: 'definitions.read' }),
    access: { table: ['read'], drains: ['send'] },
  }));
  // @ts-expect-error No port reads the queue of drains.
  expect(apiHandler(wide, show, tableOnly)).toBeTypeOf('function');
});

it('an operation that its resource does not have does not compile', () => {
  const strange = entry(() => ({
    ...common,
    trigger: route('GET', '/v1/things', { permission: 'definitions.read' }),
    // @ts-expect-error A queue has no items.
    access: { drains: ['read'] },
  }));
  expect(strange.source).toBe('things/show');
});
