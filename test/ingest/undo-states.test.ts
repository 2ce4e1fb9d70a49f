/** The pure rules of undo on one person: the log of each write, and the state after the undo of a job. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  undoEntriesOf,
  type ProfileChange,
  type UndoEntry,
  undoLog,
  decodeEntries,
  ordinalsOfObject,
} from '../../shared/ingest/undo-log.ts';
import { countValues, emptyLog, undoChange, type PersonLog } from '../../shared/ingest/undo-state.ts';
import {
  importOrigin,
  jobOfOrigin,
  sourceOfOrigin,
  dominatorsOf,
  emptyState,
  enricherOrigin,
  mergeStates,
  newestStamp,
  registerKey,
  stateOf,
  type LwwRegister,
  type State,
} from '../../shared/profiles/profile-state.ts';
import { tiers } from '../../shared/profiles/types.ts';
import { raisedAbove, stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { MemoryObjects } from '../support/memory-objects.ts';
import { casesOf } from '../support/scale.ts';
import { content, identity, origin, step, type Step } from './undo-arbitraries.ts';

const NOW = 10;

/** Whether a register is a withdrawal of consent. */
const saysNo = ({ area, value }: LwwRegister): boolean =>
  area === 'consent' && Array.isArray(value) && value[1] === 'withdrawn';

const sorted = (state: State): unknown => [...state.values()].map((one) => JSON.stringify(one)).sort();

/** One person with the logs of all jobs, and everything that was ever sent. */
const person = () => {
  let state = emptyState;
  const logs = new Map<number, UndoEntry[]>();
  const undone = new Set<number>();
  const withdrawn: LwwRegister[] = [];
  const sent: State[] = [];
  const dead: State[] = [];
  const log = (change: ProfileChange): void => {
    for (const [job, entries] of undoEntriesOf([change], NOW))
      logs.set(job, [...(logs.get(job) ?? []), ...entries]);
  };
  const store = (record: State, dies: boolean): void => {
    if ([...record.values()].some((one) => undone.has(jobOfOrigin(one.origin) ?? NaN))) return;
    const after = mergeStates(state, record);
    log({ ordinal: 5, before: state, after, records: [record], restored: [] });
    if (dies) dead.push(record);
    else state = after;
  };
  const logOf = (job: number): PersonLog =>
    (logs.get(job) ?? []).reduce<PersonLog>(
      (sum, { brought, beneath, late }) => ({
        brought: [...sum.brought, ...brought],
        beneath: [...sum.beneath, ...beneath],
        late: [...sum.late, ...late],
      }),
      emptyLog,
    );
  const undo = (job: number): void => {
    if (undone.has(job)) return;
    withdrawn.push(...[...state.values()].filter((one) => jobOfOrigin(one.origin) === job && saysNo(one)));
    // The undo dies after each of its writes, and starts over.
    for (let tries = 0; tries < 4; tries += 1) {
      const change = undoChange(5, state, logOf(job), {
        ...{ job, before: undone, restated: emptyState, isWhole: true },
      });
      log(change);
      if (tries % 2 === 1) state = change.after;
    }
    undone.add(job);
  };
  const run = (one: Step): void => {
    if (one.kind === 'undo') {
      undo(one.job);
      return;
    }
    if (one.kind === 'again') {
      const known = sent[one.which % Math.max(1, sent.length)];
      if (known) store(known, false);
      return;
    }
    const own = stampOf(one.ms);
    // A record of a request is newer than everything that is stored.
    const stamp = one.origin === 'api' ? raisedAbove([newestStamp(state)], own) : own;
    const record = stateOf(one.contents.map((each) => ({ ...each, stamp, origin: one.origin })));
    sent.push(record);
    store(record, one.origin !== 'api' && one.dies);
  };
  return {
    run,
    logOf,
    state: () => state,
    /** Delivers again what died. */
    settle: () => {
      for (const record of dead.splice(0)) store(record, false);
    },
    /** The merge of everything but the undone jobs, and of what was withdrawn in them. */
    expected: (): State =>
      stateOf([
        ...sent
          .flatMap((record) => [...record.values()])
          .filter((one) => !undone.has(jobOfOrigin(one.origin) ?? NaN)),
        ...withdrawn.map((one) => ({ ...one, origin: sourceOfOrigin(one.origin) })),
      ]),
  };
};

