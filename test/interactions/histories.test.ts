import { expect, it } from 'vitest';
import { seeded } from '../ingest/interleave.ts';
import { casesOf } from '../support/scale.ts';
import { fileOf, listing, serviceInMemory } from './service-in-memory.ts';
import { timelineOf } from './watch.ts';

const [PEOPLE, STEPS] = [6, 40];
const words = ['jazz', 'opera', 'rock'];
const short = ['null', '*@venue.example'];
const long = [...short, 'k2', 'p3@x.org'];

/** What a record says of a person, at the time of its acceptance. A record over HTTP has no job. */
interface Said {
  readonly who: number;
  readonly at: number;
  readonly job?: number;
  readonly replaces: boolean;
  readonly name: string;
  readonly tags: readonly string[];
}

/** The plain model: the newest name counts, and all tags, but of records that replace tags only those of the newest. */
const peopleIn = (said: readonly Said[]) =>
  [...Map.groupBy(said, ({ who }) => who)].map(([who, own]) => {
    const newest = own.toSorted((one, other) => other.at - one.at);
    const replacing = newest.find(({ replaces }) => replaces);
    const counting = newest.filter((one) => !one.replaces || one === replacing);
    const { unique_id = null, email = null } = identityOf(who);
    const name = newest[0]?.name ?? '';
    return { who, name, shown: [name, unique_id, email], tags: counting.flatMap(({ tags }) => tags) };
  });
const membersOf = (said: readonly Said[], tag: string): readonly string[] => {
  const members = peopleIn(said).filter(({ tags }) => tags.includes(tag));
  return members.map(({ name }) => name).sort();
};
const personIn = (name: string): string => name.slice(0, 2);

/** Every other person has an id, and the others have an address. */
const identityOf = (who: number) => (who % 2 === 0 ? { unique_id: `K${who}` } : { email: `p${who}@x.org` });

/** Plays random steps on the service and on the model, and compares what both show after each. */
const play = async (seed: number): Promise<void> => {
  const choose = seeded(seed);
  const take = <T>(from: T[]): T | undefined => from.splice(choose(Math.max(from.length, 1)), 1)[0];
  const service = serviceInMemory();
  const now = service.ports.clock;
  let said: readonly Said[] = [];
  const forgotten = new Map<number, number>();
  const wordsOf = (who: number) => {
    const tags = words.filter(() => choose(3) === 0);
    return { who, name: `P${who}.${choose(2)}`, tags };
  };
  const definitions = await Promise.all(
    [false, true].map(async (replaces) => {
      const body = (list: readonly string[]) => listing(list, { tags_mode: replaces ? 'replace' : 'add' });
      return { replaces, body, list: short, id: await service.define(body(short)) };
    }),
  );
  const anyDefinition = () => definitions[choose(2)] ?? Promise.reject(new Error('no definition'));

  const post = async ({ who, name, tags }: ReturnType<typeof wordsOf>) => {
    const tagged = { tags: [{ datetime: '2026-01-01 00:00:00', tag: tags }] };
    await service.post({ ...identityOf(who), first_name: name, ...(tags.length > 0 && tagged) });
    said = [...said, { who, name, tags, at: now(), replaces: false }];
  };
  await post({ who: 0, name: 'P0.0', tags: ['jazz'] });
  const timeline = await timelineOf(service, await service.segmentNamed('jazz'));
  let moments: readonly (readonly string[])[] = [['P0']];

  /** Sends a file; what it returns stores the file. The identity that a person lacks is a placeholder. */
  const send = async () => {
    const { id, list, replaces } = await anyDefinition();
    const people = Array.from({ length: 1 + choose(5) }, () => wordsOf(choose(PEOPLE)));
    const rows = people.map(({ who, name, tags }) => {
      const { unique_id = 'NULL', email = 'info@venue.example' } = identityOf(who);
      return [unique_id, email, name, tags.join(';')].join(',');
    });
    const { steps, ...sent } = await service.send(id, fileOf(...rows, 'NULL,box@venue.example,Nobody,jazz'));
    const accepted = people.map((one, row) => ({ ...one, at: now() + row / 100, job: sent.job, replaces }));
    return async () => {
      for (const step of steps) await step();
      const isListed = (value: string): boolean => list.includes(value.toLowerCase());
      const valid = accepted.filter(({ who }) => !Object.values(identityOf(who)).some(isListed));
      const kept = valid.filter(({ who, at }) => (forgotten.get(who) ?? 0) < at);
      said = [...said, ...kept];
      const { counts, warned } = await service.told(sent);
      expect(counts).toMatchObject({ completed: valid.length, ingested: people.length + 1, failed: 0 });
      expect(warned.filter((one) => one.endsWith('not_an_identity'))).toHaveLength(valid.length);
      expect(warned.filter((one) => one.endsWith('forgotten'))).toHaveLength(valid.length - kept.length);
      return sent;
    };
  };
  const underWay: Awaited<ReturnType<typeof send>>[] = [];
  const stored: Awaited<ReturnType<(typeof underWay)[number]>>[] = [];

  const steps = {
    send: async () => void underWay.push(await send()),
    store: async () => {
      const file = take(underWay);
      if (file) stored.push(await file());
    },
    undo: async () => {
      const file = take(stored);
      if (!file) return;
      expect(await service.undo(file)).toMatchObject({ status: 'complete' });
      said = said.filter(({ job }) => job !== file.job);
      // Who loses everything stays in moments, and is somebody new after that.
      const left = peopleIn(said).map(({ who }) => `P${who}`);
      moments = moments.map((names) =>
        names.map((name) => (left.includes(name) ? name : `${personIn(name)} gone`)),
      );
    },
    forget: async () => {
      const person = take(peopleIn(said));
      if (!person) return;
      const { who } = person;
      await service.forget(identityOf(who));
      forgotten.set(who, now());
      said = said.filter((one) => one.who !== who);
      moments = moments.map((names) => names.filter((name) => name !== `P${who}`));
    },
    post: () => post(wordsOf(choose(PEOPLE))),
    changeList: async () => {
      const definition = await anyDefinition();
      definition.list = choose(2) === 0 ? short : long;
      await service.replace(definition.id, definition.body(definition.list));
    },
    moment: async () => {
      await timeline.moment();
      moments = [...moments, membersOf(said, 'jazz').map(personIn)];
      const people = (members: typeof moments) => members.map((names) => names.map(personIn));
      expect(people(await timeline.members())).toEqual(people(moments));
    },
  };
  const all = [...Object.values(steps), steps.send, steps.send, steps.store, steps.store];
  for (let step = 0; step < STEPS; step += 1) {
    await all[choose(all.length)]?.();
    const { people, segments } = await service.seen();
    const shown = peopleIn(said).map((person) => person.shown);
    expect(people).toEqual(shown.toSorted());
    for (const word of words) expect(segments[word] ?? []).toEqual(membersOf(said, word));
  }
};

it.each(Array.from({ length: casesOf('STORIES', { full: 40, sample: 4 }) }, (_, seed) => seed))(
  'files with listed identities agree with a plain model beside undos, forgettings, new lists and moments (seed %i)',
  play,
);
