/** Fields: renders the JSON Schema of a body or an answer as a list of fields with types and sentences. */
import { nameOf, type Shape } from './document.ts';
import { code, inline } from './text.ts';

/** The fields of a shape, those of unnamed parts inside them, and its sentence. Named models inside it are links. */
export const fieldsOf = (shape: Shape): string => {
  const inner = innerOf(shape);
  return inner === '' ? `<p>${typeOf(shape)}</p>` : inner;
};

/** One named value with its type, its sentence and whatever is inside. */
export const field = (name: string, shape: Shape, mark = ''): string => {
  const sentence = shape.description === undefined ? '' : `<p>${inline(shape.description)}</p>`;
  const inner = shape.$ref === undefined ? innerOf(shape) : '';
  const note = mark === '' ? '' : ` <em>${mark}</em>`;
  return `<dt>${code(name)} <span>${typeOf(shape)}</span>${note}</dt><dd>${sentence}${inner}</dd>`;
};

/** The type of a value in words, with its bounds. The name of a model is a link to it. */
const typeOf = (shape: Shape): string =>
  [kindOf(shape), ...boundsOf(shape)].filter((part) => part !== '').join(', ');

const innerOf = (shape: Shape): string => {
  const { properties, additionalProperties: others, items } = shape;
  const named = Object.entries(properties ?? {}).map(([name, member]) =>
    field(name, member, (shape.required ?? []).includes(name) ? 'required' : ''),
  );
  const rest = typeof others === 'object' && hasFields(others) ? [field('any name', others)] : [];
  const list = [...named, ...rest];
  const parts = [
    ...(list.length > 0 ? [`<dl>${list.join('')}</dl>`] : []),
    ...(items && hasFields(items) && items.$ref === undefined ? [innerOf(items)] : []),
    ...alternatives(shape),
  ];
  return parts.join('');
};

const hasFields = (shape: Shape): boolean =>
  shape.$ref !== undefined || shape.properties !== undefined || optionsOf(shape).some(hasFields);

/** Alternatives with fields of their own, one below the other. An alternative of a plain type is in the type alone. */
const alternatives = (shape: Shape): readonly string[] => {
  const options = optionsOf(shape).filter(({ type }) => type !== 'null');
  const [only] = options;
  if (only && options.length === 1) return only.$ref === undefined ? [innerOf(only)] : [];
  if (!options.some((option) => option.$ref === undefined && hasFields(option))) return [];
  const rendered = options.map(
    (option) => `<li>${option.$ref === undefined ? fieldsOf(option) : typeOf(option)}</li>`,
  );
  return [`<p>One of:</p><ul class="options">${rendered.join('')}</ul>`];
};

const optionsOf = ({ anyOf, oneOf }: Shape): readonly Shape[] => anyOf ?? oneOf ?? [];

const kindOf = (shape: Shape): string => {
  const { $ref, type, items, additionalProperties: others } = shape;
  if ($ref !== undefined) return modelLink(nameOf($ref));
  if (shape.enum) return shape.enum.map(literal).join(' or ');
  if (shape.const !== undefined) return literal(shape.const);
  const options = optionsOf(shape);
  if (options.length > 0) return [...new Set(options.map(kindOf))].join(' or ');
  if (items) return `list of ${kindOf(items)}`;
  if (typeof others === 'object') return `object of ${kindOf(others)}`;
  const kinds = typeof type === 'string' ? [type] : (type ?? ['any value']);
  return kinds.map((kind) => (kind === 'array' ? 'list' : kind)).join(' or ');
};

/** A link to a model. */
export const modelLink = (name: string): string => `<a href="#${name}">${name}</a>`;

const literal = (value: unknown): string => (value === null ? 'null' : code(JSON.stringify(value)));

const boundsOf = (shape: Shape): readonly string[] => {
  const [only] = optionsOf(shape).filter(({ type }) => type !== 'null');
  const { format } = shape;
  return [
    format === undefined ? '' : (formats[format] ?? format),
    range(shape.minimum, shape.maximum, ''),
    range(shape.minLength, shape.maxLength, ' characters'),
    range(shape.minItems, shape.maxItems, ' items'),
    ...(only && optionsOf(shape).length === 2 && only.$ref === undefined ? boundsOf(only) : []),
    shape.default === undefined ? '' : `by default ${literal(shape.default)}`,
  ];
};

const formats: Readonly<Record<string, string>> = {
  'date-time': 'date and time',
  uri: 'address',
  uuid: 'UUID',
};

const range = (least: number | undefined, most: number | undefined, unit: string): string => {
  const low = least !== undefined && (least !== 0 || unit === '') ? least : undefined;
  if (low !== undefined && most !== undefined)
    return low === most ? `exactly ${low}${unit}` : `${low} to ${most}${unit}`;
  if (most !== undefined && most < Number.MAX_SAFE_INTEGER) return `at most ${most}${unit}`;
  return low === undefined ? '' : `at least ${low}${unit}`;
};
