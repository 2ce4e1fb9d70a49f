/** Allowed differences between the embedded engine and DynamoDB Local, each with the document of AWS that decides it. */
import * as v from 'valibot';
import { canonical, type Compared } from './normal-form.ts';

/** A difference that is no fault. */
interface AllowedDifference {
  /** What the engines do, and which of them does what AWS documents. */
  readonly what: string;
  /** The document of AWS. */
  readonly source: string;
  readonly allows: (part: Compared) => boolean;
}

const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide';

const statement = v.object({ Statement: v.string(), Parameters: v.array(v.unknown()) });
const queried = v.object({
  ok: v.looseObject({ ScannedCount: v.number(), LastEvaluatedKey: v.optional(v.unknown()) }),
});
const limited = v.object({ Limit: v.optional(v.number()) });
const readOptions = v.object({ ConsistentRead: v.optional(v.boolean(), false) });
const batchRead = v.object({ RequestItems: v.record(v.string(), readOptions) });

/**
 * The list. The comparison ignores three further things: the texts of errors, the order of items in a BatchGetItem and of
 * members in a set. AWS promises none of them.
 */
export const allowedDifferences: readonly AllowedDifference[] = [
  {
    what:
      'A PartiQL delete whose condition names more than the key, of a missing item: the embedded engine reports success, as documented; ' +
      'DynamoDB Local reports ConditionalCheckFailed. The table settles such a refusal by reading.',
    source: `${guide}/ql-reference.delete.html`,
    allows: ({ operation, input, embedded, external }) =>
      ['Statement', 'ExecuteStatement'].includes(operation) &&
      v.parse(statement, input).Statement.startsWith('DELETE') &&
      'ok' in embedded &&
      'code' in external &&
      external.code.startsWith('ConditionalCheckFailed'),
  },
  {
    what:
      'An eventually consistent read: the embedded engine answers with the state before the last write, DynamoDB Local ' +
      'with the latest state. Both are allowed.',
    source: `${guide}/HowItWorks.ReadConsistency.html`,
    allows: ({ operation, input }) => {
      if (operation === 'BatchGetItem') {
        const read = v.safeParse(batchRead, input);
        return read.success && Object.values(read.output.RequestItems).some((one) => !one.ConsistentRead);
      }
      const read = v.safeParse(readOptions, input);
      return ['GetItem', 'Query'].includes(operation) && read.success && !read.output.ConsistentRead;
    },
  },
  {
    what:
      'The key after which the next page begins, when the limit of a query ends on the last bound: the embedded engine ' +
      'gives it, DynamoDB Local does not. The key does not promise that more items follow.',
    source: `${guide}/Query.Pagination.html`,
    allows: ({ operation, input, embedded, external }) => {
      const [ours, theirs] = [v.safeParse(queried, embedded), v.safeParse(queried, external)];
      if (operation !== 'Query' || !ours.success || !theirs.success) return false;
      const { LastEvaluatedKey, ...page } = ours.output.ok;
      const isFull = v.parse(limited, input).Limit === page.ScannedCount;
      return isFull && LastEvaluatedKey !== undefined && canonical(page) === canonical(theirs.output.ok);
    },
  },
  {
    what:
      'The name of the error of a single insert under a taken key: DuplicateItemException in the embedded engine and in ' +
      'the document, DuplicateItem in DynamoDB Local.',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteStatement.html',
    allows: ({ operation, embedded, external }) =>
      operation === 'ExecuteStatement' &&
      'code' in embedded &&
      'code' in external &&
      embedded.code === 'DuplicateItemException' &&
      external.code === 'DuplicateItem',
  },
  {
    what:
      'The reason of a transaction that inserts under a taken key: DuplicateItem in the embedded engine, as of a single ' +
      'insert; ValidationError in DynamoDB Local. The table takes both for a taken key.',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchStatementError.html',
    allows: ({ operation, embedded, external }) =>
      operation === 'ExecuteTransaction' &&
      'code' in embedded &&
      'code' in external &&
      embedded.code.replaceAll('DuplicateItem', 'ValidationError') === external.code,
  },
  {
    what:
      'The error of a transaction with an invalid statement: ValidationException in the embedded engine, a cancellation ' +
      'without reasons in DynamoDB Local. Both have made nothing, and the table throws both.',
    source: 'https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_ExecuteTransaction.html',
    allows: ({ operation, embedded, external }) =>
      operation === 'ExecuteTransaction' &&
      'code' in embedded &&
      'code' in external &&
      ['ValidationException', 'ResourceNotFoundException'].includes(embedded.code) &&
      ['TransactionCanceledException', 'ValidationException', 'ResourceNotFoundException'].includes(
        external.code,
      ),
  },
  {
    what: 'The order of a scan, which follows a hash of the partition key.',
    source: `${guide}/HowItWorks.Partitions.html`,
    allows: ({ operation }) => operation === 'Scan',
  },
];
