/** Scenario: the form of a scenario of the bench, and of its report. */

/** A figure is a ratio to a bare floor of the same run, a count, or a time of this machine. */
export type FigureKind = 'ratio' | 'count' | 'time';

/** One measured number. */
export interface Figure {
  readonly kind: FigureKind;
  readonly name: string;
  readonly value: number;
  /** The unit of the number, such as `× the floor` or `write units a row`. */
  readonly unit: string;
}

/** The picture of a scenario: bars beside the bare floor, or lines over growing sizes. */
export type Chart =
  | {
      readonly kind: 'bars';
      readonly unit: string;
      readonly bars: readonly { readonly name: string; readonly value: number }[];
      /** The value of the bare floor, if the bars are ratios to it. */
      readonly floor?: number | undefined;
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
  /** A time, or a use of the processor, as a multiple of the bare floor's: 1 is as fast as the floor. */
  ratio(name: string, value: number, unit?: string): void;
  count(name: string, value: number, unit: string): void;
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
  readonly sizes: Readonly<Record<SizeName, S>>;
  readonly run: (sizes: S, report: Report) => Promise<void>;
}

/** Makes a scenario. */
export const scenario = <S extends Sizes>({ sizes, run, ...described }: Definition<S>): Scenario => ({
  ...described,
  sizesOf: (size) => sizes[size],
  run: (size, report) => run(sizes[size], report),
});
