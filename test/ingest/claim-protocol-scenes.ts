import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { explore, learnt, must, type Explored } from '../support/explore.ts';
import { Actors } from './claim-protocol-actors.ts';
import { hasIdentity, lostBy, wrongIn, type Ends } from './claim-protocol-check.ts';
import { CLAIMS, identityNames, type IdentityName } from './claim-protocol-items.ts';
import { Model, type Sabotage } from './claim-protocol-model.ts';
import { misledBy, misledReader } from './claim-protocol-reader.ts';
import { isAboutSomebody, recordOf, writer, type Program } from './claim-protocol-programs.ts';
import { DEAD, DONE } from '../support/learnt-progress.ts';
import { decode, encode, hasEnded, redirectsEnd, type State } from './claim-protocol-state.ts';

/** Actors that work on one table at the same time. */
export interface Scene {
  /** Records that are stored before the scene, in order. A forgetter forgets the first of their people. */
  readonly stored?: readonly AcceptedRecord[];
  readonly programs: readonly Program[];
  /** Maximum number of crashes. */
  readonly crashes: number;
  readonly sabotage?: Sabotage;
}

type Items = Pick<State, 'claims' | 'entries'>;
export const empty: Items = { claims: Array.from({ length: CLAIMS }, () => 0), entries: [] };

/** The steps learned in all scenes: a program does the same wherever it reads the same. */
const actors = new Actors();

const isForgetter = ({ records }: Program): boolean => records.length === 0;

/** Runs one program alone. */
export const alone = (program: Program, table: Items): Promise<State> =>
  learnt(() => {
    const model = new Model(actors, [program], [0]);
    let state = model.begin(table, [], 0);
    for (let step = model.steps(state).at(-1); step; step = model.steps(state).at(-1)) state = step.state;
    return state;
  });

const storers = new Map<AcceptedRecord, Program>();
const storerOf = (record: AcceptedRecord): Program => {
  const known = storers.get(record) ?? writer('before', [record]);
  storers.set(record, known);
  return known;
};

/** One record of each identity, stored alone after the scene. */
const probes = new Map(
  identityNames.map((name, at) => {
    const record = recordOf(name, at, 'last');
    return [name, { record, program: writer(`${name} once more`, [record]) }];
  }),
);

/** Claims that only one actor touches, by actor, as bits. Forgetting actors touch every stored claim. */
const unsharedOf = (programs: readonly Program[]): readonly number[] =>
  programs.map(({ records }) => {
    const others = programs.filter((other) => other.records !== records);
    if (others.length < programs.length - 1 || programs.some(isForgetter)) return 0;
    const isOwn = (name: IdentityName): boolean =>
      records.some((record) => hasIdentity(record, name)) &&
      !others.some((other) => other.records.some((record) => hasIdentity(record, name)));
    return identityNames.reduce((bits, name, at) => (isOwn(name) ? bits | (1 << at) : bits), 0);
  });

/** The ends of the actors of a state in which all actors have ended. */
const endsOf = ({ stored = [], programs }: Scene, state: State): Ends => {
  const dead = programs.filter((_, actor) => must(state.actors, actor).progress === DEAD);
  const through = programs.filter((_, actor) => must(state.actors, actor).progress === DONE);
  return {
    through: through.flatMap(({ records }) => records),
    dead: dead.flatMap(({ records }) => records),
    forgetterDied: dead.some(isForgetter) && !through.some(isForgetter),
    gone: through.some(isForgetter) ? stored.slice(0, 1) : [],
  };
};

/** The fault of a final state, or of a final state after one more record of an identity. */
const faultAt = async (state: State, ends: Ends): Promise<string | undefined> => {
  const fault = wrongIn(state, ends) ?? (await misledReader(state));
  if (fault !== undefined) return fault;
  for (const [at, [name, { record, program }]] of [...probes].entries()) {
    if (state.claims[at] === 0) continue;
    const after = await alone(program, state);
    const through = [...ends.through, record];
    const late = lostBy(after, name, record) ?? wrongIn(after, { ...ends, through });
    if (late !== undefined) return `once ${name} was brought again: ${late}`;
  }
  return undefined;
};

/** Plays every interleaving of a scene, or the first `most` states of them. */
export const play = async (scene: Scene, most?: number): Promise<Explored<State>> => {
  const { stored = [], programs, crashes, sabotage } = scene;
  let table: Items = empty;
  for (const record of stored) table = await alone(storerOf(record), table);
  const model = new Model(actors, programs, unsharedOf(programs), sabotage);
  const about = programs.map((program) => (isAboutSomebody(program) ? 0 : -1));
  const begin = await learnt(() => model.begin(table, about, crashes));
  const known = new Map<string, string | undefined>();
  return explore<State>(
    {
      begin,
      encode,
      decode: (text) => decode(text, programs.length),
      steps: (state) => model.steps(state),
      hasEnded: ({ actors: places }) => places.every(hasEnded),
      faultIn: (state) => (redirectsEnd(state) ? misledBy(state) : 'redirects go in a circle'),
      faultAtEnd: async (state) => {
        const text = JSON.stringify([state.claims, state.entries, state.actors]);
        if (!known.has(text)) known.set(text, await faultAt(state, endsOf(scene, state)));
        return known.get(text);
      },
    },
    most,
  );
};
