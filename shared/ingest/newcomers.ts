/**
 * Newcomers: guesses whether the next records of an import job are about people whom nobody has stored yet, by the records
 * before them. Their writer then claims identities without reading the claims first, which saves a read unit for each.
 */
import { BoundedMap } from '../runtime/bounded-map.ts';

/** Jobs that a process remembers. */
const REMEMBERED = 1_000;

/** People that tell something about the next ones. */
const ENOUGH = 50;

/**
 * At most one in so many people may be known. Whoever is known after all costs one to four write units for claims that are
 * refused, taken back or moved. A write unit costs as much as five read units, of which a guess that is right saves one
 * for each identity. And the slice of the person takes another round.
 */
const ONE_IN = 100;

/** The people of one slice: all, and those who were known. */
export interface Met {
  readonly all: number;
  readonly known: number;
}

/** The guess of a process. A wrong guess costs units, and changes nothing: a claim that exists refuses to be made. */
export interface Newcomers {
  /** Whether the next people of a source of records are new, nearly all of them. */
  expected(origin: string | undefined): boolean;
  /** Notes whom the last records of a source were about. */
  met(origin: string | undefined, people: Met): void;
}

/** Guesses by the last slice of each job. */
export const newcomers = (): Newcomers => {
  const guesses = new BoundedMap<string, boolean>(REMEMBERED);
  return {
    expected: (origin) => origin !== undefined && guesses.get(origin) === true,
    met: (origin, { all, known }) => {
      if (origin !== undefined) guesses.set(origin, all >= ENOUGH && known * ONE_IN <= all);
    },
  };
};

/** Expects nobody new: every claim is read. */
export const noNewcomers: Newcomers = { expected: () => false, met: () => undefined };
