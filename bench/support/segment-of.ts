import * as v from 'valibot';
import type { MeasuredService } from './service.ts';

const listed = v.array(v.looseObject({ id: v.number(), name: v.string(), type: v.string() }));

/** The id of the segment of a tag. */
export const segmentOf = async ({ call, property }: MeasuredService, tag: string): Promise<number> => {
  const { text } = await call('GET', `/v1/${property}/segments?name=${tag}&type=tag`);
  const found = v.parse(listed, JSON.parse(text)).find(({ name }) => name === tag);
  if (!found) throw new Error(`there is no segment ${tag}`);
  return found.id;
};
