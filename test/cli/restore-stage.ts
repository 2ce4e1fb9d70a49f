/** A stage for tests of the restore: what its ports would do in AWS, with a log, and a death at any call. */
import type { AdminAnswer } from '../../cli/admin-service.ts';
import type { TableFacts } from '../../cli/restore-account.ts';
import type { RestorePorts } from '../../cli/restore-ports.ts';
import type { RestoreState } from '../../cli/restore-state.ts';

type Settings = Readonly<Record<string, unknown>>;
type Command = Readonly<Record<string, unknown>>;

export const TO = '2026-11-23T06:00:00.000Z';
const START = Date.parse('2026-11-23T09:00:00Z');
export const SOURCE = 'tidemark-prod';
export const TARGET = 'tidemark-prod-restored';

/** The process died. */
export class Died extends Error {}

const emptyTable: TableFacts = {
  status: 'ACTIVE',
  keyArn: 'arn:key',
  refusesDeletion: false,
  readUnits: 12_000,
  writeUnits: 4_000,
  restoredTo: undefined,
};

/** The state of a stage. The data of a property are listed by the table that the stage uses. */
export class Stage {
  settings: Settings;
  deployed: Settings;
  now = START;
  readonly tables = new Map<string, TableFacts>([
    [SOURCE, { ...emptyTable, refusesDeletion: true, readUnits: 20_000, writeUnits: 20_000 }],
  ]);
  /** What was done to each table besides that. */
  readonly treated: string[] = [];
  readonly schedules = new Map([
    ['before', new Date('2026-11-22T00:00:00Z')],
    ['after', new Date('2026-11-23T07:00:00Z')],
  ]);
  /** Properties of the credentials: 1001 of always, 1002 made since. 1003 was deleted since. */
  readonly owned = new Map([
    [1_001, 'Main'],
    [1_002, 'Late'],
  ]);
  readonly data = new Map([
    [
      SOURCE,
      new Map([
        [1_001, 500],
        [1_002, 7],
      ]),
    ],
    [
      TARGET,
      new Map([
        [1_001, 100],
        [1_003, 9],
      ]),
    ],
  ]);
  forgotten = 0;
  /** Undos of imports since the time of the restore. */
  undos = 1;
  /** Differences of the index, by property. */
  readonly differing = new Map([[1_001, 3]]);
  readonly said: string[] = [];
  /** Names of calls that change something, each with the table in use and whether the stage was closed. */
  readonly log: string[] = [];
  /** Looks at the new table until it is active. */
  creating = 3;
  #calls = 0;
  readonly #diesAt: number;

  constructor({ settings = {}, diesAt = Infinity }: { settings?: Settings; diesAt?: number } = {}) {
    this.settings = settings;
    this.deployed = settings;
    this.#diesAt = diesAt;
  }

  /** The calls so far. */
  get calls(): number {
    return this.#calls;
  }

