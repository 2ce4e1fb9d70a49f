import * as v from 'valibot';
import { isObject } from '../../http/json.ts';
import type { Ids } from '../../runtime/ids.ts';
import { seal, unseal } from '../../runtime/seal.ts';

/** The field of a record that is never stored or reported in plain text. */
const FIELD = 'social_token';
const CONTEXT = 'tidemark/record-token/1';
const IV_BYTES = 12;

const sealedToken = v.strictObject({ sealed: v.string() });

/** Whether any record has a social token, of any type. */
export const hasTokens = (records: readonly unknown[]): boolean => records.some(hasToken);

const hasToken = (record: unknown): record is Readonly<Record<string, unknown>> =>
  isObject(record) && Object.hasOwn(record, FIELD);

/**
 * Seals the social tokens of records that are stored until a worker imports them. A value of any type and length is
 * sealed, and `openToken` restores it unchanged. The rules of records check it then, so even an invalid token is never
 * in plain text.
 */
export const sealTokens = (key: Uint8Array, ids: Ids, records: readonly unknown[]): readonly unknown[] =>
  records.map((record) => {
    if (!hasToken(record)) return record;
    const iv = Buffer.from(ids.hex(IV_BYTES), 'hex');
    const sealed = seal(key, iv, CONTEXT, JSON.stringify(record[FIELD])).toString('base64');
    return { ...record, [FIELD]: { sealed } };
  });

/** A record of `sealTokens` as the client sent it. Throws when its token does not open. */
export const openToken = (key: Uint8Array, record: unknown): unknown => {
  if (!hasToken(record) || !v.is(sealedToken, record[FIELD])) return record;
  const text = unseal(key, CONTEXT, Buffer.from(record[FIELD].sealed, 'base64'));
  if (text === undefined) throw new Error('import: the token of a record does not open');
  const value: unknown = JSON.parse(text);
  return { ...record, [FIELD]: value };
};

/** Reports show this text in place of a social token, and in place of a row in which the token cannot be located. */
export const HIDDEN = '[hidden]';

/** A record that the client copied from a report and sent again: a hidden token counts as not supplied. */
export const dropHiddenToken = (record: unknown): unknown => {
  if (!hasToken(record) || record[FIELD] !== HIDDEN) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== FIELD));
};

/** The text of an invalid record as reports show it. */
export const hideTokenText = (text: string): string => (text.includes(FIELD) ? HIDDEN : text);

/** A record as reports show it: without its token. */
export const hideToken = (record: unknown): unknown =>
  hasToken(record) ? { ...record, [FIELD]: HIDDEN } : record;
