/** Scenario: the form of a scenario of the bench, and of its report. */

import type { Spread } from './measure.ts';

/**
 * The kinds of figures, in the order of the pages. A ratio compares with a floor or a peer of the same run. A count is the
 * same on every machine. Processor time and times belong to the machine.
 */
export const figureKinds = ['ratio', 'count', 'cpu', 'time'] as const;
export type FigureKind = (typeof figureKinds)[number];

/** One measured number. */
export interface Figure {
  readonly kind: FigureKind;
  readonly name: string;
  readonly value: number;
  /** The unit of the number, such as `× the floor` or `write units a row`. */
  readonly unit: string;
  /** The least and the greatest of the pairs of a ratio, whose median is the value. A single pair has none. */
  readonly least?: number | undefined;
  readonly most?: number | undefined;
}

/** The picture of a scenario: bars beside the bare floor, or lines over growing sizes. */
export type Chart =
  | {
      readonly kind: 'bars';
      readonly unit: string;
      readonly bars: readonly { readonly name: string; readonly value: number }[];
      /** The value of the bare floor, if the bars are ratios to it. */
      readonly floor?: number | undefined;
      /** What the floor is, if it is no bare floor. */
      readonly floorIs?: string | undefined;
    }
  | {
      readonly kind: 'lines';
      readonly unit: string;
      /** The sizes from left to right, one for each value of a line. */
      readonly at: readonly string[];
      readonly lines: readonly { readonly name: string; readonly values: readonly number[] }[];
      readonly floor?: number | undefined;
    };

/** Takes the figures of a run. */
export interface Report {
  /** Replaces the progress line. */
  progress(text: string): void;
  /**
   * A time, or a use of the processor, as a multiple of the bare floor's: 1 is as fast as the floor. Pairs of measurements
   * give a spread.
   */
  ratio(name: string, value: number | Spread, unit?: string): void;
  count(name: string, value: number, unit: string): void;
  /** Processor time of some work: less than a rate does it depend on what else runs, but it belongs to the machine. */
  cpu(name: string, value: number, unit: string): void;
  /** A rate or duration, which is good for this machine only. */
  time(name: string, value: number, unit: string): void;
  /** Throws when a result is wrong: a measurement of wrong answers is worth nothing. */
  check(what: string, found: unknown, wanted: unknown): void;
  chart(chart: Chart): void;
}

/** The sizes of a run, by name. */
export type Sizes = Readonly<Record<string, number | readonly number[]>>;

/** A scenario with its sizes chosen by name. */
export interface Scenario {
  /** The name for the command line. It is also the name of the results file and of the picture. */
  readonly name: string;
  readonly title: string;
  /** Two sentences: the work that is measured, and the work of the bare floor. */
  readonly about: string;
  /** What this machine lacks, as a sentence: the scenario is then skipped, and its stored result stays. */
  lacks?(): string | undefined;
  sizesOf(size: SizeName): Sizes;
  run(size: SizeName, report: Report): Promise<void>;
}

/** `ci` takes under a minute, `full` may take an hour. */
export type SizeName = 'ci' | 'full';

/** A scenario with the sizes that its `run` takes. */
interface Definition<S extends Sizes> {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly lacks?: () => string | undefined;
  readonly sizes: Readonly<Record<SizeName, S>>;
  readonly run: (sizes: S, report: Report) => Promise<void>;
}

/** Makes a scenario. */
export const scenario = <S extends Sizes>({ sizes, run, ...described }: Definition<S>): Scenario => ({
  ...described,
  sizesOf: (size) => sizes[size],
  run: (size, report) => run(sizes[size], report),
});
