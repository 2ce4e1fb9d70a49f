/** The shapes of the API document as types of Python. */
import { nameIn, resolved, type Document, type Schema } from '../document.ts';
import { docstring, laidOut, literal } from './layout.ts';

/** How a type refers to a model. */
type Refer = (name: string) => string;

/** The models of a document, and the types of schemas that have no name of their own. */
export class Models {
  readonly #document: Document;
  readonly #shapes = new Map<string, string>();
  readonly #written = new Map<string, string>();

  /** Takes the models of a document. */
  constructor(document: Document) {
    this.#document = document;
    const { components, webhooks } = document;
    for (const [name, schema] of Object.entries(components.schemas)) this.#define(name, schema);
    const events = Object.values(webhooks).map(
      ({ post }) => post.requestBody?.content['application/json']?.schema,
    );
    const anyOf = events.filter((event) => event !== undefined);
    this.#define('WebhookEvent', {
      anyOf,
      description: 'The body of a call of a webhook. `type` tells which call it is.',
    });
  }

  /** The type of a schema. An object without a name of its own becomes a model of the name. */
  typeOf(schema: Schema, name: string, refer: Refer): string {
    const { $ref, type, items, additionalProperties: others } = schema;
    if ($ref !== undefined) return refer(nameIn($ref));
    if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
    if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
    const arms = schema.anyOf ?? schema.oneOf;
    if (arms) return this.#unionOf(arms, schema.description, name, refer);
    if (Array.isArray(type))
      return union(type.map((each: string) => this.typeOf({ ...schema, type: each }, name, refer)));

    if (type === 'array') {
      const item = items && { description: schema.description, ...items };
      return `list[${this.typeOf(item ?? {}, singular(name), refer)}]`;
    }
    if (type !== 'object') return (typeof type === 'string' && plain.get(type)) || 'Any';
    if (Object.keys(schema.properties ?? {}).length > 0 && others !== true) {
      this.#define(name, schema);
      return refer(name);
    }
    return `dict[str, ${typeof others === 'object' ? this.typeOf(others, `${name}Value`, refer) : 'Any'}]`;
  }

  /** The type of the items in a member of a page; `''` for a page that is itself a list. `name` names the page. */
  itemOf(page: Schema, name: string, member: string, refer: Refer): string {
    const whole = resolved(this.#document, page);
    const list = resolved(this.#document, member === '' ? whole : (whole.properties?.[member] ?? {}));
    const type = this.typeOf(
      list,
      `${page.$ref === undefined ? name : nameIn(page.$ref)}${pascal(member)}`,
      refer,
    );
    return type.slice('list['.length, -1);
  }

  /** All models as code, in the order of their names. */
  text(): string {
    const models = [...this.#written].toSorted(([one], [other]) => (one < other ? -1 : 1));
    return models.map(([, code]) => code).join('\n\n\n');
  }

  #unionOf(arms: readonly Schema[], description: string | undefined, name: string, refer: Refer): string {
    return union(arms.map((arm) => this.typeOf({ description, ...arm }, armName(name, arms, arm), refer)));
  }

  #define(name: string, schema: Schema): void {
    const { properties = {}, description } = schema;
    const text = JSON.stringify({ ...schema, description: undefined });
    if (this.#shapes.get(name) === text) return;
    if (this.#shapes.has(name)) throw new Error(`Two models of the API document would be named ${name}.`);
    // A model may refer to itself.
    this.#shapes.set(name, text);
    this.#written.set(name, '');
    const isObject = schema.type === 'object' && Object.keys(properties).length > 0;
    this.#written.set(
      name,
      isObject ? this.#objectOf(name, schema) : this.#aliasOf(name, schema, description),
    );
  }

  #aliasOf(name: string, schema: Schema, description: string | undefined): string {
    const alias = laidOut(`${name} = ${this.typeOf(schema, name, quoted)}`);
    return description === undefined ? alias : `${alias}\n${docstring([description], '')}`;
  }

  #objectOf(name: string, { properties = {}, required = [], description }: Schema): string {
    const isKeyword = Object.keys(properties).some((member) => keywords.has(member));
    const groups = [true, false].map((isRequired) =>
      Object.entries(properties).filter(([member]) => required.includes(member) === isRequired),
    );
    const [needed = [], optional = []] = groups.map((members) =>
      members.map(([member, schema]) => {
        const type = this.typeOf(schema, `${name}${pascal(member)}`, isKeyword ? quoted : same);
        return isKeyword ? `"${member}": ${type}` : laidOut(`${member}: ${type}`, '    ');
      }),
    );
    const doc = docstring([description ?? 'A part of a model.'], '    ');
    return isKeyword ? functional(name, doc, needed, optional) : classes(name, doc, needed, optional);
  }
}

