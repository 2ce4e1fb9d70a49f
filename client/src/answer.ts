/** Reads a successful answer. The service's tests hold its answers to the API document, so their types are trusted. */
import { operationTable } from './generated/operation-table.ts';
import { UnexpectedAnswerError } from './problem.ts';
import type { Answer, Item, ListName, Operation, OperationName } from './types.ts';

/** The data in the text of an answer. Throws `UnexpectedAnswerError` when JSON is expected and the text is not JSON. */
export const dataOf = <Name extends OperationName>(name: Name, text: string): Answer<Name> => {
  const { answer }: Operation = operationTable[name];
  const data = answer === 'json' ? parsed(text) : text;
  if (!isAnswer(name, data)) throw new UnexpectedAnswerError(name);
  return data;
};

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const isAnswer = <Name extends OperationName>(name: Name, data: unknown): data is Answer<Name> => {
  const { answer }: Operation = operationTable[name];
  return answer === 'json' ? typeof data === 'object' && data !== null : data !== null;
};

/** The items of a page. */
export const itemsOf = <Name extends ListName>(name: Name, page: Answer<Name>): readonly Item<Name>[] => {
  const { items }: Operation = operationTable[name];
  const found: unknown = items === null ? [page] : memberOf(page, items);
  if (!isItems(name, found)) throw new UnexpectedAnswerError(name);
  return found;
};

const memberOf = (page: unknown, name: string | undefined): unknown =>
  name === undefined || name === '' || typeof page !== 'object' || page === null
    ? page
    : new Map<string, unknown>(Object.entries(page)).get(name);

const isItems = <Name extends ListName>(name: Name, found: unknown): found is readonly Item<Name>[] =>
  'items' in operationTable[name] && Array.isArray(found);
