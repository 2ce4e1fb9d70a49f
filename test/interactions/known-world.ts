/** What the plain model of a property knows: what was stored, its jobs, and what a restore keeps. */
import type { FatedTable } from '../support/fated-table.ts';
import type { Kept } from './kept.ts';
import type { Said, Withdrawn } from './plain-model.ts';
import type { Placement } from './protocol-brands.ts';
import type { ModelOfConditions } from './protocol-conditions.ts';

/** What a restored property begins with. */
export interface Restored extends Readonly<Model> {
  readonly table: FatedTable;
  readonly kept: Kept;
  readonly definitions: readonly number[];
  readonly jobs: readonly KnownJob[];
  readonly uuids: Map<string, string | null>;
  readonly forgotten: Map<number, number>;
}

/** What was stored, the brands of pages, and the conditions. */
export interface Model extends ModelOfConditions {
  /** Who objects to every use, with the id of the objection. */
  objections: ReadonlyMap<number, string>;
  /** The withdrawals of people whose records are gone. */
  withdrawn: readonly Withdrawn[];
  said: readonly Said[];
  placements: readonly Placement[];
}

/** A job with the number of its accepted records. */
export interface KnownJob {
  readonly importId: number;
  readonly job: number;
  readonly isOpen: boolean;
  accepted: number;
  undone: boolean;
  /** What a client reads before the undo is accepted. It stays. */
  countsAtUndo?: Pick<Counts, 'completed' | 'processing'>;
}

/** Counts of rows of a job. */
export interface Counts {
  readonly ingested: number;
  readonly completed: number;
  readonly failed: number;
  readonly processing: number;
}
