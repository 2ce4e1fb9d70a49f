/** Transactions: runs PartiQL statements all together or not at all (`ExecuteTransaction`). */
import { ServiceError } from '../../core/service-error.ts';
import type { Usage } from '../../core/types.ts';
import type { Capacity } from './capacity.ts';
import type { Engine } from './engine.ts';
import { MeteredRefusal } from './metered-refusal.ts';
import { bind, checkParameters, type StatementInput, type StatementOutcome } from './partiql-bind.ts';
import { admit, decideTogether } from './partiql.ts';

/** Maximum number of statements in one transaction (service quota). */
const MAX_STATEMENTS = 100;

interface Transaction {
  readonly TransactStatements: readonly StatementInput[];
  readonly ClientRequestToken?: string | undefined;
}

/** The cost of the statements of a transaction. */
interface Cost {
  readonly usage: readonly Usage[];
  readonly consumed: readonly Capacity[];
}

/**
 * Runs the statements of one table all together or not at all. A token that is known from the last ten minutes changes
 * nothing. Throws TransactionCanceledException with a reason for each statement when one of them is refused or throttled, and
 * ValidationException for an invalid request. Keys of one table are locked together, so transactions never conflict here.
 */
export const executeTransaction = async (
  engine: Engine,
  { TransactStatements: statements, ClientRequestToken: token }: Transaction,
  kindOf: (pk: string, sk: string) => string,
): Promise<Cost> => {
  if (statements.length === 0 || statements.length > MAX_STATEMENTS)
    throw new ServiceError('ValidationException', `Member must have length between 1 and ${MAX_STATEMENTS}`);
  const bound = checkParameters(statements).map((statement) => bind(engine, statement));
  const [{ table } = { table: undefined }] = bound;
  if (!table || bound.some((one) => one.table !== table))
    throw new ServiceError('ValidationException', 'The embedded cloud has transactions of one table only');
  if (new Set(bound.map(({ key }) => key)).size < bound.length) {
    throw new ServiceError(
      'ValidationException',
      'Transaction request cannot include multiple operations on one item',
    );
  }
  const { tokens } = engine;
  let usage: readonly Usage[] = [];
  let outcomes: readonly StatementOutcome[] = [];
  await engine.write(
    table,
    bound.map(({ key }) => key),
    () => {
      const all = bound.map((one) => {
        const before = engine.read(table, one.key);
        return admit({ engine, kindOf, factor: 2 }, one, decideTogether(one, before), before);
      });
      usage = all.map((one) => one.usage);
      if (token !== undefined && tokens.isKnown(token, statements)) return [];
      outcomes = all.map(({ decision }) => decision.outcome);
      if (outcomes.some(({ Error: error }) => error)) return [];
      if (token !== undefined) tokens.add(token, statements);
      return all.flatMap(({ decision }) => (decision.change ? [decision.change] : []));
    },
  );
  if (outcomes.some(({ Error: error }) => error)) throw new MeteredRefusal(cancelled(outcomes), usage);
  const CapacityUnits = usage.reduce((sum, one) => sum + one.writeUnits, 0);
  return { usage, consumed: [{ TableName: table.TableName, CapacityUnits }] };
};

const cancelled = (outcomes: readonly StatementOutcome[]): ServiceError => {
  const CancellationReasons = outcomes.map(({ Error: error }) => error ?? { Code: 'None' });
  const codes = CancellationReasons.map(({ Code }) => Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return new ServiceError('TransactionCanceledException', message, 400, { CancellationReasons });
};
