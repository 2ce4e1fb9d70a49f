import { applyRecords } from '../../shared/ingest/apply-records.ts';
import type { AcceptedRecord } from '../../shared/profiles/contribution.ts';
import { identityRef } from '../../shared/profiles/identity-claims.ts';
import { ownersKnownIn } from '../../shared/profiles/known-owners.ts';
import { forgetPerson } from '../../shared/ingest/forget-person.ts';
import type { Ordinals } from '../../shared/ingest/ordinals.ts';
import type { Table } from '../../shared/table/table.ts';
import { limits } from '../../shared/config/limits.ts';
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { type Newcomers, noNewcomers } from '../../shared/ingest/newcomers.ts';
import { noRestatements } from '../../shared/ingest/restatements.ts';
import { noUndoLog } from '../../shared/ingest/undo-log.ts';
import { unloadedBrands } from '../support/brands.ts';
import { BEYOND, identities } from './claim-protocol-items.ts';
import { accepted, NOW, scope } from '../profiles/harness.ts';

/** Ports of a program. */
export interface Surroundings {
  readonly table: Table;
  readonly ordinals: Ordinals;
  readonly pause: () => Promise<void>;
  /** The ordinal that the program is about, if there is one. */
  readonly own: number;
}

/** A deviation from the table's answers (fault injection), to show that the checker detects its consequences. */
export interface Sight {
  /** The program sees the order of ordinals reversed. */
  readonly turned?: boolean;
  /** Every claim seems to lead to the program's own ordinal. */
  readonly allOwn?: boolean;
}

/** How a writer works. */
interface Writing extends Sight {
  /** Its first round claims identities without reading their claims (`newcomers.ts`). */
  readonly blind?: boolean;
  /** Its process found the identities of its records at its own ordinal once, rightly or wrongly. */
  readonly remembers?: boolean;
}

/** The program of one actor: the real code, with only the journal and the index left out. */
export interface Program {
  readonly name: string;
  readonly records: readonly AcceptedRecord[];
  /** Whether a pause of the program may be in the middle of its work, so that the program continues there afterwards. */
  readonly pausesWithin: boolean;
  /** What is redelivered after a crash. */
  readonly again: Program | undefined;
  readonly sight: Sight;
  /** Whether its process found the identities of its records at its own ordinal once, rightly or wrongly. */
  readonly remembers: boolean;
  /** Runs the program to its end; returns the remaining work as a program that starts at the first pause. */
  readonly run: (surroundings: Surroundings) => Promise<Program>;
}

const unreached = (): never => {
  throw new Error('the model has no journal');
};

/** A property without quota for segments: the writer announces and indexes nothing. */
const leftOut = {
  segments: { idsOf: () => Promise.resolve(new Map()), findIds: () => Promise.resolve(new Map()) },
  journal: {
    open: unreached,
    extend: unreached,
    close: unreached,
    retire: unreached,
    pairsWith: () => Promise.resolve([]),
  },
  membership: { reindex: () => Promise.resolve() },
  commit: { chunksAhead: unreached, alone: () => Promise.resolve(true), untilIndexed: unreached },
  derivations: unloadedBrands,
  undoLog: noUndoLog,
  restatements: noRestatements,
  // Every state.
  deflateFrom: 1,
};

/** Expects nobody but new people. */
const onlyNewcomers: Newcomers = { expected: () => true, met: () => undefined };

/** Whether a program is about the ordinal of somebody who is stored. */
export const isAboutSomebody = ({ records, remembers }: Program): boolean =>
  records.length === 0 || remembers;

/** One writer with a batch of records. */
export const writer = (
  name: string,
  records: readonly AcceptedRecord[],
  { blind = false, remembers = false, ...sight }: Writing = {},
): Program => {
  const rests = new Map<string, Program>();
  // Only the first attempt reads no claims.
  const reading = blind ? writer(name, records, sight) : undefined;
  const program: Program = {
    name,
    records,
    sight,
    remembers,
    pausesWithin: false,
    // A record that is applied while its client waits is never applied again.
    get again() {
      return records.some(({ latest }) => latest === true) ? undefined : (reading ?? program);
    },
    run: async ({ table, ordinals, pause, own }) => {
      const identities = remembers ? records.flatMap(({ patch }) => patch.identities) : [];
      for (const one of identities) ownersKnownIn(table).note(identityRef(scope, one).key, own);
      const newcomers = blind ? onlyNewcomers : noNewcomers;
      const deps = { ...leftOut, newcomers, table, ordinals, pause, clock: () => NOW };
      const outcomes = await applyRecords(deps, scope, records, { attemptId: 'model', index: 'later' });
      const rest = records.filter((_, at) => {
        const outcome = outcomes[at];
        if (outcome?.kind === 'refused') throw new Error('the model has no limits');
        return outcome?.kind !== 'forgotten' && (outcome?.ordinal ?? 0) >= BEYOND;
      });
      if (rest.length === records.length) return reading ?? program;
      const key = rest.map(({ stamp }) => stamp).join();
      const known = rests.get(key) ?? writer(name, rest, { ...sight, remembers });
      rests.set(key, known);
      return known;
    },
  };
  return program;
};

/** The forgetting of the person at an ordinal. */
export const forgetter = (sight: Sight = {}): Program => {
  const program: Program = {
    name: 'forgetter',
    records: [],
    sight,
    remembers: false,
    pausesWithin: true,
    get again() {
      return program;
    },
    run: async ({ table, pause, own }) => {
      const deps = { ...leftOut, table, pause, clock: () => NOW + FORGOTTEN_AT };
      const moments = {
        countsWith: () => Promise.resolve(new Map<number, number>()),
        remove: () => Promise.resolve(),
      };
      await forgetPerson({ ...deps, moments }, scope, own, 'model');
      return program;
    },
  };
  return program;
};

/** The time of a forgetting, in milliseconds after the first record. */
const FORGOTTEN_AT = 1_000;

/** The time of acceptance of a record: before the scene, before or after the forgetting, or last of all. */
export type When = 'stored' | 'older' | 'newer' | 'last';
const NEWER = FORGOTTEN_AT + limits.clockSkewSeconds * 1000 + 1_000;
const times: Record<When, number> = { stored: -1_000, older: 0, newer: NEWER, last: NEWER + 7_000 };

/** A record with identities in the notation `u1+e`, and a mark of its own that reveals a lost record. */
export const recordOf = (
  sent: string,
  order: number,
  when: When = 'older',
  more: Partial<AcceptedRecord> = {},
): AcceptedRecord => {
  const named = sent.split('+').map((name): [string, string] => {
    const identity = Object.entries(identities).find(([key]) => key === name)?.[1];
    if (!identity) throw new Error(`no identity is called ${name}`);
    return [identity.kind, identity.value];
  });
  const stamp = stampOf(NOW + times[when], order);
  const mark = `${when} ${order}`;
  return accepted({ ...Object.fromEntries(named), extra_data: { [mark]: order } }, order, { stamp, ...more });
};

/** The mark of a record on its profile. */
export const markOf = ({ patch }: AcceptedRecord): string => {
  const mark = patch.extra?.[0]?.[0];
  if (mark === undefined) throw new Error('a record of the model has no mark');
  return mark;
};
