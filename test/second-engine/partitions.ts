/** Partitions of a call: the partition keys that it reads or writes. */
import type { TableDefinition } from '../../local/services/dynamodb/dynamodb.ts';
import { parseStatement } from '../../local/services/dynamodb/partiql-parser.ts';
import { isRecord } from './normal-form.ts';

/** The partition keys of a call, each as a text. A call without a key has none. */
export const partitionsOf = (
  tables: readonly TableDefinition[],
  operation: string,
  input: unknown,
): readonly string[] => {
  const names = new Set(tables.map(({ partitionKey }) => partitionKey.name));
  return [
    ...new Set(
      /Statement$|Transaction$/.test(operation) ? statementKeys(names, input) : keysIn(names, input),
    ),
  ];
};

/** Every value of an attribute with the name of a partition key, and in a query every value. */
const keysIn = (names: ReadonlySet<string>, value: unknown): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((member) => keysIn(names, member));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    if (name === 'ExpressionAttributeValues' && isRecord(member))
      return Object.values(member).map((one) => JSON.stringify(one));
    return names.has(name) ? [JSON.stringify(member)] : keysIn(names, member);
  });
};

const statementKeys = (names: ReadonlySet<string>, input: unknown): readonly string[] => {
  if (!isRecord(input)) return [];
  const { Statements, TransactStatements = Statements } = input;
  const statements: readonly unknown[] = Array.isArray(TransactStatements) ? TransactStatements : [input];
  return statements.flatMap((statement: unknown) => {
    if (!isRecord(statement) || !Array.isArray(statement['Parameters'])) return [];
    const parameters: readonly unknown[] = statement['Parameters'];
    return attributesOf(String(statement['Statement'])).flatMap((name, at) =>
      names.has(name) ? [JSON.stringify(parameters[at])] : [],
    );
  });
};

const attributesOf = (text: string): readonly string[] => {
  try {
    const statement = parseStatement(text);
    if (statement.kind === 'insert') return statement.names;
    return statement.kind === 'update' ? [...statement.sets, ...statement.where] : statement.where;
  } catch {
    return [];
  }
};
