/** Conditions: adds DynamoDB's rules that dynalite lacks to parsed condition and filter expressions. */
import { ServiceError } from '../../core/service-error.ts';
import { isRecord } from './values.ts';

/** A part of an expression as dynalite parses it. An operand is a path (an array), an attribute value or a node. */
interface Node {
  readonly type: string;
  readonly args: unknown[];
}

/** The expressions of a validated request, and the names by which DynamoDB's messages call them. */
const EXPRESSIONS = { _condition: 'ConditionExpression', _filter: 'FilterExpression' } as const;

const ORDERS = new Set(['<', '<=', '>', '>=', 'between']);

/** The types with an order. */
const ORDERED = new Set(['S', 'N', 'B']);

/**
 * Applies two rules to the expressions of a validated request. A comparison by order takes texts, numbers and bytes only;
 * another type throws ValidationException. Two attributes are equal only if they exist: the function changes such a
 * comparison in place.
 */
export const applyConditionRules = (data: Readonly<Record<string, unknown>>): void => {
  for (const [name, title] of Object.entries(EXPRESSIONS)) {
    const parsed = data[name];
    if (!isRecord(parsed)) continue;
    // As an argument, the whole expression can be replaced as its parts can.
    const whole: Node = { type: 'whole', args: [parsed['expression']] };
    visit(whole, title);
    parsed['expression'] = whole.args[0];
  }
};

const isNode = (value: unknown): value is Node =>
  isRecord(value) && typeof value['type'] === 'string' && Array.isArray(value['args']);

const visit = (node: unknown, title: string): void => {
  if (!isNode(node)) return;
  if (ORDERS.has(node.type)) refuseUnordered(node, title);
  node.args.forEach((arg, at) => {
    visit(arg, title);
    if (isNode(arg) && comparesPaths(arg)) node.args[at] = ofPaths(arg);
  });
};

const refuseUnordered = ({ type, args }: Node, title: string): void => {
  for (const arg of args) {
    const operand = isRecord(arg) && !isNode(arg) ? Object.keys(arg)[0] : undefined;
    if (operand !== undefined && !ORDERED.has(operand)) {
      throw new ServiceError(
        'ValidationException',
        `Invalid ${title}: Incorrect operand type for operator or function; operator: ${type}, operand type: ${operand}`,
      );
    }
  }
};

const comparesPaths = ({ type, args }: Node): boolean =>
  ['=', '<>'].includes(type) && args.every((arg) => Array.isArray(arg));

const ofPaths = ({ type, args }: Node): Node => {
  const exists = { type: 'function', name: 'attribute_exists', args: args.slice(0, 1) };
  const equal = { type: 'and', args: [exists, { type: '=', args }] };
  return type === '=' ? equal : { type: 'not', args: [equal] };
};
