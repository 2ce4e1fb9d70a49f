/** Tokens: the transactions of the last ten minutes, so that a transaction whose answer was lost is made once. */
import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '../../core/service-error.ts';

/** DynamoDB knows the token of a transaction for ten minutes. */
const TOKEN_MS = 600_000;

/** The transactions of the last ten minutes, by their tokens. */
export class Tokens {
  readonly #now: () => number;
  readonly #made = new Map<string, { readonly at: number; readonly statements: readonly unknown[] }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Whether a transaction was made under the token. Throws when it had other statements. */
  isKnown(token: string, statements: readonly unknown[]): boolean {
    const made = this.#made.get(token);
    if (!made || made.at < this.#now() - TOKEN_MS) return false;
    if (isDeepStrictEqual(made.statements, statements)) return true;
    throw new ServiceError(
      'IdempotentParameterMismatchException',
      'The token belongs to another transaction',
    );
  }

  add(token: string, statements: readonly unknown[]): void {
    for (const [known, { at }] of this.#made) {
      if (at >= this.#now() - TOKEN_MS) break;
      this.#made.delete(known);
    }
    this.#made.set(token, { at: this.#now(), statements });
  }
}
