import type { ResolvedProfile } from '../../shared/profiles/types.ts';
import type { HistoryRecord } from './history.ts';
import type { Stored } from './histories.ts';
import { model } from '../profiles/model.ts';
import type { StampMap } from '../profiles/stamps.ts';
import { lineOf, storedModel } from '../profiles/stored-model.ts';

/** The difference between the stored state of a person and the plain models; undefined when there is none. */
export const differenceOf = (
  records: readonly HistoryRecord[],
  { state, surfaced }: Stored,
  { timeFor }: StampMap,
): string | undefined => {
  const lines = [...state.values()].map((one) => lineOf({ ...one, time: timeFor(one.stamp) })).sort();
  const expected = storedModel(records);
  if (lines.join('\n') !== expected) return `stored:\n${lines.join('\n')}\nexpected:\n${expected}`;
  // The model of resolved values replays the records in order, so the records must have an order.
  if (new Set(records.map(({ time }) => time)).size < records.length) return undefined;
  const [shown, wanted] = [plainly(surfaced), plainModel(records)];
  return shown === wanted ? undefined : `surfaced: ${shown}\nexpected: ${wanted}`;
};

/** A resolved profile as text, without unknown fields, with names in order. */
export const plainly = ({
  fields,
  country,
  age,
  extra,
  tags,
  likes,
  sources,
  consent,
}: ResolvedProfile): string =>
  textOf({
    fields: { ...fields, country, age },
    extra,
    tags: tags.map(({ datetime, tag }) => `${datetime} ${tag}`),
    likes,
    labels: sources,
    consent: consent.map(({ channel, state, datetime }) => `${channel} ${datetime ?? ''} ${state}`),
  });

const plainModel = (records: readonly HistoryRecord[]): string => textOf(model(records));

const textOf = ({ fields, extra, ...sets }: ReturnType<typeof model>): string =>
  JSON.stringify([sortedPairs(fields), sortedPairs(extra), sets.tags, sets.likes, sets.labels, sets.consent]);

const sortedPairs = (values: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] =>
  Object.entries(values)
    .filter(([, value]) => value !== null)
    .sort(([a], [b]) => (a < b ? -1 : 1));
