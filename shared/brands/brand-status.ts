import { isoTime } from '../runtime/clock.ts';
import type { Table } from '../table/table.ts';
import { readPointer, type VersionPlace } from '../catalogue/brand-pointer.ts';
import { allProperties, readProgress } from './progress.ts';

/** The largest number of unfinished properties that the status names. */
const NAMED = 100;

/** The status of the catalogue, for the operator. */
export interface BrandStatus extends Readonly<Record<string, unknown>> {
  readonly current: string;
  readonly next: string;
  /** The number of properties in each state of the rollout. */
  readonly progress: readonly { readonly properties: number; readonly state: string }[];
  readonly waiting: readonly { readonly property: number; readonly state: string }[];
}

/** Reads the versions in use, and the progress of the next version in each property. */
export const readBrandStatus = async (table: Table): Promise<BrandStatus> => {
  const { current, next } = await readPointer(table);
  const states = new Map<string, number>();
  const waiting: { property: number; state: string }[] = [];
  if (next) {
    for await (const property of allProperties(table)) {
      const { state } = (await readProgress(table, property, next.version)).progress ?? { state: 'waiting' };
      states.set(state, (states.get(state) ?? 0) + 1);
      if (state !== 'done' && waiting.length < NAMED) waiting.push({ property, state });
    }
  }
  return {
    current: current ? described(current) : 'none',
    next: next ? `${described(next)}, ${effectOf(next.effective)}` : 'none',
    progress: [...states].map(([state, properties]) => ({ properties, state })),
    waiting,
  };
};

const described = ({ version, pages }: VersionPlace): string => `version ${version}, ${pages} pages`;

const effectOf = (effective: number | null): string =>
  effective === null ? 'being prepared' : `takes effect ${isoTime(effective)}`;
