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

  it('a destination ignores its public key, which the service generates', () => {
    const destination_credentials = { domain: 'files.example.org', client_id: 'ada' };
    const shown = { name: 'x', destination_credentials: { ...destination_credentials, public_key: 'ssh' } };
    expect(withoutReadOnly(shown)).toEqual({ name: 'x', destination_credentials });
    for (const odd of [null, 'public_key', ['public_key']])
      expect(withoutReadOnly({ destination_credentials: odd })).toEqual({ destination_credentials: odd });
    expect(withoutReadOnly({ public_key: 'mine' })).toEqual({ public_key: 'mine' });
  });
});