  get #used(): string {
    const { tableName = SOURCE } = this.deployed;
    return String(tableName);
  }

  /** Counts a call. The process dies before it is carried out, or right after. */
  #call<T>(what: string | undefined, act: () => T): T {
    this.#calls += 1;
    if (this.#calls === this.#diesAt) throw new Died();
    if (what !== undefined)
      this.log.push(`${what} (${this.#used}, ${this.deployed['closed'] === true ? 'closed' : 'open'})`);
    const result = act();
    if (this.#calls === this.#diesAt - 0.5) throw new Died();
    return result;
  }

  #change(name: string, change: Partial<TableFacts>): void {
    const facts = this.tables.get(name);
    if (facts === undefined || facts.status !== 'ACTIVE') throw new Error(`The table ${name} is in use`);
    this.tables.set(name, { ...facts, ...change });
  }

  #answer(command: Command, asked: string): AdminAnswer {
    const data = this.data.get(this.#used) ?? new Map<number, number>();
    const property = Number(command['property']);
    switch (command['command']) {
      case 'counters.list':
        return {
          ok: true,
          service: [],
          counters: [...data].map(([id, value]) => ({ property: id, name: 'ordinal', value, raised: null })),
          next: null,
        };
      case 'counters.raise': {
        const counters: unknown = command['counters'];
        this.log.push(`raised ${JSON.stringify(counters)}`);
        return { ok: true, raised: 1 };
      }
      case 'forgettings.replay':
        this.forgotten = 2;
        return { ok: true, looked: 2, forgotten: 2, next: null };
      case 'property.list': {
        const status = (id: number): string => {
          if (!this.owned.has(id)) return 'without owner';
          return data.has(id) ? 'active' : 'without data';
        };
        const ids = [...new Set([...this.owned.keys(), ...data.keys()])];
        return {
          ok: true,
          properties: ids.map((id) => ({
            id,
            name: this.owned.get(id) ?? null,
            account: 1,
            status: status(id),
          })),
          next: null,
        };
      }
      case 'property.delete':
        if (data.has(property)) data.delete(property);
        return { ok: true, state: 'deleted', items: 1, objects: 0, again: null };
      case 'audit-log.since': {
        const entry = { time: TO, account: 1, property: 1_001, user: 4, ids: { import_id: 7 } };
        const changes = [
          ...Array.from({ length: this.undos }, () => ({
            ...{ kind: 'undo', table: 'data', action: 'POST /v1/{property_id}/undo' },
            ...entry,
          })),
          { kind: 'command', table: 'credentials', action: 'operator user.disable', ...entry },
        ];
        return { ok: true, looked: 9, changes, next: null };
      }
      case 'audit': {
        const missing = this.differing.get(property) ?? 0;
        if (command['repair'] === true) this.differing.delete(property);
        const counts = { profiles: 1, chunks: 1, directories: 0, busy: 0, repaired: 0 };
        return { ok: true, ...counts, missing, extra: 0, end: 1, next: null, segments: [] };
      }
      default:
        throw new Error(`${asked} does not know ${String(command['command'])}`);
    }
  }

  /** The ports of a restore of this stage. */
  ports(more: Partial<RestorePorts> = {}): RestorePorts {
    const call = <T>(what: string | undefined, act: () => T): Promise<T> =>
      new Promise((resolve) => resolve(this.#call(what, act)));
    return {
      account: {
        window: (table) =>
          call(undefined, () =>
            this.tables.has(table)
              ? { earliest: new Date('2026-11-01T00:00:00Z'), latest: new Date(START - 300_000) }
              : undefined,
          ),
        table: (name) =>
          call(undefined, () => {
            const facts = this.tables.get(name);
            if (facts?.status === 'CREATING' && (this.creating -= 1) <= 0)
              this.tables.set(name, { ...facts, status: 'ACTIVE' });
            return facts;
          }),
        restore: (source, target, to) =>
          call(`restore ${source} as ${target}`, () => {
            if (this.tables.has(target)) throw new Error('There is such a table');
            this.tables.set(target, { ...emptyTable, status: 'CREATING', restoredTo: to });
          }),
        keepBackups: (table) => call(undefined, () => this.#treat(`backups of ${table}`)),
        expireItems: (table) => call(undefined, () => void this.#treat(`expiry in ${table}`)),
        refuseDeletion: (table) => call(undefined, () => this.#change(table, { refusesDeletion: true })),
        warm: (table, units) => call(undefined, () => this.#change(table, units)),
        schedules: () =>
          call(undefined, () => [...this.schedules].map(([name, created]) => ({ name, created }))),
        deleteSchedule: (_group, name) =>
          call(`delete schedule ${name}`, () => void this.schedules.delete(name)),
      },
      settings: {
        read: () => this.settings,
        write: (settings) =>
          this.#call(undefined, () => {
            this.settings = settings;
          }),
      },
      ask: (command, asked = 'operator') =>
        call(String(command['command']), () => this.#answer(command, asked)),
      deploy: (leaving) =>
        call(`deploy leaving ${leaving ?? 'nothing'}`, () => {
          this.deployed = this.settings;
          return true;
        }),
      isHealthy: () => call(undefined, () => this.deployed['closed'] !== true),
      agree: () => Promise.resolve(undefined),
      keepData: true,
      warmUnits: { readUnits: 20_000, writeUnits: 20_000 },
      quietSeconds: 960,
      say: (line) => this.said.push(line),
      wait: (milliseconds) =>
        call(undefined, () => {
          this.now += milliseconds;
        }),
      now: () => this.now,
      ...more,
    };
  }

  #treat(what: string): boolean {
    if (!this.treated.includes(what)) this.treated.push(what);
    return true;
  }

  /** What must be the same at the end, however often the process died. */
  get end() {
    const { settings, deployed, tables, treated, schedules, data, differing, forgotten, owned } = this;
    return { settings, deployed, tables, treated, schedules, data, differing, forgotten, owned };
  }
}

export const begun: RestoreState = {
  stage: 'prod',
  to: TO,
  source: SOURCE,
  target: TARGET,
  lost: false,
  done: [],
  left: {},
};
