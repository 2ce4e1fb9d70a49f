/** Documented exchanges: says where an example differs from the API document. */
import type { Exchange } from '../../functions/edge/openapi/examples.ts';
import { answerChecker, validatorsOf } from '../support/answer-checker.ts';
import { readApiDocument, type DescribedOperation } from '../support/api-document.ts';

const document = readApiDocument();
const validate = validatorsOf(document);

/** The operations of the document, and the first route of each, by their names. */
const described: ReadonlyMap<string, readonly [route: string, operation: DescribedOperation]> = new Map(
  [...document.operations].toReversed().map(([route, operation]) => [operation.id, [route, operation]]),
);

/** The names of all operations of the document. */
export const documentedOperations: readonly string[] = [...described.keys()];

/** The differences between an exchange and the document; none for an exchange as the document describes it. */
export const undocumented = (id: string, exchange: Exchange): readonly string[] => {
  const [route, operation] = described.get(id) ?? [];
  if (!route || !operation) return [`the document has no operation ${id}`];
  const { request, answer } = exchange;
  const takesBody = Object.keys(operation.bodies).length > 0;
  if (takesBody !== (request.body !== undefined)) return ['the body is missing, or undocumented'];
  const checker = answerChecker(document);
  checker.onExchange({
    ...{ route, method: route.split(' ')[0] ?? '', target: '/', contentType: 'application/json' },
    sent: bytesOf(request.body),
    answer: {
      status: answer.status,
      headers: Object.entries({ 'content-type': 'application/json', ...answer.headers }),
      body: bytesOf(answer.body),
    },
  });
  return [...checker.differences(), ...parameterFaults(operation, request)];
};

const bytesOf = (body: unknown): Buffer => {
  if (body === undefined) return Buffer.alloc(0);
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
};

/** The parameters of a request that the document does not have, that are missing, or whose values break the schema. */
const parameterFaults = ({ parameters }: DescribedOperation, request: Exchange['request']) => {
  const sent = new Map<string, unknown>(
    Object.entries({ path: request.path, query: request.query, header: request.headers }).flatMap(
      ([place, values = {}]) =>
        Object.entries(values).map(([name, value]) => [`${place} ${name.toLowerCase()}`, value] as const),
    ),
  );
  const faults = parameters.flatMap(({ in: place, name, required, schema }) => {
    const key = `${place} ${name.toLowerCase()}`;
    const value = sent.get(key);
    sent.delete(key);
    if (value === undefined) return required ? [`missing: ${key}`] : [];
    const broken = validate(schema, value);
    return broken === undefined ? [] : [`${key}: ${broken}`];
  });
  return [...faults, ...[...sent.keys()].map((key) => `undocumented: ${key}`)];
};
