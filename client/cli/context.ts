/** What a command works with: its output, its questions and the client of its service. */
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Tidemark } from '../src/index.ts';
import { CommandFailure, exitCodes, usageFailure } from './failure.ts';
import {
  type ChosenService,
  choosePlace,
  chooseService,
  type NoService,
  type Place,
  type Surroundings as Choices,
} from './session/choose.ts';
import type { Result } from './result.ts';
import {
  jobsFile,
  readSessions,
  sessionsFile,
  type StoredSession,
  withSession,
  writePrivate,
} from './session/store.ts';
import { outputWidth, type Surroundings } from './surroundings.ts';
import { askLine, askSecret } from './terminal/ask.ts';
import { barLine, type Progress } from './terminal/bar.ts';
import { liveLine, type LiveLine } from './terminal/live-line.ts';
import { hasColours, type Paint, paintWith } from './terminal/paint.ts';
import { type Column, factsOf, tableOf } from './terminal/table.ts';
import { plain, plainButColours, plainJson } from './terminal/text.ts';

/** The options that every command has. */
export interface GlobalOptions {
  readonly json?: boolean | undefined;
  readonly color?: boolean | undefined;
  readonly baseUrl?: string | undefined;
  readonly property?: number | undefined;
}

/** A client of a property, and the address of its service. */
interface Connection {
  readonly client: Tidemark;
  readonly baseUrl: string;
  readonly propertyId: number;
}

/** Results go to standard output; progress, questions and errors go to standard error. */
export class Context {
  readonly surroundings: Surroundings;
  readonly options: GlobalOptions;
  readonly #interrupt: () => void;
  readonly #line: LiveLine;
  #obtained: { readonly baseUrl: string; readonly session: StoredSession } | undefined;

  constructor(
    surroundings: Surroundings,
    options: GlobalOptions,
    interrupt: () => void,
    line = liveLine(surroundings.stderr, surroundings.now),
  ) {
    this.surroundings = surroundings;
    this.options = options;
    this.#interrupt = interrupt;
    this.#line = line;
  }

  /** Whether the command prints JSON. */
  get json(): boolean {
    return this.options.json === true;
  }

  /** Whether a user can answer questions. */
  get isInteractive(): boolean {
    const { stdin, stderr } = this.surroundings;
    return stdin.isTTY === true && stderr.isTTY === true;
  }

  get signal(): AbortSignal {
    return this.surroundings.interrupted;
  }

  /** The colours of standard output. */
  get paint(): Paint {
    return this.#paintOf('stdout');
  }

  #paintOf(stream: 'stdout' | 'stderr'): Paint {
    return paintWith(this.#hasColours(stream));
  }

