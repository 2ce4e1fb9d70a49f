import * as v from 'valibot';
import type { StoredItem } from '../table/table.ts';
import { decodeChunk, noBits, type Bits } from './chunk.ts';

const chunkItem = v.object({ members: v.instance(Uint8Array) });

/** The members that a chunk's item (or none) holds. */
export const membersIn = (item: StoredItem | undefined): Bits =>
  item ? decodeChunk(v.parse(chunkItem, item).members) : noBits();
