import { AsyncLocalStorage } from 'node:async_hooks';
import type { Attributes, Write } from '../../shared/table/table.ts';
import type { Key } from '../../shared/table/keys.ts';
import { UnavailableError } from '../../shared/runtime/aws-errors.ts';
import { checkDeadline } from '../../shared/runtime/deadline.ts';
import { MemoryTable } from './memory-table.ts';

/**
 * What happens to a process at its operation number `after`: it `dies` before the operation, it `loses` the answer and dies
 * with it, or it `freezes` before the operation until it is let go.
 */
export interface Fate {
  readonly kind: 'dies' | 'loses' | 'freezes';
  readonly after: number;
}

/** How a process ended, or that it stands still. */
export type Ended<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'dead' }
  | { readonly kind: 'frozen'; readonly thaw: () => Promise<Ended<T>> };

interface Process {
  readonly fate: Fate;
  operations: number;
  dead: boolean;
  readonly freeze: () => Promise<unknown>;
}

const processes = new AsyncLocalStorage<Process>();

class Killed extends Error {}

/**
 * A process that is alive reaches its next operation. Returns whether the answer of the operation is lost. `isPunctual`: an
 * operation whose time is over when its process is let go is not sent.
 */
const enter = async (isPunctual: boolean): Promise<boolean> => {
  const process = processes.getStore();
  if (!process) return false;
  if (process.dead) throw new Killed();
  process.operations += 1;
  if (process.operations !== process.fate.after) return false;
  if (process.fate.kind === 'freezes') {
    await process.freeze();
    if (isPunctual) checkDeadline();
  }
  process.dead = process.fate.kind !== 'freezes';
  if (process.fate.kind === 'dies') throw new Killed();
  return process.fate.kind === 'loses';
};

/** The bytes of attributes, near enough. As JSON, bytes would take several times their number. */
const sizeOf = (set: Attributes): number =>
  Object.values(set).reduce<number>(
    (sum, value) => sum + (value instanceof Uint8Array ? value.length : JSON.stringify(value).length),
    0,
  );

/**
 * A table in memory whose processes die, freeze or lose answers: see `underFate`. An item ends at 400 KB. A process that
 * thaws sends its operation however late, as if it had been under way for hours; with `isPunctual` it does not, as in AWS,
 * where the client gives up.
 */
export class FatedTable extends MemoryTable {
  readonly #isPunctual: boolean;

  constructor(isPunctual = false) {
    super(async (operation) => {
      if (operation === 'get' || operation === 'getMany' || operation === 'query') await enter(isPunctual);
    });
    this.#isPunctual = isPunctual;
  }

  override async writeMany(writes: readonly Write[]) {
    for (const write of writes)
      if (write.kind !== 'delete' && sizeOf(write.set) > 409_600)
        throw new Error('Item size has exceeded the maximum allowed size');
    const isLost = await enter(this.#isPunctual);
    const outcomes = await super.writeMany(writes);
    if (isLost) throw new Killed();
    return outcomes;
  }

  override async transact(writes: readonly Write[]) {
    const isLost = await enter(this.#isPunctual);
    const refused = await super.transact(writes);
    if (isLost) throw new Killed();
    return refused;
  }

  override async put(key: Key, set: Attributes): Promise<void> {
    const isLost = await enter(this.#isPunctual);
    await super.put(key, set);
    if (isLost) throw new Killed();
  }

  override async increment(...args: Parameters<MemoryTable['increment']>) {
    const isLost = await enter(this.#isPunctual);
    const value = await super.increment(...args);
    if (isLost) throw new Killed();
    return value;
  }
}

const unharmed: Fate = { kind: 'dies', after: Number.POSITIVE_INFINITY };

/** Runs a process on a `FatedTable` under a fate. Errors other than its death, or that it gave up, are thrown. */
export const underFate = async <T>(given: Fate | undefined, run: () => Promise<T>): Promise<Ended<T>> => {
  const fate = given ?? unharmed;
  const [frozen, thawed] = [Promise.withResolvers<'frozen'>(), Promise.withResolvers<null>()];
  const process: Process = {
    ...{ fate, operations: 0, dead: false },
    freeze: () => {
      frozen.resolve('frozen');
      return thawed.promise;
    },
  };
  const running = processes.run(process, run).then(
    (value): Ended<T> => ({ kind: 'done', value }),
    (error: unknown): Ended<T> => {
      // Who gives up beside others is as good as dead: its work comes again.
      if (process.dead || error instanceof UnavailableError) return { kind: 'dead' };
      throw error;
    },
  );
  const first = await Promise.race([running, frozen.promise]);
  if (first !== 'frozen') return first;
  const thaw = (): Promise<Ended<T>> => {
    thawed.resolve(null);
    return running;
  };
  return { kind: 'frozen', thaw };
};
