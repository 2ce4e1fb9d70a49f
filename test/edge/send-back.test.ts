import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { HttpTrigger } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import { withoutReadOnly } from '../../shared/edge/read-only.ts';

const triggers = Object.values(manifest).flatMap(({ trigger }) => (trigger.kind === 'http' ? [trigger] : []));
const at = (method: string, path: string): HttpTrigger | undefined =>
  triggers.find((one) => one.method === method && one.path === path);

const objectSchema = v.object({ entries: v.record(v.string(), v.unknown()) });
const fieldsOf = (schema: unknown): readonly string[] => Object.keys(v.parse(objectSchema, schema).entries);

/** Resources that a client can read and replace: path, body of a GET, and the routes that take a body. */
const things = triggers
  .filter(({ method }) => method === 'PUT')
  .flatMap(({ path }) => {
    const read = at('GET', path);
    const create = at('POST', path.replace(/\/\{\w+\}$/, ''));
    const takers = [at('PUT', path), create].filter((one) => one?.body !== undefined);
    return read?.answer ? [{ path, read, takers }] : [];
  });

/** Whether an address is that of a thing, or of one thing of a list. */
const isOf = (list: string, path: string): boolean =>
  path === list || (path.startsWith(`${list}/{`) && !path.includes('/', list.length + 1));

describe('sending back a body that was read', () => {
  it('the test covers every resource that a client can replace', () => {
    expect(things.map(({ path }) => path).length).toBeGreaterThanOrEqual(4);
  });

  it.each(things)('$path accepts or ignores every field that its GET shows', ({ read, takers }) => {
    for (const { body, shownOnly } of takers.flatMap((one) => one ?? [])) {
      const shown = Object.fromEntries(fieldsOf(read.answer).map((field) => [field, 1]));
      const known = new Set(fieldsOf(body));
      const refused = Object.keys(withoutReadOnly(shown, shownOnly)).filter((field) => !known.has(field));
      expect(refused).toEqual([]);
    }
  });

  it.each(triggers.filter(({ shownOnly = [] }) => shownOnly.length > 0))(
    '$method $path ignores only what its resource shows',
    ({ path, answer, shownOnly = [] }) => {
      const reads = triggers.filter((one) => one.method === 'GET' && isOf(path, one.path));
      const shown = [answer, ...reads.map((one) => one.answer)].flatMap((schema) =>
        v.is(objectSchema, schema) ? fieldsOf(schema) : [],
      );
      expect(shownOnly.filter((field) => !shown.includes(field))).toEqual([]);
    },
  );

  it('a client cannot grant its import a tier: the field is ignored', () => {
    for (const method of ['POST', 'PUT']) {
      const taker = at(method, `/v1/{property_id}/imports${method === 'PUT' ? '/{import_id}' : ''}`);
      expect(withoutReadOnly({ name: 'x', granted_tier: 'provider_1' }, taker?.shownOnly)).toEqual({
        name: 'x',
      });
    }
  });

  it('a destination ignores its public key, which the service generates', () => {
    const destination_credentials = { domain: 'files.example.org', client_id: 'ada' };
    const shown = { name: 'x', destination_credentials: { ...destination_credentials, public_key: 'ssh' } };
    expect(withoutReadOnly(shown)).toEqual({ name: 'x', destination_credentials });
    for (const odd of [null, 'public_key', ['public_key']])
      expect(withoutReadOnly({ destination_credentials: odd })).toEqual({ destination_credentials: odd });
    expect(withoutReadOnly({ public_key: 'mine' })).toEqual({ public_key: 'mine' });
  });
});
