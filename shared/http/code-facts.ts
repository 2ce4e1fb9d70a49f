/** Two sentences for a client: what a code means, and what to do. */
export interface CodeFacts {
  readonly meaning: string;
  readonly remedy: string;
}

/** Codes of one kind. */
export type Codes = Readonly<Record<string, CodeFacts>>;
