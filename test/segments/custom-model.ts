/**
 * Custom segments in plain maps and sets: the reference model of the service. The model shares no code with the
 * service.
 */

/** A definition as a client writes it. */
export type Definition =
  | number
  | { readonly all: readonly Definition[] }
  | { readonly any: readonly Definition[] }
  | { readonly not: Definition };

interface Custom {
  readonly name: string;
  readonly definition: Definition;
  life: 'current' | 'replaced' | 'deleted';
}

/** The members of all segments. `derived` and `moments` are given; the model computes custom segments. */
export class Model {
  everybody: readonly number[];
  /** Members of segments that follow from profiles, and of moments. */
  readonly given = new Map<number, ReadonlySet<number>>();
  readonly customs = new Map<number, Custom>();

  constructor(everybody: readonly number[]) {
    this.everybody = everybody.toSorted((a, b) => a - b);
  }

  /** Ids that a definition can name: all except the ids of deleted segments. */
  readable(): readonly number[] {
    const customs = [...this.customs].filter(([, { life }]) => life !== 'deleted');
    return [...this.given.keys(), ...customs.map(([id]) => id)];
  }

  members(definition: Definition): readonly number[] {
    return this.everybody.filter((ordinal) => this.holds(definition, ordinal));
  }

  /** Whether a definition holds for a person. A deleted segment keeps its meaning in replaced segments that name it. */
  holds(definition: Definition, ordinal: number): boolean {
    if (typeof definition === 'number') {
      const custom = this.customs.get(definition);
      return custom
        ? this.holds(custom.definition, ordinal)
        : this.given.get(definition)?.has(ordinal) === true;
    }
    if ('all' in definition) return definition.all.every((part) => this.holds(part, ordinal));
    if ('any' in definition) return definition.any.some((part) => this.holds(part, ordinal));
    return !this.holds(definition.not, ordinal);
  }

  isInUse(id: number): boolean {
    return [...this.customs.values()].some(
      ({ life, definition }) => life === 'current' && names(definition, id),
    );
  }

  /** Whether a definition is refused because it is too large after expansion of its custom segments. */
  isTooLarge(definition: Definition): boolean {
    const { nodes, levels } = this.#written(definition);
    return nodes > 1_000 || levels > 32;
  }

  #written(definition: Definition): { readonly nodes: number; readonly levels: number } {
    if (typeof definition === 'number') {
      const custom = this.customs.get(definition);
      return custom ? this.#written(custom.definition) : { nodes: 1, levels: 0 };
    }
    const parts = partsOf(definition).map((part) => this.#written(part));
    return {
      nodes: 1 + parts.reduce((sum, { nodes }) => sum + nodes, 0),
      levels: 1 + Math.max(...parts.map(({ levels }) => levels)),
    };
  }

  /** Names of the current custom segments of a person, sorted. */
  treeOf(ordinal: number): readonly string[] {
    const current = [...this.customs.values()].filter(({ life }) => life === 'current');
    return current
      .filter(({ definition }) => this.holds(definition, ordinal))
      .map(({ name }) => name)
      .sort();
  }
}

const names = (definition: Definition, id: number): boolean =>
  typeof definition === 'number' ? definition === id : partsOf(definition).some((part) => names(part, id));

const partsOf = (definition: Exclude<Definition, number>): readonly Definition[] => {
  if ('not' in definition) return [definition.not];
  return 'all' in definition ? definition.all : definition.any;
};
