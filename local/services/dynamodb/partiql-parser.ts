/** PartiQL parser: parses the three supported statement shapes. */
import { ServiceError } from '../../core/service-error.ts';

/** A statement of one of the three shapes. Its `?` parameters are in the order of the listed names. */
export type Statement =
  | { readonly kind: 'insert'; readonly table: string; readonly names: readonly string[] }
  | {
      readonly kind: 'update';
      readonly table: string;
      readonly sets: readonly string[];
      readonly where: readonly string[];
    }
  | { readonly kind: 'delete'; readonly table: string; readonly where: readonly string[] };

/** Callers use few different statement texts. The limit protects against callers that write values into the texts. */
const MAX_CACHED = 1000;
const cache = new Map<string, Statement>();

/** Parses one statement. Throws ValidationException for other shapes. */
export const parseStatement = (text: string): Statement => {
  const known = cache.get(text);
  if (known) return known;
  const statement = parse(new Tokens(text));
  if (cache.size >= MAX_CACHED) cache.clear();
  cache.set(text, statement);
  return statement;
};

const parse = (tokens: Tokens): Statement => {
  const verb = tokens.next().toUpperCase();
  switch (verb) {
    case 'INSERT':
      return parseInsert(tokens);
    case 'UPDATE':
      return parseUpdate(tokens);
    case 'DELETE':
      tokens.expect('FROM');
      return { kind: 'delete', table: tokens.name(), where: parseWhere(tokens) };
    default:
      throw tokens.unexpected(verb);
  }
};

const parseInsert = (tokens: Tokens): Statement => {
  tokens.expect('INTO');
  const table = tokens.name();
  tokens.expect('VALUE');
  tokens.expect('{');
  const names: string[] = [];
  do {
    names.push(tokens.name());
    tokens.expect(':');
    tokens.expect('?');
  } while (tokens.accept(','));
  tokens.expect('}');
  tokens.end();
  return { kind: 'insert', table, names };
};

const parseUpdate = (tokens: Tokens): Statement => {
  const table = tokens.name();
  const sets: string[] = [];
  while (tokens.accept('SET')) sets.push(parseEquality(tokens));
  if (sets.length === 0) throw tokens.unexpected(tokens.next());
  return { kind: 'update', table, sets, where: parseWhere(tokens) };
};

const parseWhere = (tokens: Tokens): string[] => {
  tokens.expect('WHERE');
  const names = [parseEquality(tokens)];
  while (tokens.accept('AND')) names.push(parseEquality(tokens));
  tokens.end();
  return names;
};

const parseEquality = (tokens: Tokens): string => {
  const name = tokens.name();
  tokens.expect('=');
  tokens.expect('?');
  return name;
};

/** Names in double or single quotes (doubled inside), bare words, and the punctuation of the three shapes. */
const TOKEN = /\s*("(?:[^"]|"")*"|'(?:[^']|'')*'|[A-Za-z_][\w-]*|[{}:,=?]|\S)/y;

class Tokens {
  readonly #tokens: string[] = [];
  #at = 0;

  constructor(text: string) {
    TOKEN.lastIndex = 0;
    for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) this.#tokens.push(match[1] ?? '');
  }

  next(): string {
    return this.#tokens[this.#at++] ?? '';
  }

  accept(word: string): boolean {
    const found = this.#tokens[this.#at]?.toUpperCase() === word;
    if (found) this.#at++;
    return found;
  }

  expect(word: string): void {
    if (!this.accept(word)) throw this.unexpected(this.next());
  }

  name(): string {
    const token = this.next();
    const quote = token[0];
    if (quote === '"' || quote === "'") return token.slice(1, -1).replaceAll(quote + quote, quote);
    if (!/^[A-Za-z_]/.test(token)) throw this.unexpected(token);
    return token;
  }

  end(): void {
    this.accept(';');
    if (this.#at < this.#tokens.length) throw this.unexpected(this.next());
  }

  unexpected(token: string): ServiceError {
    return new ServiceError(
      'ValidationException',
      `Statement wasn't well formed, unexpected '${token}' at ${this.#at}`,
    );
  }
}
