import type { FunctionEntry, ResourceName, Trigger } from '../../functions/entry.ts';
import type { Stage } from '../config/stages.ts';

/** The input of every stack. */
export interface Service {
  readonly stage: Stage;
  /** All functions by name. */
  readonly manifest: Readonly<Record<string, FunctionEntry>>;
  /** Folder of the bundled code of each function. */
  readonly code: ReadonlyMap<string, string>;
}

/** A resource in the access of functions: the value of its environment variable, and its ARN for policies. */
export interface Reachable {
  readonly value: string;
  readonly arn: string;
  /** ARNs of keys of earlier stacks, with which functions that decrypt may decrypt too. */
  readonly earlierArns?: readonly string[];
  /** ARNs of other resources on which the same actions need a grant. */
  readonly alsoArns?: readonly string[];
  /** The texts that conditions of IAM demand of each call, by condition key. */
  readonly demands?: Readonly<Record<string, string>>;
}
export type Reachables = Readonly<Partial<Record<ResourceName, Reachable>>>;

/** Physical name of a resource, the same in every region. */
export const physicalName = (stage: Stage, name: string): string => `tidemark-${stage.name}-${name}`;

/** A function of the manifest with a certain kind of trigger. */
export interface NamedEntry<K extends Trigger['kind'] = Trigger['kind']> {
  readonly name: string;
  readonly entry: FunctionEntry;
  readonly trigger: Extract<Trigger, { kind: K }>;
}

/** Whether a trigger is of a kind. */
export const isOfKind = <K extends Trigger['kind']>(
  trigger: Trigger,
  kind: K,
): trigger is Extract<Trigger, { kind: K }> => trigger.kind === kind;

/**
 * Functions of the manifest with a trigger of `kind`, sorted by name, so that templates do not depend on the order of
 * imports.
 */
export const entriesOf = <K extends Trigger['kind']>(
  manifest: Service['manifest'],
  kind: K,
): readonly NamedEntry<K>[] =>
  Object.entries(manifest)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, entry]) =>
      isOfKind(entry.trigger, kind) ? [{ name, entry, trigger: entry.trigger }] : [],
    );
