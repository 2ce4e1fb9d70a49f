import type { FunctionEntry, ResourceName, Trigger } from '../../functions/entry.ts';
import type { Stage } from '../config/stages.ts';

/** What every stack is made from. */
export interface Service {
  readonly stage: Stage;
  /** All functions by name. */
  readonly manifest: Readonly<Record<string, FunctionEntry>>;
  /** Folder of the bundled code of each function. */
  readonly code: ReadonlyMap<string, string>;
}

/** A thing that functions may reach: the value of its environment variable, and its ARN in policies. */
export interface Reachable {
  readonly value: string;
  readonly arn: string;
}
export type Reachables = Readonly<Partial<Record<ResourceName, Reachable>>>;

/** Physical name of a thing of the service, the same in every region. */
export const physicalName = (stage: Stage, name: string): string => `tidemark-${stage.name}-${name}`;

/** A function of the manifest whose trigger is of one kind. */
export interface NamedEntry<K extends Trigger['kind'] = Trigger['kind']> {
  readonly name: string;
  readonly entry: FunctionEntry;
  readonly trigger: Extract<Trigger, { kind: K }>;
}

const isOfKind = <K extends Trigger['kind']>(
  trigger: Trigger,
  kind: K,
): trigger is Extract<Trigger, { kind: K }> => trigger.kind === kind;

/** Functions of the manifest whose trigger is of `kind`, in order of name so that templates don't depend on imports. */
export const entriesOf = <K extends Trigger['kind']>(
  manifest: Service['manifest'],
  kind: K,
): readonly NamedEntry<K>[] =>
  Object.entries(manifest)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, entry]) =>
      isOfKind(entry.trigger, kind) ? [{ name, entry, trigger: entry.trigger }] : [],
    );
