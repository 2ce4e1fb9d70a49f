/** Callers: the registry of callers, their policies, and the calls that IAM allowed or refused. */
import type { Caller, Denial, NeededPermission, Session } from '../core/types.ts';
import { ServiceError } from '../core/service-error.ts';
import { compilePolicy, refusalMessage, type Policy } from '../core/iam.ts';
import { keyRefusal, type KeyGuard } from '../core/key-guard.ts';

/** A caller with the secret that verifies its presigned URLs. */
export interface RegisteredCaller extends Caller {
  readonly secretAccessKey: string;
  /** Only of a role that STS let a caller assume. */
  readonly session?: Session;
}

/** The calls that IAM refused. */
export interface Denials {
  list(): readonly Denial[];
  clear(): void;
  /** Calls `seen` for every later denial. Returns a function that ends this. */
  observe(seen: (denial: Denial) => void): () => void;
}

/** A use of an action on a resource that a caller's policy allowed. */
export interface UsedAction {
  readonly caller: string;
  readonly action: string;
  readonly resource: string;
}

/** Creates an empty registry. */
export const createCallers = () => {
  const known = new Map<string, { caller: RegisteredCaller; policy: Policy }>();
  const taken: { readonly callerName: string; readonly action: string; readonly resource?: string }[] = [];
  const observers = new Set<(use: UsedAction) => void>();
  const denials = createDenials();
  let guard: KeyGuard | undefined;
  const refuse = (caller: Caller, { action, resource }: NeededPermission, error: ServiceError): never => {
    denials.add({ caller: caller.name, action, resource, message: error.message });
    throw error;
  };
  const isTaken = (name: string, { action, resource }: NeededPermission) =>
    taken.some(
      (one) =>
        one.callerName === name &&
        one.action === action &&
        (one.resource === undefined || one.resource === resource),
    );
  const authorizeOne = (caller: Caller, one: NeededPermission): void => {
    const policy = known.get(caller.accessKeyId)?.policy;
    const verdict = policy && !isTaken(caller.name, one) ? policy(one) : 'unallowed';
    if (verdict !== 'allowed') {
      refuse(
        caller,
        one,
        new ServiceError('AccessDenied', refusalMessage(caller.principal, one, verdict), 403),
      );
    }

    for (const seen of observers) seen({ caller: caller.name, action: one.action, resource: one.resource });
    const use = guard?.refusedTo(caller, one);
    if (use !== undefined) refuse(caller, use, keyRefusal(caller.principal, one, use));
  };
  return {
    denials,
    register: (caller: RegisteredCaller) => {
      for (const [id, { caller: earlier }] of known)
        if (earlier.session && earlier.session.expires <= Date.now()) known.delete(id);
      known.set(caller.accessKeyId, { caller, policy: compilePolicy(caller.policy) });
    },
    /** Checks the keys of encrypted resources from now on. */
    guardKeys: (given: KeyGuard) => {
      guard = given;
    },
    find: (accessKeyId: string): RegisteredCaller | undefined => known.get(accessKeyId)?.caller,
    withoutAction: (callerName: string, action: string, resource?: string): (() => void) => {
      const entry = { callerName, action, ...(resource !== undefined && { resource }) };
      taken.push(entry);
      return () => {
        const at = taken.indexOf(entry);
        if (at >= 0) taken.splice(at, 1);
      };
    },
    /** Calls `seen` for every later use of an action. Returns a function that ends this. */
    observeUses: (seen: (use: UsedAction) => void): (() => void) => {
      observers.add(seen);
      return () => void observers.delete(seen);
    },
    /** Throws the refusal of the first permission that the caller lacks, on a resource or on its key. */
    authorize: (caller: Caller, needed: readonly NeededPermission[]) => {
      for (const one of needed) authorizeOne(caller, one);
    },
  };
};

/** All callers and their policies. */
export type Callers = ReturnType<typeof createCallers>;

const createDenials = (): Denials & { add(denial: Denial): void } => {
  const list: Denial[] = [];
  const observers = new Set<(denial: Denial) => void>();
  return {
    list: () => [...list],
    clear: () => void list.splice(0),
    observe: (seen) => {
      observers.add(seen);
      return () => void observers.delete(seen);
    },
    add: (denial) => {
      list.push(denial);
      for (const seen of observers) seen(denial);
    },
  };
};
