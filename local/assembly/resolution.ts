/** Resolution: settles the names of all resources and replaces every intrinsic function in their properties. */
import type { Assembly, StackAssembly } from './assembly.ts';
import { identities, type Identity } from './identities.ts';
import { UnresolvedError, resolve, type Lookup } from './intrinsics.ts';
import { DeploymentError, dependenciesOf, type TemplateResource } from './template.ts';

/** A resource with its final name and without intrinsic functions. */
export interface ResolvedResource extends Identity {
  readonly stack: string;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** Resolves all resources of all stacks. Throws DeploymentError with each logical id that cannot be resolved. */
export const resolveAssembly = (assembly: Assembly, queueOrigin: string): readonly ResolvedResource[] => {
  const world = new World(assembly, queueOrigin);
  const problems: string[] = [];
  const resolved: ResolvedResource[] = [];
  const attempt = (label: string, act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (!(error instanceof UnresolvedError)) throw error;
      problems.push(`${label}: ${error.message}`);
    }
  };
  for (const stack of assembly.stacks) {
    for (const [logicalId, resource] of Object.entries(stack.template.Resources)) {
      attempt(`${stack.name}/${logicalId} (${resource.Type})`, () => {
        if (world.exists(stack, resource)) resolved.push(world.resource(stack, logicalId, resource));
      });
    }
    for (const [name, output] of Object.entries(stack.template.Outputs))
      attempt(`${stack.name}: output ${name}`, () => resolve(output.Value, world.lookup(stack)));
  }
  if (problems.length > 0) throw new DeploymentError(problems);
  return resolved;
};

/** All stacks and the names of their resources. The resolver computes each name once. */
class World {
  private readonly settled = new Map<string, Identity>();
  private readonly pending = new Set<string>();
  private readonly stacks: readonly StackAssembly[];
  private readonly queueOrigin: string;

  constructor(assembly: Assembly, queueOrigin: string) {
    this.stacks = assembly.stacks;
    this.queueOrigin = queueOrigin;
  }

  exists(stack: StackAssembly, resource: TemplateResource): boolean {
    return resource.Condition === undefined || this.condition(stack, resource.Condition);
  }

  resource(stack: StackAssembly, logicalId: string, resource: TemplateResource): ResolvedResource {
    for (const needed of dependenciesOf(resource)) {
      if (!(needed in stack.template.Resources))
        throw new UnresolvedError(`depends on ${needed}, which is missing`);
    }
    const properties = Object.entries(resource.Properties).map(([name, value]): [string, unknown] => [
      name,
      resolve(value, this.lookup(stack)),
    ]);
    return {
      ...this.identity(stack, logicalId),
      stack: stack.name,
      logicalId,
      type: resource.Type,
      properties: Object.fromEntries(properties.filter(([, value]) => value !== undefined)),
    };
  }

  lookup(stack: StackAssembly): Lookup {
    return {
      stack: stack.name,
      ref: (logicalId) => this.ref(stack, logicalId),
      attribute: (logicalId, name) => this.attribute(stack, logicalId, name),
      exported: (name) => this.exported(name),
      condition: (name) => this.condition(stack, name),
      mapped: (map, key, name) => this.mapped(stack, [map, key, name]),
    };
  }

  private ref(stack: StackAssembly, logicalId: string): unknown {
    const parameter = stack.template.Parameters[logicalId];
    return parameter ? parameter.Default : this.identity(stack, logicalId).ref;
  }

  private attribute(stack: StackAssembly, logicalId: string, name: string): string {
    const value = this.identity(stack, logicalId).attributes[name];
    if (value === undefined) throw new UnresolvedError(`${logicalId} has no attribute ${name}`);
    return value;
  }

  private exported(name: string): unknown {
    for (const stack of this.stacks) {
      for (const output of Object.values(stack.template.Outputs)) {
        if (!output.Export || resolve(output.Export.Name, this.lookup(stack)) !== name) continue;
        return resolve(output.Value, this.lookup(stack));
      }
    }
    throw new UnresolvedError(`no stack exports ${name}`);
  }

  private condition(stack: StackAssembly, name: string): boolean {
    if (!(name in stack.template.Conditions)) throw new UnresolvedError(`condition ${name} is missing`);
    return resolve(stack.template.Conditions[name], this.lookup(stack)) === true;
  }

  private mapped(stack: StackAssembly, [map, key, name]: readonly [string, string, string]): unknown {
    const value = stack.template.Mappings[map]?.[key]?.[name];
    if (value === undefined) throw new UnresolvedError(`mapping ${map}.${key}.${name} is missing`);
    return value;
  }

  private identity(stack: StackAssembly, logicalId: string): Identity {
    const id = `${stack.name}/${logicalId}`;
    const known = this.settled.get(id);
    if (known) return known;
    if (this.pending.has(id)) throw new UnresolvedError(`${logicalId} refers to itself`);
    this.pending.add(id);
    try {
      const identity = this.identify(stack, logicalId);
      this.settled.set(id, identity);
      return identity;
    } finally {
      this.pending.delete(id);
    }
  }

  private identify(stack: StackAssembly, logicalId: string): Identity {
    const resource = stack.template.Resources[logicalId];
    if (!resource) throw new UnresolvedError(`${logicalId} is referred to, but missing`);
    const identify = identities[resource.Type];
    if (!identify)
      throw new UnresolvedError(`resource type ${resource.Type} is not known to the embedded cloud`);
    return identify({
      place: { stack: stack.name, logicalId },
      queueOrigin: this.queueOrigin,
      given: (property) => {
        const value = resolve(resource.Properties[property], this.lookup(stack));
        return typeof value === 'string' || typeof value === 'boolean' ? String(value) : undefined;
      },
    });
  }
}