describe('the undo of import jobs', () => {
  it('leaves the merge of everything else, in any order of writers, undos, deaths and repetitions', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => {
        const one = person();
        for (const each of steps) one.run(each);
        one.settle();
        expect(sorted(one.state())).toEqual(sorted(one.expected()));
      }),
      { numRuns: casesOf('UNDO_RUNS', { full: 20_000, sample: 3_000 }) },
    );
  });

  it('counts the values that it takes back and those that were replaced', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 10 }), (steps) => {
        const one = person();
        const seen: LwwRegister[] = [];
        for (const each of steps) {
          if (each.kind === 'undo') continue;
          one.run(each.kind === 'record' ? { ...each, dies: false } : each);
          for (const register of one.state().values())
            if (jobOfOrigin(register.origin) === 1) seen.push(register);
        }
        const present = [...one.state().values()].filter(({ origin: from }) => jobOfOrigin(from) === 1);
        one.run({ kind: 'undo', job: 1 });
        const kept = present.filter(saysNo).length;
        const counts = {
          taken_back: present.length - kept,
          replaced: stateOf(seen).size - present.length,
          kept,
        };
        expect(countValues(one.state(), one.logOf(1).brought)).toEqual(counts);
      }),
      { numRuns: casesOf('UNDO_RUNS', { full: 5_000, sample: 1_000 }) },
    );
  });

  describe('of a person to whom another writer lost a race', () => {
    const by = (job: number, ms: number) => ({ stamp: stampOf(ms), origin: importOrigin(7, job) });
    const value = { area: 'value', tier: tiers.stated, name: 'city', value: 'a' } as const;
    const name = { area: 'identity', tier: tiers.stated, value: true } as const;
    const late = stateOf([
      { ...name, name: 'unique_id:u', ...by(2, 1) },
      { ...value, value: 'b', ...by(2, 1) },
    ]);
    const undone = (stored: State): State => {
      const entries = undoEntriesOf(
        [{ ordinal: 5, before: stored, after: stored, records: [late], restored: [] }],
        NOW,
      );
      const [entry] = entries.get(1) ?? [];
      expect(entry?.late).toHaveLength(1);
      const jobs = { job: 1, before: new Set<number>(), restated: emptyState, isWhole: true };
      return undoChange(5, stored, entry ?? emptyLog, jobs).after;
    };
    const city = { ...value, ...by(1, 2) };

    it('does not restore a record that its writer stored at somebody else', () => {
      const kept = { ...name, name: 'email:a', ...by(3, 3) };
      expect(sorted(undone(stateOf([kept, city])))).toEqual(sorted(stateOf([kept])));
    });

    it('leaves nobody without an identity', () => {
      const answer = { ...value, name: 'first_name', stamp: stampOf(3), origin: enricherOrigin('x') };
      expect(undone(stateOf([{ ...name, name: 'email:a', ...by(1, 2) }, city, answer])).size).toBe(0);
    });
  });
});

describe('the undo log', () => {
  it('gives back what was stored, with the range of its ordinals', async () => {
    const work = new MemoryObjects();
    const log = undoLog({ work, undoneAmong: () => Promise.resolve(new Set([2])) });
    const registers = fc.array(
      fc
        .record({ content: fc.oneof(content, identity), ms: fc.nat(5), origin })
        .map(({ content: one, ms, origin: from }): LwwRegister => ({
          ...one,
          stamp: stampOf(ms),
          origin: from,
        })),
      { maxLength: 6 },
    );
    const distinct = registers.map((all) => [...new Map(all.map((one) => [registerKey(one), one])).values()]);
    const entry = fc.record({
      ordinal: fc.nat(),
      brought: distinct,
      beneath: distinct,
      late: fc.array(fc.record({ identities: fc.array(fc.string()), registers: distinct }), { maxLength: 2 }),
    });
    let calls = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(entry, { minLength: 1, maxLength: 3 }), async (entries) => {
        const name = `attempt-${(calls += 1)}`;
        expect(await log.add(7, name, new Map([[2, entries]]))).toEqual(new Set([2]));
        const [key = ''] = work.keys().filter((one) => one.endsWith(`-${name}`));
        const ordinals = entries.map(({ ordinal }) => ordinal);
        expect(ordinalsOfObject(key)).toEqual({ least: Math.min(...ordinals), most: Math.max(...ordinals) });
        const read = [...(decodeEntries((await work.get(key)) ?? new Uint8Array()) ?? [])];
        expect(read.map(({ ordinal }) => ordinal)).toEqual(ordinals);
        read.forEach((one, index) => {
          const was = entries[index];
          expect(sorted(stateOf(one.beneath))).toEqual(sorted(stateOf(was?.beneath ?? [])));
          expect(one.brought.map(registerKey).sort()).toEqual((was?.brought ?? []).map(registerKey).sort());
          expect(one.late.map(({ identities }) => identities)).toEqual(
            (was?.late ?? []).map(({ identities }) => identities),
          );
        });
      }),
      { numRuns: 200 },
    );
  });

  it('needs no object for values of no import', () => {
    const before = stateOf([
      { area: 'value', tier: 1, name: 'city', value: 'a', stamp: stampOf(1), origin: 'api' },
    ]);
    const after = stateOf([
      { area: 'value', tier: 1, name: 'city', value: 'b', stamp: stampOf(2), origin: 'api' },
    ]);
    expect(undoEntriesOf([{ ordinal: 5, before, after, records: [after], restored: [] }], NOW).size).toBe(0);
  });

  it('no longer notes what a job hides that is too old to be undone', () => {
    const older = stateOf([
      { area: 'value', tier: 1, name: 'city', value: 'a', stamp: stampOf(1), origin: 'api' },
    ]);
    const hiding = { area: 'value', tier: 1, name: 'city', value: 'b', stamp: stampOf(2) } as const;
    const after = stateOf([{ ...hiding, origin: importOrigin(7, 1) }]);
    const day = 86_400_000;
    const entriesAt = (now: number) =>
      undoEntriesOf([{ ordinal: 5, before: after, after, records: [older], restored: [] }], now).size;
    expect(dominatorsOf(after, [...older.values()][0] ?? { ...hiding, origin: 'api' })).toHaveLength(1);
    expect([entriesAt(2 + 28 * day), entriesAt(3 + 28 * day)]).toEqual([1, 0]);
  });
});
