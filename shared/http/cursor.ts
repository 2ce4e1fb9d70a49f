import { createHmac, hkdfSync } from 'node:crypto';
import * as v from 'valibot';
import { seal, unseal } from '../runtime/seal.ts';

/** Longer texts cannot be cursors of this service; they are refused unread. */
const MAX_LENGTH = 2_048;

const derive = (key: Uint8Array, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', key, new Uint8Array(), info, 32));

/**
 * Seals the position of a list into an opaque cursor. `key` belongs to the property (`keys.cursors`), so a cursor of
 * another property does not open; `route` names the list with the id of its parent. The same position gives the same
 * cursor: the initialisation vector is a keyed hash of the content.
 */
export const sealCursor = (key: Uint8Array, route: string, position: unknown): string => {
  const text = JSON.stringify(position);
  const iv = createHmac('sha256', derive(key, 'tidemark/cursors/1/iv')).update(`${route}\n${text}`).digest();
  const sealed = seal(derive(key, 'tidemark/cursors/1/seal'), iv.subarray(0, 12), route, text);
  return sealed.toString('base64url');
};

/** Opens a cursor; `undefined` when it is forged, cut, or of another property, route or shape: the caller answers 400. */
export const openCursor = <Position>(
  key: Uint8Array,
  route: string,
  cursor: string,
  schema: v.GenericSchema<unknown, Position>,
): Position | undefined => {
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return undefined;
  const sealed = Buffer.from(cursor, 'base64url');
  if (sealed.toString('base64url') !== cursor) return undefined;
  const text = unseal(derive(key, 'tidemark/cursors/1/seal'), route, sealed);
  if (text === undefined) return undefined;
  const parsed = v.safeParse(schema, JSON.parse(text));
  return parsed.success ? parsed.output : undefined;
};
