/** The stage of alarms: a service whose functions and AWS calls fail as a scene wants. */
import type { FunctionEntry } from '../../functions/entry.ts';
import { manifest } from '../../functions/manifest.ts';
import type { Faults } from '../../local/core/faults.ts';
import { seededRandom } from '../../local/core/seeded-random.ts';
import { definition } from '../scenes/cast.ts';
import { identified } from '../support/api-client.ts';
import { startService } from '../support/service.ts';

/** The function that Lambda always refuses on this stage. */
const REFUSED = 'tryOperations';

/** A way to break something for a while. */
const switches = (names: Set<string>) => (name: string) => {
  names.add(name);
  return () => void names.delete(name);
};

/** Starts a service with the tables of a new account, in which things can be broken. */
export const openStage = async () => {
  const killed = new Set<string>();
  const failing = new Set<string>();
  const faults: Faults = {
    seed: 1,
    rate: 0,
    random: seededRandom(1),
    decide: (kind, key) => kind === 'kill' && killed.has(key),
    call: (caller, action) =>
      failing.has(`${caller} ${action}`) ? { fault: 'error', random: 0 } : undefined,
  };
  const service = await startService({
    firstReturnMs: 20,
    faults: { ...faults, random: (kind, key) => (kind === 'kill-after' ? 0 : faults.random(kind, key)) },
    strictness: { tableUnits: { write: 4_000, read: 12_000 } },
    adaptFunctions: (functions) =>
      functions.map((fn) => (fn.name.endsWith(`-${REFUSED}`) ? { ...fn, mostSandboxes: 0 } : fn)),
  });
  const imports = `/v1/${service.property}/imports`;
  const { id } = await service.client.post(imports, definition('Of scenes'), identified);
  const { id: job } = await service.client.post(`${imports}/${id}/jobs`, { name: 'j' }, identified);
  return {
    service,
    /** An import and its job, which is open. */
    ids: { property: service.property, import: id, job },
    /** Ends the process of each invocation of a function. Returns the mend. */
    kill: (name: string) => switches(killed)(`tidemark-local-${name}`),
    /** Lets the calls of a function with an action fail, as `sweep dynamodb:Query`. Returns the mend. */
    fail: switches(failing),
  };
};

/** A service, and what can be broken in it. */
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** The functions of the manifest with a trigger of a kind. */
export const functionsBy = <K extends FunctionEntry['trigger']['kind']>(
  kind: K,
): readonly (readonly [string, FunctionEntry & { readonly trigger: { readonly kind: K } }])[] =>
  Object.entries<FunctionEntry>(manifest).flatMap(([name, entry]) =>
    isOf(entry, kind) ? [[name, entry] as const] : [],
  );

const isOf = <K extends FunctionEntry['trigger']['kind']>(
  entry: FunctionEntry,
  kind: K,
): entry is FunctionEntry & { readonly trigger: { readonly kind: K } } => entry.trigger.kind === kind;