  #hasColours(stream: 'stdout' | 'stderr'): boolean {
    return this.options.color !== false && hasColours(this.surroundings[stream], this.surroundings.env);
  }

  /** Lines without anything that a terminal obeys, whatever the service or a file put into them. */
  #plain(stream: 'stdout' | 'stderr', lines: readonly string[]): readonly string[] {
    return lines.map(this.#hasColours(stream) ? plainButColours : plain);
  }

  /** Shows the result of a command: as JSON, or as lines for people. */
  show(value: unknown, lines: () => readonly string[]): void {
    this.#line.clear();
    const text = this.json ? plainJson(value) : this.#plain('stdout', lines()).join('\n');
    if (text !== '') this.surroundings.stdout.write(`${text}\n`);
  }

  /** Shows a list as a table, or the sentence for an empty list. `value` is the list as JSON. */
  showList<Row>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    none: string,
    value: unknown = rows,
  ): void {
    this.show(value, () => (rows.length === 0 ? [none] : this.table(columns, rows)));
  }

  /** The lines of a table that fits the terminal. */
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly string[] {
    return tableOf(columns, rows, this.paint, outputWidth(this.surroundings.stdout, Infinity));
  }

  facts(facts: readonly (readonly [string, string])[]): readonly string[] {
    return factsOf(facts, this.paint);
  }

  /** Tells people what happens. It goes to standard error, so that it never mixes with a result. */
  note(...lines: readonly string[]): void {
    this.#line.clear();
    for (const line of this.#plain('stderr', lines)) this.surroundings.stderr.write(`${line}\n`);
  }

  /** The columns that a line of a note has room for. */
  get width(): number {
    return outputWidth(this.surroundings.stderr, 100);
  }

  /** A table for people while the command goes on. Not with `--json`. */
  noteTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): void {
    const { stderr } = this.surroundings;
    this.note(...tableOf(columns, rows, this.#paintOf('stderr'), outputWidth(stderr, Infinity)));
  }

  /** Names and values for people, beside the result. */
  noteFacts(facts: readonly (readonly [string, string])[]): void {
    this.note(...factsOf(facts, this.#paintOf('stderr')));
  }

  /** A bar that follows a longer piece of work. Only a terminal shows it; `done` leaves one line everywhere. */
  bar(title: string): {
    readonly update: (progress: Progress) => void;
    readonly done: (text: string) => void;
  } {
    const { now, stderr } = this.surroundings;
    const paint = this.#paintOf('stderr');
    const started = now();
    const width = (): number => outputWidth(stderr, 80);
    return {
      update: ({ share, text }) => {
        const progress = { share, text: plain(text) };
        this.#line.draw(barLine(title, progress, now() - started, { width: width(), paint }));
      },
      done: (text) => this.note(`${paint('green', '✓')} ${title}  ${text}`),
    };
  }

  /** Removes a bar that has no end. */
  clearBar(): void {
    this.#line.clear();
  }

  /** Shows lines on a terminal until the returned function removes them. Other outputs get none. */
  draft(lines: readonly string[]): () => void {
    const { stdout } = this.surroundings;
    if (stdout.isTTY !== true || this.json) return () => undefined;
    stdout.write(`${this.#plain('stdout', lines).join('\n')}\n`);
    return () => stdout.write(`\x1b[${lines.length}A\x1b[0J`);
  }

  /** Waits. Throws the signal's reason when the user presses Ctrl-C. */
  async pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.signal });
  }

  /** Asks for a line of text. */
  ask(question: string): Promise<string> {
    this.#line.clear();
    return askLine(this.surroundings, plain(question), this.#interrupt);
  }

  /** Asks for a secret, which the terminal does not show. */
  askSecret(question: string): Promise<string> {
    return askSecret(this.surroundings, question, this.#interrupt);
  }

  /** Asks whether to go on. Enter alone is `usual`. Throws a usage failure if nobody can answer. */
  async confirm(question: string, usual: 'yes' | 'no' = 'no'): Promise<boolean> {
    if (!this.isInteractive) throw usageFailure('Nobody can answer a question here; add --yes.');
    const answer = (await this.ask(`${question} ${usual === 'yes' ? '[Y/n]' : '[y/N]'} `)).trim();
    this.signal.throwIfAborted();
    return answer === '' ? usual === 'yes' : /^y(?:es)?$/i.test(answer);
  }

  /** The path of a file that the user named. */
  path(file: string): string {
    return isAbsolute(file) ? file : join(this.surroundings.cwd, file);
  }

  get jobsFile(): string {
    return jobsFile(this.surroundings.env);
  }

  get sessionsFile(): string {
    return sessionsFile(this.surroundings.env);
  }

  async #chosen<T>(choose: (choices: Choices) => Result<T, NoService>): Promise<T> {
    const { env, localService } = this.surroundings;
    const sessions = await readSessions(this.sessionsFile);
    const chosen = choose({ options: this.options, env, sessions, local: await localService() });
    if (chosen.ok) return chosen.value;
    const { kind, message } = chosen.error;
    throw new CommandFailure(message, kind === 'usage' ? exitCodes.usage : exitCodes.signIn);
  }

  /** The service of the command, with or without a sign-in. Throws a failure if no service is known. */
  place(): Promise<Place> {
    return this.#chosen(choosePlace);
  }

  /** The service of the command and a client of it, without a property. Throws a failure without a sign-in. */
  async signedIn(): Promise<{ readonly client: Tidemark; readonly service: ChosenService }> {
    const service = await this.#chosen(chooseService);
    const { baseUrl, token, credentials, propertyId } = service;
    const client = new Tidemark({
      baseUrl,
      propertyId,
      signal: this.signal,
      ...(token === undefined ? {} : { token }),
      ...(credentials === undefined
        ? {}
        : {
            clientId: credentials.clientId,
            username: credentials.username,
            password: credentials.password,
            onToken: ({ accessToken }) => {
              const { username, clientId } = credentials;
              const kept = { token: accessToken, expires: null, property: propertyId ?? null };
              this.#obtained = { baseUrl, session: { username, clientId, ...kept } };
            },
          }),
    });
    return { client, service };
  }

  /** Stores the token that the client obtained for the service of this machine, so that the next command finds it. */
  async close(): Promise<void> {
    this.#line.clear();
    if (this.#obtained !== undefined) await this.keep(this.#obtained.baseUrl, this.#obtained.session, false);
  }

  /** Stores a sign-in. */
  async keep(baseUrl: string, session: StoredSession | null, makeCurrent: boolean): Promise<void> {
    const sessions = await readSessions(this.sessionsFile);
    await writePrivate(this.sessionsFile, withSession(sessions, baseUrl, session, makeCurrent));
  }

  /** The context with the property of the command. Throws a failure when the user has to choose a property. */
  async connect(): Promise<Connected> {
    const { surroundings, options } = this;
    return new Connected([surroundings, options, this.#interrupt, this.#line], await this.#connection());
  }

  async #connection(): Promise<Connection> {
    const { client, service } = await this.signedIn();
    const { baseUrl, propertyId } = service;
    if (propertyId !== undefined) return { client, baseUrl, propertyId };
    const { properties } = await client.getCaller();
    const [only, ...others] = properties;
    if (only === undefined) throw new CommandFailure('Your account has no property.');
    if (others.length > 0) {
      throw usageFailure(
        'Your account has several properties; choose one with --property.',
        properties.map(({ id, name }) => `${id}  ${plain(name)}`),
      );
    }
    return { client: client.forProperty(only.id), baseUrl, propertyId: only.id };
  }
}

/** The context of a command that works on a property. */
export class Connected extends Context {
  readonly client: Tidemark;
  readonly baseUrl: string;
  readonly propertyId: number;

  constructor(context: ConstructorParameters<typeof Context>, { client, baseUrl, propertyId }: Connection) {
    super(...context);
    this.client = client;
    this.baseUrl = baseUrl;
    this.propertyId = propertyId;
  }
}
