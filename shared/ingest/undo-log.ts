/**
 * Undo log: a write-ahead log of each import job, which says what the writes of profiles added for the job and hid
 * beneath it. An object holds the entries of one write of many profiles. The objects expire as uploads do.
 */
import { gunzipSync, gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { encodeRegisters, registerGroups, registersIn } from '../profiles/stored-profile.ts';
import { type LwwRegister, dominatorsOf, type State, jobOfOrigin } from '../profiles/profile-state.ts';
import { folderOf } from '../properties/folders.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { limits } from '../config/limits.ts';
import { DAY_MS } from '../runtime/clock.ts';
import { stampTime } from '../runtime/hybrid-timestamp.ts';

/** Registers of one record that arrived beneath a register of the job. */
export interface LateRecord {
  /** Names of the identity registers of the record. The record counts only at a person who has all of them. */
  readonly identities: readonly string[];
  readonly registers: readonly LwwRegister[];
}

/** What one write did to one person, as far as one job is concerned. */
export interface UndoEntry {
  readonly ordinal: number;
  /** Registers of the job that the write adds to the profile. */
  readonly brought: readonly LwwRegister[];
  /** Registers that leave the profile because of a register of the job. */
  readonly beneath: readonly LwwRegister[];
  /** Registers of records that never got into the profile because of a register of the job. */
  readonly late: readonly LateRecord[];
}

/** A write to a profile, before it is made. */
export interface ProfileChange {
  readonly ordinal: number;
  readonly before: State;
  readonly after: State;
  /** The contributions of the records that the write merges. */
  readonly records: readonly State[];
  /** Registers that the undo of another job merges. */
  readonly restored: readonly LwwRegister[];
}

interface Draft extends UndoEntry {
  readonly brought: LwwRegister[];
  readonly beneath: LwwRegister[];
  readonly late: LateRecord[];
}

/** Entries by the id of the job whose log takes them. */
type UndoEntries = ReadonlyMap<number, readonly UndoEntry[]>;

/**
 * The entries that must be in the logs before these changes are written. Every register of a job that a change adds is
 * `brought` in the log of that job. Every register that a change removes or keeps out is `beneath` or `late` in the log
 * of each job whose registers dominate it. So a register that is missing in a profile is always in the log of a job that
 * hides it, unless a value of another source hides it for good. Domination is transitive, therefore the logs of these jobs
 * are enough. Registers of one job beneath another register of the same job are left out: an undo removes both.
 */
export const undoEntriesOf = (changes: Iterable<ProfileChange>, now: number): UndoEntries => {
  const found = new Map<number, UndoEntry[]>();
  for (const change of changes) {
    for (const [job, entry] of entriesOf(change, now)) {
      const own = found.get(job) ?? [];
      own.push(entry);
      found.set(job, own);
    }
  }
  return found;
};

const entriesOf = (
  { ordinal, before, after, records, restored }: ProfileChange,
  now: number,
): ReadonlyMap<number, Draft> => {
  const drafts = new Map<number, Draft>();
  const of = (job: number): Draft => {
    const draft = drafts.get(job) ?? { ordinal, brought: [], beneath: [], late: [] };
    drafts.set(job, draft);
    return draft;
  };
  for (const [key, register] of after) {
    const job = before.get(key) === register ? undefined : jobOfOrigin(register.origin);
    if (job !== undefined) of(job).brought.push(register);
  }
  for (const [job, registers] of hiddenIn(after, [...before.values(), ...restored], now))
    of(job).beneath.push(...registers);
  for (const record of records) {
    // A single record of a new person is the whole state.
    if (record === after) continue;
    for (const [job, registers] of hiddenIn(after, record.values(), now))
      of(job).late.push({ identities: identityNames(record), registers });
  }
  return drafts;
};

/** The registers that are hidden in a state, by the jobs that hide them. */
const hiddenIn = (
  after: State,
  registers: Iterable<LwwRegister>,
  now: number,
): ReadonlyMap<number, readonly LwwRegister[]> => {
  const hidden = new Map<number, LwwRegister[]>();
  for (const register of registers) {
    for (const job of hidingJobs(after, register, now)) {
      const own = hidden.get(job) ?? [];
      own.push(register);
      hidden.set(job, own);
    }
  }
  return hidden;
};

const UNDO_MS = limits.imports.undoDays * DAY_MS;

/** The jobs that can still be undone whose registers hide this register of another source. */
const hidingJobs = (state: State, register: LwwRegister, now: number): ReadonlySet<number> => {
  const own = jobOfOrigin(register.origin);
  const jobs = new Set<number>();
  for (const { stamp, origin } of dominatorsOf(state, register)) {
    const job = jobOfOrigin(origin);
    if (job !== undefined && job !== own && now - stampTime(stamp) <= UNDO_MS) jobs.add(job);
  }
  return jobs;
};

/** The names of the identity registers of a record. */
const identityNames = (record: State): readonly string[] =>
  [...record.values()].flatMap(({ area, name }) => (area === 'identity' ? [name] : []));

/** The undo log as writers of profiles use it. */
export interface UndoLog {
  /**
   * Stores the entries of profile writes before the writes. `name` is unique per call, and made of ids. Returns those of
   * the jobs that are being undone, or were undone: their undo may not see the entries. The writer then must not make the
   * writes. It stores nothing of its own job any more, and plans again once the undo of another job has been there.
   */
  add(property: number, name: string, entries: UndoEntries): Promise<ReadonlySet<number>>;
  /** Those of these jobs that are being undone, or were undone. */
  undoneAmong(property: number, jobs: readonly number[]): Promise<ReadonlySet<number>>;
}

/** Ports of the undo log. */
export interface UndoLogDeps {
  readonly work: Pick<ObjectStore, 'put'>;
  /** Those of the jobs of a property whose undo has begun. */
  readonly undoneAmong: (property: number, jobs: readonly number[]) => Promise<ReadonlySet<number>>;
}

/** The undo log in the work bucket. */
export const undoLog = ({ work, undoneAmong }: UndoLogDeps): UndoLog => ({
  undoneAmong: async (property, jobs) => (jobs.length === 0 ? none : undoneAmong(property, jobs)),
  add: async (property, name, entries) => {
    if (entries.size === 0) return none;
    await Promise.all(
      [...entries].map(([job, own]) =>
        work.put(objectKey(property, job, name, own), encodeEntries(own), {
          contentType: 'application/gzip',
        }),
      ),
    );
    // An undo marks its job before it lists the log. So either the undo finds the entries, or this read finds the mark.
    return undoneAmong(property, [...entries.keys()]);
  },
});

const none: ReadonlySet<number> = new Set<number>();

/**
 * The log of a writer whose records are newer than every stored value and come from no import: such writes need no
 * entries.
 */
export const noUndoLog: UndoLog = {
  undoneAmong: () => Promise.resolve(none),
  add: (_property, _name, entries) =>
    entries.size === 0
      ? Promise.resolve(none)
      : Promise.reject(new Error('profiles: a write beneath an import has no undo log')),
};

/** Folder of the undo log of a job. */
export const undoJobFolder = (property: number, job: number): string =>
  `${folderOf('undo', property)}${job}/`;

/** Key of a list of the objects of the undo log of a job; `id` is unique per list. */
export const undoListKey = (property: number, job: number, id: string): string =>
  `${folderOf('undo', property)}lists/${job}-${id}.json`;

const DIGITS = 16;
const padded = (ordinal: number): string => String(ordinal).padStart(DIGITS, '0');

const objectKey = (property: number, job: number, name: string, entries: readonly UndoEntry[]): string =>
  keyOfRange(property, job, name, rangeOf(entries.map(({ ordinal }) => ordinal)));

const keyOfRange = (property: number, job: number, name: string, { least, most }: OrdinalRange): string =>
  `${undoJobFolder(property, job)}${padded(least)}-${padded(most)}-${name}`;

/** The key of an object that does not exist, for people whose entries are lost. */
export const lostObject = (property: number, job: number, range: OrdinalRange): string =>
  keyOfRange(property, job, 'lost', range);

/** Begins the names of objects with entries that were found in profiles, in place of lost ones. */
const FOUND = 'found';

/** Whether the entries of an object were found in profiles: they have only what the job brought. */
export const isFoundObject = (key: string): boolean => /\/\d{16}-\d{16}-found-[^/]+$/.test(key);

/** Stores entries that were found in profiles; `id` is unique per call. Returns the key of the object. */
export const addFound = async (
  work: Pick<ObjectStore, 'put'>,
  { property, job, id }: { readonly property: number; readonly job: number; readonly id: string },
  entries: readonly UndoEntry[],
): Promise<string> => {
  const key = objectKey(property, job, `${FOUND}-${id}`, entries);
  await work.put(key, encodeEntries(entries), { contentType: 'application/gzip' });
  return key;
};

/** The range from the least to the most of some ordinals. */
const rangeOf = (ordinals: readonly number[]): OrdinalRange =>
  ordinals.reduce(
    ({ least, most }, ordinal) => ({ least: Math.min(least, ordinal), most: Math.max(most, ordinal) }),
    { least: Number.MAX_SAFE_INTEGER, most: 0 },
  );

/** Ordinals from `least` to `most`, inclusive. */
export interface OrdinalRange {
  readonly least: number;
  readonly most: number;
}

const objectName = /\/(\d{16})-(\d{16})-[^/]+$/;

/** The ordinals of an object of the log. Throws when the key is not one of the log. */
export const ordinalsOfObject = (key: string): OrdinalRange => {
  const [, least, most] = objectName.exec(key) ?? [];
  if (least === undefined || most === undefined)
    throw new Error('profiles: an undo log has a foreign object');
  return { least: Number(least), most: Number(most) };
};

/** The job whose log an object belongs to. */
export const jobOfObject = (key: string): number => Number(key.split('/').at(-2));

/** Whether an object of the folder of a property belongs to a log; the others are lists of such objects. */
export const isLogObject = (key: string): boolean => objectName.test(key);

const entry = v.strictObject({
  ordinal: v.number(),
  /** Without their values: an undo needs only their keys and timestamps. */
  brought: registerGroups,
  beneath: registerGroups,
  late: v.array(v.strictObject({ identities: v.array(v.string()), registers: registerGroups })),
});

const encodeEntries = (entries: readonly UndoEntry[]): Uint8Array =>
  gzipSync(entries.map((one) => `${JSON.stringify(encoded(one))}\n`).join(''), { level: 1 });

const encoded = ({ ordinal, brought, beneath, late }: UndoEntry) => ({
  ordinal,
  brought: encodeRegisters(brought.map(withoutValue)),
  beneath: encodeRegisters(beneath),
  late: late.map(({ identities, registers }) => ({ identities, registers: encodeRegisters(registers) })),
});

const withoutValue = (register: LwwRegister): LwwRegister =>
  register.area === 'value' || register.area === 'extra' ? { ...register, value: null } : register;

/** The entries of an object of the log; `undefined` when its bytes are damaged. Throws when an entry has another form. */
export const decodeEntries = (bytes: Uint8Array): Iterable<UndoEntry> | undefined => {
  const lines = linesIn(bytes);
  return lines && entriesIn(lines);
};

const linesIn = (bytes: Uint8Array): readonly string[] | undefined => {
  try {
    const lines = gunzipSync(bytes).toString('utf8').split('\n');
    return lines.filter((line) => line !== '');
  } catch {
    return undefined;
  }
};

function* entriesIn(lines: readonly string[]): Generator<UndoEntry> {
  for (const line of lines) {
    const { ordinal, brought, beneath, late } = v.parse(entry, JSON.parse(line));
    yield {
      ordinal,
      brought: registersIn(brought),
      beneath: registersIn(beneath),
      late: late.map(({ identities, registers }) => ({ identities, registers: registersIn(registers) })),
    };
  }
}

const anybody = v.object({ ordinal: v.number() });

/**
 * An object of the log without the entries of some people; `undefined` when it has none of them, or is damaged. The other
 * entries stay as they are, byte by byte.
 */
export const withoutPeople = (bytes: Uint8Array, ordinals: ReadonlySet<number>): Uint8Array | undefined => {
  const lines = linesIn(bytes);
  const rest = lines?.filter((line) => !ordinals.has(v.parse(anybody, JSON.parse(line)).ordinal));
  if (!lines || rest?.length === lines.length) return undefined;
  return gzipSync((rest ?? []).map((line) => `${line}\n`).join(''), { level: 1 });
};
