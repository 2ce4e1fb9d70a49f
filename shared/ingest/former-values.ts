/** Former values: what the undo logs of a property still hold of one person, for an access request. */
import { limits } from '../config/limits.ts';
import type { FormerValues } from '../profiles/former-values.ts';
import { registerKey, stateOf, type LwwRegister, type State } from '../profiles/profile-state.ts';
import { provenanceOf } from '../profiles/provenance.ts';
import type { Clock } from '../runtime/clock.ts';
import { mapLimited } from '../runtime/pool.ts';
import type { ObjectStore } from '../runtime/ports.ts';
import { folderOf } from '../properties/folders.ts';
import { decodeEntries, isLogObject, jobOfObject, ordinalsOfObject, type UndoEntry } from './undo-log.ts';

const { formerPages, formerObjects, formerSeconds } = limits.imports;

export interface FormerDeps {
  readonly work: Pick<ObjectStore, 'listAfter' | 'get'>;
  readonly clock: Clock;
}

/** Objects that are read at the same time. */
const OBJECTS_AT_ONCE = 8;

/**
 * Finds the values that import jobs have replaced, or kept out, in the profile at an ordinal, and the identities that they
 * brought. If there are too many objects for a request, the answer says so; those of the newest jobs are looked at first.
 */
export const findFormerValues =
  ({ work, clock }: FormerDeps) =>
  async (property: number, ordinal: number): Promise<FormerValues> => {
    const until = clock() + formerSeconds * 1_000;
    const { keys, isWhole } = await objectsWith(work, property, ordinal);
    const newest = keys.toReversed().slice(0, formerObjects);
    let all = isWhole && newest.length === keys.length;
    const entries = await mapLimited(newest, OBJECTS_AT_ONCE, async (key) => {
      if (clock() >= until) {
        all = false;
        return [];
      }
      const bytes = await work.get(key);
      // An object that cannot be read may have had the person.
      const found = bytes && decodeEntries(bytes);
      if (!found) all = false;
      return [...(found ?? [])].filter((entry) => entry.ordinal === ordinal).map((entry) => ({ key, entry }));
    });
    const byJob = Map.groupBy(entries.flat(), ({ key }) => jobOfObject(key));
    return {
      all_looked_at: all,
      jobs: [...byJob].flatMap(([job, own]) =>
        layersOf(own.flatMap(({ entry }) => registersOf(entry))).map((layer) => ({
          job,
          values: provenanceOf(layer),
        })),
      ),
    };
  };

/** Keys of the objects whose range has an ordinal, those of the oldest jobs first. */
const objectsWith = async (
  work: FormerDeps['work'],
  property: number,
  ordinal: number,
): Promise<{ readonly keys: readonly string[]; readonly isWhole: boolean }> => {
  const keys: string[] = [];
  let after = '';
  for (let page = 0; page < formerPages; page += 1) {
    const objects = await work.listAfter(folderOf('undo', property), after);
    const last = objects.at(-1);
    if (!last) return { keys, isWhole: true };
    for (const { key } of objects) {
      if (!isLogObject(key)) continue;
      const { least, most } = ordinalsOfObject(key);
      if (least <= ordinal && ordinal <= most) keys.push(key);
    }
    after = last.key;
  }
  return { keys, isWhole: false };
};

/** The registers of an entry that say something of the person. Of what a job brought, the log keeps values of sets only. */
const registersOf = ({ brought, beneath, late }: UndoEntry): readonly LwwRegister[] => [
  ...brought.filter(({ area }) => area !== 'value' && area !== 'extra'),
  ...beneath,
  ...late.flatMap(({ registers }) => registers),
];

/** The registers as few states as possible, because a state has one register of each key. Equal ones count once. */
const layersOf = (registers: readonly LwwRegister[]): readonly State[] => {
  const byKey = Map.groupBy(registers, registerKey);
  const distinct = [...byKey.values()].map((own) => [
    ...new Map(own.map((register) => [JSON.stringify(register), register])).values(),
  ]);
  const layers = Math.max(0, ...distinct.map(({ length }) => length));
  return Array.from({ length: layers }, (_, layer) => stateOf(distinct.flatMap((own) => own[layer] ?? [])));
};
