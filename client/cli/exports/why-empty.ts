/** Says why a file of an export has no rows. */
import type { Answer, Tidemark } from '../../src/index.ts';
import type { Connected } from '../context.ts';
import { onProblem } from '../problems.ts';
import { nearest } from '../segments/nearest.ts';
import { count, counted, plain } from '../terminal/text.ts';
import type { ExportJob } from './follow.ts';

type Consent = NonNullable<Answer<'getExport'>['consent']>;

/**
 * Why a run has no rows: nothing has changed, it tells nobody yet, nobody is in the segments, or nobody gave the consent.
 */
export const whyEmpty = async (
  { client }: Connected,
  { export: id, delta_from: base }: Pick<ExportJob, 'export' | 'delta_from'>,
): Promise<readonly string[]> => {
  if (base !== null) return [UNCHANGED];
  const { consent, segment, collection, changes } = await client.getExport({ path: { export_id: id } });
  if (changes?.first === 'none') return [REMEMBERS];
  const people = collection.length === 0 ? await peopleIn(client, segment) : undefined;
  if (people === 0) return ['Nobody is in its segments.'];
  if (consent === null) return [];
  const { channel, state } = consent;
  const who =
    people === undefined ? 'Nobody in its segments' : `None of the ${counted(people, 'person', 'people')}`;
  const stated = await statementsOn(client, channel);
  const all = stated.reduce((sum, one) => sum + one.people, 0);
  const states = stated.map((one) => `${count(one.people)} ${one.state}`).join(', ');
  return [
    `${who} ${verbs[state]} consent on ${channel}; ` +
      `the property has ${counted(all, 'statement')} about it${all === 0 ? '' : `: ${states}`}.`,
    ...(all === 0 ? [`Import a column into consent.${channel} first.`] : []),
  ];
};

const verbs: Readonly<Record<Consent['state'], string>> = { given: 'gave', withdrawn: 'withdrew' };

/** The number of people in segments; `undefined` if the token may not see people, or a segment was deleted. */
const peopleIn = (client: Tidemark, segments: readonly number[]): Promise<number | undefined> =>
  onProblem(
    client.previewSegment({ body: { definition: { any: [...segments] } } }).then((preview) => preview.count),
    () => undefined,
  );

/**
 * Why an earlier run had no rows, as far as it is certain: since then, people and their consent may have changed. Nobody is
 * counted in segments.
 */
export const whyEmptyNow = async (
  { client }: Connected,
  { export: id, delta_from: base }: Pick<ExportJob, 'export' | 'delta_from'>,
): Promise<readonly string[]> => {
  if (base !== null) return [UNCHANGED];
  const { consent, changes } = await client.getExport({ path: { export_id: id } });
  if (changes?.first === 'none') return [REMEMBERS];
  return consent === null ? [] : unknownChannel(client, consent.channel);
};

const UNCHANGED = 'Nothing has changed since the last run.';
const REMEMBERS = 'The first run only remembers who is in. Later runs tell who comes and who leaves.';

/** Says that nobody has made a statement on a channel, and which channel was meant; no line if somebody has. */
export const unknownChannel = async (client: Tidemark, channel: string): Promise<readonly string[]> => {
  const stated = await statementsOn(client, channel);
  if (stated.some(({ people }) => people > 0)) return [];
  const channels = new Set<string>();
  for await (const { name } of client.findSegments({ query: { type: 'consent' } }))
    channels.add(name.slice(0, name.lastIndexOf(': ')));
  channels.delete(channel);
  const near = nearest(channel, [...channels]);
  const meant = near.length === 0 ? '' : ` Did you mean ${near.map(plain).join(' or ')}?`;
  return [
    `The property has no statement about consent on ${plain(channel)}, so nobody gets into the file.${meant}`,
  ];
};

/** How many people have a statement on a channel, by its state. Each state is a segment. */
const statementsOn = async (
  client: Tidemark,
  channel: string,
): Promise<readonly { readonly state: string; readonly people: number }[]> => {
  const found = [];
  for (const state of Object.keys(verbs)) {
    const name = `${channel}: ${state}`;
    for await (const one of client.findSegments({ query: { name, type: 'consent' } })) {
      if (one.name !== name) continue;
      const { count: people } = await client.getSegment({ path: { segment_id: one.id } });
      found.push({ state, people: people ?? 0 });
    }
  }
  return found;
};
