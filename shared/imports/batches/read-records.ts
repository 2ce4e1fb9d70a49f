import * as v from 'valibot';
import type { ObjectStore } from '../../runtime/ports.ts';
import { ok } from '../../runtime/result.ts';
import type { ParsedRow } from '../model/candidates.ts';
import { openToken, hideToken } from '../model/tokens.ts';

const records = v.pipe(v.string(), v.parseJson(), v.array(v.unknown()));

/**
 * Reads the records of a batch that came over the API; `tokens` opens their social tokens. Throws when they are not there:
 * they were stored first.
 */
export const readRecords = async (
  store: Pick<ObjectStore, 'get'>,
  key: string,
  tokens: Uint8Array,
): Promise<readonly ParsedRow[]> => {
  const bytes = await store.get(key);
  if (!bytes) throw new Error('import: the records of a batch are not there');
  return v.parse(records, Buffer.from(bytes).toString('utf8')).map((record, index) => ({
    row: index + 1,
    line: null,
    record: () => ok(openToken(tokens, record)),
    original: () => JSON.stringify(hideToken(record)),
  }));
};
