import * as v from 'valibot';
import { isObject } from '../../http/json.ts';
import type { Ids } from '../../runtime/ids.ts';
import { seal, unseal } from '../../runtime/seal.ts';

/** The field of a record that is never to lie in the open. */
const FIELD = 'social_token';
const CONTEXT = 'tidemark/record-token/1';
const IV_BYTES = 12;

const sealedToken = v.strictObject({ sealed: v.string() });

/** Whether some record carries a social token, whatever it may be. */
export const hasTokens = (records: readonly unknown[]): boolean => records.some(hasToken);

const hasToken = (record: unknown): record is Readonly<Record<string, unknown>> =>
  isObject(record) && Object.hasOwn(record, FIELD);

/**
 * Records to be kept until they are worked off, their social tokens sealed. Any value is, of whatever type and length: it
 * comes out as it was sent, so the rules judge it then, and nothing that was meant as a token lies in the open.
 */
export const sealTokens = (key: Uint8Array, ids: Ids, records: readonly unknown[]): readonly unknown[] =>
  records.map((record) => {
    if (!hasToken(record)) return record;
    const iv = Buffer.from(ids.hex(IV_BYTES), 'hex');
    const sealed = seal(key, iv, CONTEXT, JSON.stringify(record[FIELD])).toString('base64');
    return { ...record, [FIELD]: { sealed } };
  });

/** Such a record as it was sent. Throws when its token does not open. */
export const openToken = (key: Uint8Array, record: unknown): unknown => {
  // What is not sealed was accepted by a version that did not seal.
  if (!hasToken(record) || !v.is(sealedToken, record[FIELD])) return record;
  const text = unseal(key, CONTEXT, Buffer.from(record[FIELD].sealed, 'base64'));
  if (text === undefined) throw new Error('import: the token of a record does not open');
  const value: unknown = JSON.parse(text);
  return { ...record, [FIELD]: value };
};

/** What reports show in the place of a social token, and of a row where it cannot be told apart. */
export const HIDDEN = '[hidden]';

/** A record that is sent again as a report shows it: a token that is hidden there is not supplied. */
export const dropHiddenToken = (record: unknown): unknown => {
  if (!hasToken(record) || record[FIELD] !== HIDDEN) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== FIELD));
};

/** What was meant as a record, and is none, as reports show it. */
export const hideTokenText = (text: string): string => (text.includes(FIELD) ? HIDDEN : text);

/** A record as reports show it. */
export const hideToken = (record: unknown): unknown =>
  hasToken(record) ? { ...record, [FIELD]: HIDDEN } : record;
