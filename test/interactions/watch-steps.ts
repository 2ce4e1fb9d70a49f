import type { Watch } from './beginnings.ts';
import type { Shown } from './plain-model.ts';
import { same } from './same.ts';

interface WatchSteps {
  /** A timeline and the deltas of a segment, if the history has them. */
  readonly begun: Watch | undefined;
  readonly isQuiet: () => boolean;
  /** Waits until the index shows everything. */
  readonly settled: () => Promise<void>;
  readonly people: () => readonly Shown[];
  /** Notes what was done. */
  readonly note: (said: string) => void;
}

/** Steps that add moments and run deltas, beside a receiver that keeps what the deltas say. */
export const watchSteps = ({ begun, isQuiet, settled, people, note }: WatchSteps) => {
  let watch = begun;
  /** The addresses that the receiver of the deltas has. */
  let mirror = new Set<string>();
  /** The people of each moment; -1 once somebody may have left all of them. */
  let moments: readonly number[] = [0];
  const moment = async (): Promise<void> => {
    if (!isQuiet() || !watch) return;
    await settled();
    const { count } = await watch.timeline.moment();
    same('people in a moment', count, watch.membersOf(people()).length);
    moments = [...moments, count];
    const members = (await watch.timeline.members()).map(({ length }) => length);
    moments.forEach((size, at) => {
      if (size >= 0) same(`moment ${at}`, members[at], size);
    });
  };
  const delta = async (): Promise<void> => {
    if (!isQuiet() || !watch) return;
    await settled();
    const { cells, base } = await watch.delta.run();
    if (base === null) mirror = new Set();
    for (const [change = '', email = ''] of cells) {
      if (change === 'removed') mirror.delete(email);
      else mirror.add(email);
    }
    note(`delta: ${JSON.stringify(cells)}`);
  };
  return {
    moment,
    delta,
    /** Somebody is forgotten, and so leaves moments too. */
    forgets: (): void => {
      moments = moments.map(() => -1);
    },
    /** Whoever asks for a forgetting tells the receiver. */
    remove: (email: string): void => void mirror.delete(email),
    /** Ends: after a restore receivers start again. */
    end: (): void => {
      watch = undefined;
    },
    compare: async (): Promise<void> => {
      await delta();
      if (!watch) return;
      const watched = watch.membersOf(people());
      const delivered = people().flatMap(({ email, unique_id }) =>
        watched.includes(unique_id) ? (email ?? []) : [],
      );
      same('the receiver of the deltas', [...mirror].sort(), delivered.sort());
    },
  };
};