/** A model whose members have names that Python reserves. */
const functional = (
  name: string,
  doc: string,
  needed: readonly string[],
  optional: readonly string[],
): string => {
  const bases = [
    { name: `_${name}Required`, members: needed, total: '' },
    { name: `_${name}Optional`, members: optional, total: ', total=False' },
  ].filter(({ members }) => members.length > 0);
  const code = bases.map((base) =>
    laidOut(`${base.name} = TypedDict("${base.name}", {${base.members.join(', ')}}${base.total})`),
  );
  return `${code.join('\n')}\n\n\nclass ${name}(${bases.map((base) => base.name).join(', ')}):\n${doc}`;
};

/** Python 3.9 marks members that may be absent by class. */
const classes = (
  name: string,
  doc: string,
  needed: readonly string[],
  optional: readonly string[],
): string => {
  if (optional.length === 0) return `class ${name}(TypedDict):\n${doc}\n\n${needed.join('\n')}`;
  const base = `_${name}Required`;
  const first = needed.length === 0 ? '' : `class ${base}(TypedDict):\n${needed.join('\n')}\n\n\n`;
  const parent = needed.length === 0 ? 'TypedDict' : base;
  return `${first}class ${name}(${parent}, total=False):\n${doc}\n\n${optional.join('\n')}`;
};

const plain: ReadonlyMap<string, string> = new Map([
  ['string', 'str'],
  ['integer', 'int'],
  ['number', 'float'],
  ['boolean', 'bool'],
  ['null', 'None'],
]);

/** The names of members that cannot be names in Python. */
export const keywords: ReadonlySet<string> = new Set(
  `False None True and as assert async await break class continue def del elif else except finally for from global if
  import in is lambda nonlocal not or pass raise return try while with yield`.split(/\s+/),
);

const same: Refer = (name) => name;
const quoted: Refer = (name) => `"${name}"`;

/** The name of an alternative: that of the whole, and the value of a tag where several alternatives need a name. */
const armName = (name: string, arms: readonly Schema[], arm: Schema): string => {
  const objects = arms.filter(({ properties }) => properties !== undefined);
  if (objects.length < 2) return name;
  const tags = objects.map(({ properties = {} }) => {
    const values = Object.values(properties).map((member) => member.const ?? member.enum?.[0]);
    return pascal(values.find((value) => typeof value === 'string') ?? '');
  });
  const index = objects.indexOf(arm);
  const tag = tags[index] ?? '';
  return `${name}${tags.indexOf(tag) < index ? index + 1 : tag}`;
};

const union = (types: readonly string[]): string => {
  const taken = [...new Set(types)].filter((type) => type !== 'None');
  const joined = taken.length === 1 ? (taken[0] ?? '') : `Union[${taken.join(', ')}]`;
  return types.includes('None') ? `Optional[${joined}]` : joined;
};

const singular = (name: string): string =>
  /[^s]s$/.test(name) ? name.replace(/ies$/, 'y').replace(/s$/, '') : `${name}Item`;

/** A name in the style of classes. */
export const pascal = (name: string): string =>
  name.replaceAll(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());
